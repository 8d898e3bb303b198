"""Nobody is asked whom the user has not named and who is not public; and whom we ask is who the certificate says."""

import json
import socket
import ssl
import threading

import pytest

from tests.fetch.requests import asked
from tests.fetch.tls import tls_server
from tests.fetch.transports import chosen, new_transport
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.certificates import pem
from tests.support.web.site import Answer, Web, at, moved, page
from ttcrawl.config import read
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.ring.messages import HEAD_ROOM

pytestmark = pytest.mark.usefixtures("transports")

BLOCKED = ("refused", "blocked address")
FETCHED = ("fetched", "http 200")


def slot():
    return memoryview(bytearray(HEAD_ROOM + (10 << 20)))


# -- whole crawls ------------------------------------------------------------------------------------------------------


def inside():
    """A server on all loopback addresses that nobody named."""
    hosts = ("127.0.0.2", "localhost", "[::ffff:7f00:2]")
    paths = ("/", "/page", "/moved", "/robots.txt")
    return Web({(host, path): Answer(body=page(title=host)) for host in hosts for path in paths})


def outside(port):
    """Pages that lead there by a link, a redirect and the redirect of a robots.txt."""
    spellings = ("127.0.0.2", "0x7f.2", "2130706434", "0177.0.0.2", "localhost", "[::ffff:7f00:2]")
    return {
        ("a.test", "/"): Answer(
            body=page(
                *(f"http://{host}:{port}/" for host in spellings),
                f"http://127.0.0.2:{port}/page",
                "/moved",
                "/healthy",
                at("b.test", "/"),
                at("c.test", "/"),
            )
        ),
        ("a.test", "/moved"): moved(f"http://127.0.0.2:{port}/moved"),
        ("a.test", "/healthy"): Answer(body=page()),
        ("b.test", "/robots.txt"): moved(f"http://127.0.0.2:{port}/robots.txt"),
        ("b.test", "/"): Answer(body=page()),
        ("c.test", "/"): Answer(body=page("/healthy")),
        ("c.test", "/healthy"): Answer(body=page()),
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "state"),
    [((), BLOCKED), (("--inline",), BLOCKED), (("--set", "safety.allow=127.0.0.0/8"), FETCHED)],
    ids=["pools", "inline", "allowed"],
)
def test_a_crawl_that_is_led_to_private_addresses(tmp_path, options, state):
    with inside() as secret, Web(outside(secret.port)) as web:
        seed = web.url("a.test", "/")
        done = crawl(web, seed, tmp_path / "c", "--no-obey-delay", "--scope", "any", chosen(), *options)
        assert done.status == 0 and "Traceback" not in done.err, done.err
        there = {secret.url("127.0.0.2", path) for path in ("/", "/page", "/moved")}
        there |= {secret.url("localhost", "/"), secret.url("[::ffff:7f00:2]", "/")}
        assert done.states() == {
            **dict.fromkeys(there, state),
            **{web.url("a.test", path): FETCHED for path in ("/", "/healthy")},
            **{web.url("c.test", path): FETCHED for path in ("/", "/healthy")},
            web.url("a.test", "/moved"): ("moved", "http 301"),
            web.url("b.test", "/"): state,
        }
        assert bool(secret.log()) == (state == FETCHED)
    asked = done.query("SELECT DISTINCT host FROM visit JOIN site ON site.id = site AND host NOT LIKE '_.test%'")
    assert len(asked) == (3 if state == FETCHED else 0)
    assert done.query("SELECT value FROM crawl WHERE name = 'allowed'") == [("[]",)]
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
@pytest.mark.parametrize("host", ["127.0.0.2", "localhost", "0x7f.2", "[::ffff:7f00:2]"])
def test_a_seed_is_named_by_the_user(tmp_path, host):
    """Also after the crawl was stopped and goes on; but not another spelling of it."""
    with inside() as web:
        web.addresses = {}  # no --resolve
        options = ("--no-obey-delay", "--max-pages", "1")
        seeds = [f"http://{host}:{web.port}{path}" for path in ("/", "/page")]
        done = crawl(web, seeds, tmp_path / "c", *options)
        assert done.status == 3, done.err
        ((pairs,),) = done.query("SELECT value FROM crawl WHERE name = 'allowed'")
        assert json.loads(pairs) and len({name for name, _ in json.loads(pairs)}) == 1
        run("resume", tmp_path / "c", "--max-pages", "0").check_returncode()
        assert set(done.states().values()) == {FETCHED} and len(done.states()) == 2


@pytest.mark.slow
def test_a_crawl_of_nothing_but_a_blocked_host(tmp_path):
    """All there is leads to it: said in one line, and no address of ours is asked."""
    with inside() as secret, Web({("a.test", "/"): moved(secret.url("127.0.0.2", "/"))}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--scope", "any")
        assert done.status == 1 and "blocked address" in done.err and not secret.log()


# -- one exchange ------------------------------------------------------------------------------------------------------


def transport_for(*answers, granted=(), **keys):
    """A transport whose look-ups give `answers` one after the other, the last one for ever."""
    remaining = list(answers)

    def look_up(host):
        answer = remaining.pop(0) if len(remaining) > 1 else remaining[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    config = read(None, [(key.replace("__", "."), value) for key, value in keys.items()])
    return new_transport(config, frozenset(granted), look_up)


def outcome(transport, url):
    try:
        return transport.get(asked(url), slot()).address
    except NotFetched as error:
        return error.reason


GRANTED = [("a.test", "127.0.0.1")]


@pytest.mark.parametrize(
    ("look_ups", "outcomes"),
    [
        ([["127.0.0.1"]], ["127.0.0.1"]),
        ([["127.0.0.2"]], ["blocked address"]),
        ([["127.0.0.1"], ["127.0.0.2"]], ["127.0.0.1", "blocked address"]),
        ([["127.0.0.2"], ["127.0.0.1"]], ["blocked address", "127.0.0.1"]),
        ([["127.0.0.2", "10.0.0.1", "::ffff:127.0.0.2", "127.0.0.1"]], ["127.0.0.1"]),
        ([["::ffff:127.0.0.1"]], ["::ffff:127.0.0.1"]),
        ([["::ffff:127.0.0.2"]], ["blocked address"]),
        ([["0.0.0.0"]], ["127.0.0.1"]),  # the same host, by the system's own rule
        ([socket.gaierror(socket.EAI_NONAME, "unknown")], ["dns"]),
        ([socket.gaierror(socket.EAI_AGAIN, "later")], ["dns: temporary"]),
    ],
)
def test_a_name_that_changes_its_addresses(look_ups, outcomes):
    """DNS rebinding: the address that was looked up is the one that was checked and the one connected to."""
    closing = Answer(headers=(("Connection", "close"),), body=b"x")
    with Web({(host, "/"): closing for host in ("a.test", "b.test")}) as web:  # at two addresses
        transport = transport_for(*look_ups, granted=GRANTED)
        assert [outcome(transport, web.url("a.test", "/")) for _ in outcomes] == outcomes
        assert len(web.log()) == sum(each[0] in "1:" for each in outcomes)


@pytest.mark.parametrize("host", ["a..test", "a" * 64 + ".test", "nowhere.invalid"])
def test_names_that_cannot_be_looked_up(host):
    transport = new_transport(read(None))
    assert outcome(transport, f"http://{host}/") in ("dns", "dns: temporary")


def test_the_next_address_is_tried_when_one_does_not_answer():
    with Web({("a.test", "/"): Answer(body=b"x")}) as web:
        transport = transport_for(["127.0.0.3", "127.0.0.1"], safety__allow="127.0.0.0/8")
        assert outcome(transport, web.url("a.test", "/")) == "127.0.0.1"
        transport = transport_for(["127.0.0.3", "127.0.0.4"], safety__allow="127.0.0.0/8")
        assert outcome(transport, web.url("a.test", "/")) == "connection refused"
        assert web.log()[0].host == "a.test"


def test_a_pinned_address_is_where_the_request_goes():
    """A connection that was kept leads to another address, and is not used."""
    pages = {("a.test", "/"): Answer(body=b"1")}
    with Web(pages, address="127.0.0.1") as one, socket.create_server(("127.0.0.2", one.port)) as other:
        transport = transport_for(["127.0.0.1"], granted=[("a.test", "127.0.0.1"), ("a.test", "127.0.0.2")])
        url = f"http://a.test:{one.port}/"
        for _ in range(2):
            assert transport.get(asked(url, address="127.0.0.1"), slot()).address == "127.0.0.1"

        def close():
            other.accept()[0].close()

        thread = threading.Thread(target=close)
        thread.start()
        with pytest.raises(NotFetched):
            transport.get(asked(url, address="127.0.0.2"), slot())
        thread.join()
        assert len(one.log()) == 2


def test_a_pinned_address_that_is_blocked():
    with Web({("a.test", "/"): Answer(body=b"1")}) as web:
        with pytest.raises(NotFetched) as failed:
            transport_for(["127.0.0.1"]).get(asked(web.url("a.test", "/"), address="127.0.0.1"), slot())
        assert failed.value.reason == "blocked address" and not web.log()


# -- TLS ---------------------------------------------------------------------------------------------------------------


def served(kind, ca, place):
    """The TLS context of a server with such a certificate for a.test."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem(kind, ca, "a.test", place))
    return context


@pytest.mark.parametrize(
    ("kind", "host", "reason"),
    [
        ("good", "a.test", "127.0.0.1"),
        ("address", "127.0.0.1", "127.0.0.1"),
        ("good", "127.0.0.1", "tls: name mismatch"),
        ("wrong-name", "a.test", "tls: name mismatch"),
        ("expired", "a.test", "tls: expired"),
        ("early", "a.test", "tls: not yet valid"),
        ("stranger", "a.test", "tls: unknown issuer"),
        ("self-signed", "a.test", "tls: self-signed"),
        ("chain", "a.test", "tls: self-signed"),
    ],
)
def test_certificates(tmp_path, recwarn, ca, kind, host, reason):
    with tls_server(served(kind, ca, tmp_path), "127.0.0.1") as port:
        url = f"https://{host}:{port}/"
        for keys in ({}, {"fetch__resolve": f"{host}:{port}:127.0.0.1"}):  # looked up, and without a look-up
            keys |= {"safety__allow": "127.0.0.0/8", "politeness__delay": "0.05", "politeness__address_delay": "0"}
            checked = transport_for(["127.0.0.1"], **keys)
            assert outcome(checked, url) == reason
            unchecked = transport_for(["127.0.0.1"], fetch__verify_tls="no", **keys)
            assert outcome(unchecked, url) == "127.0.0.1"
    assert not recwarn.list


def test_tls_where_http_is_wanted(tmp_path, ca):  # the other way round: test_http
    transport = transport_for(["127.0.0.1"], safety__allow="127.0.0.0/8")
    with tls_server(served("good", ca, tmp_path), "127.0.0.1") as port:
        assert outcome(transport, f"http://a.test:{port}/") in ("reset", "disconnected", "protocol")


@pytest.mark.parametrize("error", [OverflowError("too large"), ValueError("odd"), RuntimeError(), KeyError("x")])
def test_whatever_is_raised_ends_as_a_reason(error):
    with Web({("a.test", "/"): Answer(body=b"x")}) as web:
        assert outcome(transport_for(error), web.url("a.test", "/")) == "protocol"
