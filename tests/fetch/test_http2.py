"""HTTP/2 where the server offers it, with the promises of HTTP/1.1."""

import io

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator

from tests.fetch.requests import asked
from tests.fetch.transports import over, slot, transport_for
from tests.support.crawls.crawling import verified
from tests.support.crawls.preforked import run
from tests.support.web import nginx
from tests.support.web.certificates import pem
from tests.support.web.proxies import running
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.ring.messages import HEAD_ROOM, HEADS
from ttcrawl.vocabulary.reason import HEADERS_TOO_LARGE, TIMEOUT_READ, TLS_UNKNOWN_ISSUER, TOO_LARGE, TYPE

pytestmark = pytest.mark.skipif(nginx.PROGRAM is None, reason="needs nginx: apt-get install nginx-light")

BODY = bytes(n % 251 for n in range(300_000))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "page.html").write_text("<title>page</title>")
    (tmp_path / "root" / "large").write_bytes(BODY)
    return tmp_path


@pytest.fixture(autouse=True)
def curl():
    with over("curl"):
        yield


def get(transport, port, path, **fields):
    room = slot(1 << 20)
    answer = transport.get(asked(f"https://a.test:{port}{path}", **fields), room)
    head = HEADS.decode(room[: answer.head_size])
    return answer, head, bytes(room[HEAD_ROOM : HEAD_ROOM + answer.body_size])


@pytest.mark.parametrize(
    ("chosen", "offered", "version", "logged"),
    [
        ("yes", "http2", "HTTP/2", "HTTP/2.0"),
        ("yes", "", "HTTP/1.1", "HTTP/1.1"),
        ("no", "http2", "HTTP/1.1", "HTTP/1.1"),
    ],
)
def test_the_version_is_negotiated(ca, folder, chosen, offered, version, logged):
    with nginx.nginx(folder, pem("good", ca, "a.test", folder), protocol=offered) as port:
        transport = transport_for(port, http2=chosen, max_body="1m")
        for path, body in (("/page.html", b"<title>page</title>"), ("/large", BODY)):
            answer, head, received = get(transport, port, path)
            assert (answer.status, head.version, head.address, received) == (200, version, "127.0.0.1", body)
            assert (answer.incomplete, answer.requests) == ("", 1)
            assert int(dict((name.lower(), value) for name, value in head.headers)["content-length"]) == len(body)
        protocols = nginx.requests(folder, 2)
    assert [each[0] for each in protocols] == [logged] * 2
    assert len({connection for _, connection, *_ in protocols}) == 1


@pytest.mark.parametrize("scheme", ["http", "socks5h"])
def test_through_a_proxy(ca, folder, scheme):
    with nginx.nginx(folder, pem("good", ca, "a.test", folder)) as port, running(scheme) as proxy:
        through = f"{scheme}://127.0.0.1:{proxy.port}"
        answer, head, received = get(transport_for(port, http2="yes", proxy=through, resolve=""), port, "/page.html")
        assert (answer.status, head.version, received) == (200, "HTTP/2", b"<title>page</title>")
        assert [each[0] for each in nginx.requests(folder, 1)] == ["HTTP/2.0"]


#: Directives of the server, and what follows: status and why the body is refused, or the reason of a failure.
LIMITS = {
    "body": ("", {"max_body": "4096"}, (200, TOO_LARGE)),
    "type": ("", {"types": "text/*"}, (200, TYPE)),
    "header lines": ("add_header a 1; add_header b 2;", {"max_headers": "3"}, HEADERS_TOO_LARGE),
    "bytes of a head": (f"add_header a {'x' * 2000};", {"max_head": "1024"}, HEADERS_TOO_LARGE),
    "HEAD first": ("", {"types": "text/*", "head_first": "yes"}, (200, TYPE)),
}


@pytest.mark.parametrize("case", LIMITS)
def test_the_limits_hold(ca, folder, case):
    directives, keys, expected = LIMITS[case]
    with nginx.nginx(folder, pem("good", ca, "a.test", folder), directives) as port:
        transport = transport_for(port, http2="yes", **keys)
        try:
            answer, *_ = get(transport, port, "/large")
            assert (answer.status, answer.refused) == expected
        except NotFetched as error:
            assert error.reason == expected
        assert {each[0] for each in nginx.requests(folder, 1)} == {"HTTP/2.0"}


def test_a_slow_body(ca, folder):
    """The read timeout is that of HTTP/1.1."""
    with nginx.nginx(folder, pem("good", ca, "a.test", folder), "limit_rate 1k;") as port:
        answer, *_ = get(transport_for(port, http2="yes", max_body="1m"), port, "/large")
        assert answer.incomplete == TIMEOUT_READ and 0 < answer.body_size < len(BODY)


def test_the_certificate_is_checked(ca, folder):
    with nginx.nginx(folder, pem("stranger", ca, "a.test", folder)) as port:
        with pytest.raises(NotFetched) as raised:
            get(transport_for(port, http2="yes"), port, "/page.html")
        assert raised.value.reason == TLS_UNKNOWN_ISSUER


def test_a_server_that_ends_its_connections(ca, folder):
    """nginx ends a connection (GOAWAY) after two requests: none is lost, each is counted."""
    with nginx.nginx(folder, pem("good", ca, "a.test", folder), "keepalive_requests 2;") as port:
        transport = transport_for(port, http2="yes")
        sent = sum(get(transport, port, "/page.html")[0].requests for _ in range(7))
        logged = nginx.requests(folder, 7)
    assert sent == len(logged) == 7
    assert len({connection for _, connection, *_ in logged}) == 4


def test_many_at_once(ca, folder):
    """A connection carries one request at a time."""
    with nginx.nginx(folder, pem("good", ca, "a.test", folder)) as port:
        transport = transport_for(port, http2="yes", max_body="1m")
        answers, rooms = [], [slot(1 << 20) for _ in range(20)]
        for room in rooms:
            transport.begin(asked(f"https://a.test:{port}/large"), room, answers.append)
        while len(answers) < 20:
            transport.run(0.1)
        assert {bytes(room[HEAD_ROOM : HEAD_ROOM + len(BODY)]) for room in rooms} == {BODY}
        assert len({connection for _, connection, *_ in nginx.requests(folder, 20)}) == 20


@pytest.mark.slow
@pytest.mark.parametrize("mode", [(), ("--inline",)], ids=["pools", "inline"])
def test_the_archive_of_a_crawl(ca, folder, mode):
    """Records are HTTP/1.1, which all readers take, and name the protocol."""
    with nginx.nginx(folder, pem("good", ca, "a.test", folder)) as port:
        seed = f"https://a.test:{port}/page.html"
        options = ("--resolve", f"a.test:{port}:127.0.0.1", "--no-obey-delay", "--progress", "none")
        done = run("crawl", seed, "-d", folder / "c", *options, "--set=fetch.http2=yes", *mode, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert {each[0] for each in nginx.requests(folder, 2)} == {"HTTP/2.0"}
    assert verified(folder / "c") == ""
    (archive,) = (folder / "c" / "warc").glob("*.warc.gz")
    data = archive.read_bytes()
    records = [each for each in ArchiveIterator(io.BytesIO(data)) if each.rec_type == "response"]
    assert {record.rec_headers.get_header("WARC-Protocol") for record in records} == {"h2"}
    assert {record.http_headers.protocol for record in records} == {"HTTP/1.1"}
    requests = [each for each in ArchiveIterator(io.BytesIO(data)) if each.rec_type == "request"]
    assert len(requests) == len(records)
    assert {(each.http_headers.protocol, each.http_headers.statusline.split()[1]) for each in requests} == {
        ("GET", "HTTP/1.1")
    }
    statuses = {
        record.http_headers.status_code
        for record in FastIterator(io.BytesIO(data))
        if record.record_type == WarcRecordType.response
    }
    assert statuses == {200, 404}


@pytest.mark.slow
@pytest.mark.parametrize("mode", [(), ("--inline",)], ids=["pools", "inline"])
def test_without_libcurl_one_line_says_so(ca, folder, mode):
    with nginx.nginx(folder, pem("good", ca, "a.test", folder)) as port:
        common = ("--resolve", f"a.test:{port}:127.0.0.1", "--no-obey-delay", "--progress", "none")
        options = ("--set=fetch.http2=yes", "--set=fetch.transport=urllib3", *mode)
        done = run("crawl", f"https://a.test:{port}/page.html", "-d", folder / "c", *common, *options, cwd=folder)
        assert done.returncode == 0 and done.stderr.count("HTTP/1.1") == 1, done.stderr
        assert {each[0] for each in nginx.requests(folder, 2)} == {"HTTP/1.1"}
