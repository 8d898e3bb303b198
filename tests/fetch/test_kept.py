"""What a kept connection did not carry is requested once more over a new one, after the delay of its host."""

import contextlib
import itertools
import threading
import time

import pytest

from tests.fetch.closing import PAGE, TIMED_OUT, Manner, closing, site
from tests.fetch.proxied import transport_to
from tests.fetch.transports import Chosen, chosen, outcome, outcomes, transport_for
from tests.support.crawls.crawling import Crawled, verified
from tests.support.crawls.preforked import run
from tests.support.long_tables import LONG
from tests.support.web.proxies import running
from ttcrawl.ring.messages import ROBOTS
from ttcrawl.vocabulary.reason import KEPT_CLOSED

pytestmark = pytest.mark.usefixtures("transports")

FAILED = ("disconnected", "reset")


CLOSERS = {
    "after one request": Manner(carries=1, reads=True),
    "with RST": Manner(carries=1, reads=True, reset=True),
    "after three": Manner(carries=3, reads=True),
    "with a status": Manner(carries=1, reads=True, last=TIMED_OUT),
}


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("manner", CLOSERS.values(), ids=CLOSERS)
def test_the_connection_is_to_blame_and_not_the_url(tls, scheme, manner):
    with closing(manner, tls=tls if scheme == "https" else None) as log:
        transport = transport_for(log.port, verify_tls="no")
        for _ in range(7):
            before = len(log.read)
            *_, last = both = outcomes(transport, f"{scheme}://a.test:{log.port}/")
            assert last[:3] == (200, "", 4)
            assert [requests for *_, requests, _ in both] == [1] * (len(log.read) - before)
        # each connection carried what it may and, but for the last, one request that it did not answer
        assert [len(paths) for paths in log.paths[:-1]] == [manner.carries + 1] * (len(log.paths) - 1)


def test_robots_txt_too():
    with closing(Manner(carries=1, reads=True)) as log:
        transport = transport_for(log.port)
        for _ in range(3):
            assert outcomes(transport, f"http://a.test:{log.port}/robots.txt", ROBOTS)[-1][0] == 200
        assert len(log.paths) == 3


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("head_first", ["no", "yes"])
def test_who_answers_nobody_is_asked_no_more(head_first, reset):
    """A new connection on which nothing comes is the failure; with a HEAD as before the GET is tried once."""
    with closing(Manner(carries=0, reads=True, reset=reset)) as log:
        reason, *_, requests, _ = outcome(transport_for(log.port, head_first=head_first), f"http://a.test:{log.port}/")
        assert reason in FAILED and requests == len(log.read) == len(log.paths) == (2 if head_first == "yes" else 1)


def test_it_is_sent_once_more_and_not_twice():
    """The first connection carries one request, and all later ones none."""
    manner = Manner(carries=1, reads=True)
    with closing(manner) as log:
        transport = transport_for(log.port)
        assert outcome(transport, f"http://a.test:{log.port}/")[0] == 200
        manner.carries = 0
        first, second = outcomes(transport, f"http://a.test:{log.port}/")
        assert second[0] in FAILED and first[3] == second[3] == 1
        assert [len(paths) for paths in log.paths] == [2, 1]


@pytest.mark.parametrize("carries", [1, 2])
def test_head_first(carries):
    with closing(Manner(carries=carries, reads=True)) as log:
        transport = transport_for(log.port, head_first="yes")
        for _ in range(5):
            before = len(log.read)
            *_, last = both = outcomes(transport, f"http://a.test:{log.port}/")
            assert last[::2] == (200, 4, "GET")
            assert sum(requests for *_, requests, _ in both) == len(log.read) - before <= 3


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    "more",
    [PAGE % (8, b"injected"), b"what Content-Length has not counted", b"\r\n", TIMED_OUT],
    ids=["an answer", "a body", "a line end", "408"],
)
def test_what_nobody_has_asked_for_is_no_answer_to_the_next_request(tls, scheme, more):
    """RFC 9112 section 9.2. Each connection is used once, for bytes come on it afterwards."""
    with closing(Manner(more=more), tls=tls if scheme == "https" else None) as log:
        transport = transport_for(log.port, verify_tls="no")
        for _ in range(3):
            assert outcome(transport, f"{scheme}://a.test:{log.port}/")[:4] == (200, "", 4, 1)
            time.sleep(0.1)
    assert [len(paths) for paths in log.paths] == [1, 1, 1]


@pytest.mark.parametrize("last", [b"H", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nX: y"])
def test_an_answer_that_has_begun_is_the_failure(last):
    """One byte came: who knows what the server has done.

    libcurl shows complete lines only: after a part of one the connection is to blame, as RFC 9112 section 9.3.1 allows.
    """
    blamed = last == b"H" and Chosen.name == "curl"
    with closing(Manner(carries=1, reads=True, last=last)) as log:
        transport = transport_for(log.port)
        assert outcome(transport, f"http://a.test:{log.port}/")[0] == 200
        assert (outcome(transport, f"http://a.test:{log.port}/")[0] == KEPT_CLOSED) is blamed
        assert len(log.read) == 2


def test_silence_is_no_failed_connection():
    with closing(Manner(), pages=lambda path: time.sleep(1) or b"page" if path == "/slow" else b"page") as log:
        transport = transport_for(log.port)
        assert outcome(transport, f"http://a.test:{log.port}/")[0] == 200
        assert outcome(transport, f"http://a.test:{log.port}/slow")[::3] == ("timeout: read", 1)
        assert log.read == ["/", "/slow"]


def test_no_more_is_sent_when_the_time_is_up():
    """The deadline shuts the socket, which looks as if the server had closed it."""
    with closing(Manner(), pages=lambda path: time.sleep(2) or b"" if path == "/slow" else b"page") as log:
        transport = transport_for(log.port, total_timeout="0.2", read_timeout="5")
        assert outcome(transport, f"http://a.test:{log.port}/")[0] == 200
        with deadline(transport):
            assert outcome(transport, f"http://a.test:{log.port}/slow")[::3] == ("timeout: total", 1)
        assert log.read == ["/", "/slow"]


@contextlib.contextmanager
def deadline(transport):
    over = threading.Event()

    def enforce():
        while not over.wait(0.05):
            transport.enforce()

    thread = threading.Thread(target=enforce)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.mark.parametrize("scheme", ["http", "socks5"])
@pytest.mark.parametrize("manner", [Manner(carries=1, reads=True), Manner(carries=1, reads=True, reset=True)])
def test_through_a_proxy(tls, scheme, manner):
    """As a tunnel; a proxy that forwards has connections of its own."""
    with closing(manner, tls=tls) as log, running(scheme) as proxy:
        transport = transport_to(f"{scheme}://127.0.0.1:{proxy.port}", verify_tls="no")
        for _ in range(3):
            *_, last = outcomes(transport, f"https://a.test:{log.port}/", address="127.0.0.1")
            assert last[:3] == (200, "", 4)
        assert len(log.read) == 5


def test_through_a_proxy_that_closes():
    """It forwards, and is the server that the connection leads to."""
    with closing(Manner(carries=1, reads=True)) as proxy:
        transport = transport_to(f"http://127.0.0.1:{proxy.port}")
        for name in ("a.test", "b.test", "a.test"):
            assert outcomes(transport, f"http://{name}/")[-1][0] == 200
        assert sorted(proxy.read) == ["http://a.test/"] * 3 + ["http://b.test/"] * 2


def crawled(directory, log, *keys):
    resolve = ("--resolve", f"a.test:{log.port}:127.0.0.1", "--progress", "none", chosen())
    done = run(
        "crawl",
        f"http://a.test:{log.port}/",
        "-d",
        directory,
        *resolve,
        *(f"--set={key}" for key in keys),
        cwd=directory.parent,
    )
    return Crawled(status=done.returncode, out=done.stdout, err=done.stderr, directory=directory)


PAGES = 200


KEYS = ("duplicates.soft_404=0", "traps.same_content=0")


def delayed(seconds):
    return (f"politeness.delay={seconds}", f"politeness.address_delay={seconds}")


@pytest.mark.parametrize(
    ("manner", "keys"),
    [
        # the FIN is on its way when the next request leaves
        pytest.param(Manner(carries=1), delayed(0.001), marks=pytest.mark.slow),
        (Manner(carries=1, reads=True), delayed(0.001)),
        pytest.param(Manner(carries=3, reads=True, reset=True), delayed(0.001), marks=LONG),
        pytest.param(Manner(idle=0.05), delayed(0.05), marks=pytest.mark.slow),
        pytest.param(Manner(idle=0.05, reset=True), delayed(0.05), marks=LONG),
        pytest.param(Manner(carries=1, reads=True), ("politeness.obey_delay=no",), marks=pytest.mark.slow),
    ],
    ids=["one request", "one more read", "RST after three", "idle", "idle, RST", "several at once"],
)
def test_a_crawl_loses_nothing_and_counts_no_attempt(tmp_path, manner, keys):
    with closing(manner, site(PAGES)) as log:
        done = crawled(tmp_path / "crawl", log, *KEYS, *keys)
    assert done.status == 0, done.err
    assert set(log.read) == {"/", "/robots.txt", *(f"/{n}" for n in range(PAGES))}
    assert done.query("SELECT state, reason, max(attempts), count(*) FROM url GROUP BY state, reason") == [
        ("fetched", "http 200", 1, PAGES + 1)
    ]
    # every request that was sent is a visit, and each page has one answer
    visits = done.query("SELECT url, requests, reason FROM visit")
    assert {requests for _, requests, _ in visits} == {1}
    assert sorted(url for url, _, reason in visits if not reason) == sorted({url for url, *_ in visits})
    assert {reason for *_, reason in visits} <= {"", KEPT_CLOSED}
    assert len(visits) >= len(log.read)
    if manner.reads:
        assert len(visits) == len(log.read) > PAGES + 2
    assert verified(done.directory) == ""
    assert done.query("SELECT sum(failures) FROM site") == [(0,)]


def test_the_host_has_its_delay_before_it_is_asked_again(tmp_path):
    delay = 0.2
    with closing(Manner(carries=1, reads=True), site(5)) as log:
        done = crawled(tmp_path / "crawl", log, *KEYS, *delayed(delay))
    assert done.status == 0, done.err
    assert min(later - earlier for earlier, later in itertools.pairwise(sorted(log.times))) >= delay
    assert len(log.times) == len(log.read) == done.query("SELECT count(*) FROM visit")[0][0] > 7
    politeness = run("report", done.directory, "--politeness", cwd=tmp_path).stdout
    assert "kept" in politeness and "broken" not in politeness, politeness
