"""One loop for all connections: fast servers do not keep it from the others."""

import itertools
import time

import pytest

from tests.fetch.requests import asked
from tests.fetch.transports import over, slot, transport_for
from tests.support.web import hostile
from tests.support.web.site import Answer, Web
from ttcrawl.config import read
from ttcrawl.fetch.curl.transport import CurlTransport
from ttcrawl.ring.messages import HEAD_ROOM
from ttcrawl.vocabulary.reason import TIMEOUT_READ, TRUNCATED

FAST = 20
SIZE = 300_000
BODY = bytes(n % 251 for n in range(SIZE))


@pytest.fixture(autouse=True)
def curl():
    with over("curl"):
        yield


@pytest.mark.slow
def test_a_turn_is_short():
    """Whenever one socket is ready, libcurl reads from all servers that have more to send."""
    pages = {("a.test", f"/{n}"): hostile.ENDLESS["/trailer"][0] for n in range(FAST)}
    with Web(pages | {("a.test", "/half"): hostile.SLOW["/half-a-body"][0]}, address="127.0.0.1") as web:
        transport = transport_for(web.port, read_timeout="1", total_timeout="3", max_body="1m")
        fast, slow, longest = [], [], 0.0
        for number in range(FAST):
            transport.begin(asked(f"http://a.test:{web.port}/{number}"), slot(1 << 20), fast.append)
        transport.begin(asked(f"http://a.test:{web.port}/half"), slot(), slow.append)
        while not (slow and len(fast) == FAST):
            before = time.thread_time()
            transport.run(0.1)
            longest = max(longest, time.thread_time() - before)
    assert longest < 5 * 0.05  # seconds of CPU; 1.2 if no transfer pauses
    assert [answer.incomplete for answer in slow] == [TIMEOUT_READ]


def chunked(size):
    pieces = (BODY[n : n + size] for n in range(0, SIZE, size))
    return b"".join(b"%x\r\n%b\r\n" % (len(each), each) for each in pieces)


#: Answer, why its body is incomplete, and how much of it there is.
PAUSED = {
    "length": (Answer(body=BODY), "", SIZE),
    "to the end": (hostile.raw("HTTP/1.1 200 OK", b"", BODY), "", SIZE),
    # it says that it closes the connection, or the next request may be under way when it does
    "chunks": (hostile.chunks(chunked(999) + b"0\r\n\r\n", "Connection: close"), "", SIZE),
    "no last chunk": (hostile.chunks(chunked(999)), TRUNCATED, SIZE),
    "chunk of a negative size": (hostile.chunks(chunked(999) + b"-5\r\n12345\r\n0\r\n\r\n"), TRUNCATED, SIZE),
    "chunk without a size": (hostile.chunks(chunked(999) + b"five\r\n12345\r\n0\r\n\r\n"), TRUNCATED, SIZE),
    "short": (Answer(body=BODY, length=SIZE + 9), TRUNCATED, SIZE),
    "silent": (Answer(fate="stall", body=BODY), TIMEOUT_READ, SIZE),
}


@pytest.mark.parametrize("case", PAUSED)
def test_a_body_in_many_turns(case):
    """Time passes so fast that each piece pauses the transfer."""
    answer, incomplete, size = PAUSED[case]
    calls = itertools.count()
    with Web({("a.test", "/"): answer, ("a.test", "/next"): Answer(body=b"next")}, address="127.0.0.1") as web:
        settings = {"safety.allow": "127.0.0.0/8", "fetch.resolve": f"a.test:{web.port}:127.0.0.1"}
        settings["fetch.read_timeout"] = "3"
        transport = CurlTransport(read(None, list(settings.items())), lambda: time.time() + next(calls) / 10)
        room = slot(1 << 20)
        began, answers = time.monotonic(), []
        transport.begin(asked(f"http://a.test:{web.port}/"), room, answers.append)
        while not answers:
            transport.run(1.0)
        took, (body,) = time.monotonic() - began, answers
        following = transport.get(asked(f"http://a.test:{web.port}/next"), slot())
    assert (body.incomplete, body.body_size) == (incomplete, size)
    assert room[HEAD_ROOM : HEAD_ROOM + size] == BODY
    assert following.body_size == 4
    assert took < 5  # a paused transfer waits for no other event
