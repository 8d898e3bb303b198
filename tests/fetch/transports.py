"""Transports of tests, and what comes of one request."""

import contextlib
import time

from tests.fetch.requests import asked as request
from ttcrawl.config import read
from ttcrawl.fetch.curl.transport import CurlTransport
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.fetch.urllib3.transport import Transport
from ttcrawl.ring.messages import HEAD_ROOM, PAGE
from ttcrawl.vocabulary.reason import KEPT_CLOSED

TRANSPORTS = {"curl": CurlTransport, "urllib3": Transport}

#: A sitecustomize.py, where pycurl cannot be imported.
MISSING = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "pycurl":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
"""


class Chosen:
    """The transport over which tests run now."""

    name = "curl"


@contextlib.contextmanager
def over(name):
    before, Chosen.name = Chosen.name, name
    yield
    Chosen.name = before


def new_transport(config, *arguments):
    return TRANSPORTS[Chosen.name](config, time.time, *arguments)


def chosen():
    """The option of a crawl over this transport."""
    return f"--set=fetch.transport={Chosen.name}"


def transport_for(port, **keys):
    settings = {"max_body": "4096", "read_timeout": "0.3", "resolve": f"a.test:{port}:127.0.0.1", **keys}
    overrides = [(f"fetch.{name}", value) for name, value in settings.items()]
    return new_transport(read(None, [("safety.allow", "127.0.0.0/8"), *overrides]))


def slot(size=4096):
    return memoryview(bytearray(HEAD_ROOM + size))


def outcome(transport, url, kind=PAGE, **fields):
    """Status or reason of failure, why the body was refused, its length, the requests sent, the method answered."""
    try:
        answer = transport.get(request(url, kind=kind, **fields), slot())
    except NotFetched as error:
        return error.reason, "", 0, error.requests, ""
    return answer.status, answer.refused, answer.body_size, answer.requests, answer.method


def outcomes(transport, url, kind=PAGE, **fields):
    """What comes of a request and of the next one, over a new connection, if a kept one was closed."""
    first = outcome(transport, url, kind, **fields)
    return [first] if first[0] != KEPT_CLOSED else [first, outcome(transport, url, kind, renew=True, **fields)]
