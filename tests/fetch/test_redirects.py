"""Which responses are redirects, and what the bytes of a header lead to, over each transport."""

import pytest

from tests.fetch.transports import chosen
from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import PORT, Answer, Web, page, robots

pytestmark = pytest.mark.usefixtures("transports")

QUICK = ("--no-obey-delay", "--set=duplicates.soft_404=0", "--set=duplicates.exact=no")


def answered(head, body=b""):
    """A response whose head goes over the wire as it is written here."""
    return Answer(fate="raw", body=b"HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n%b" % (head, len(body), body))


def crawled(directory, pages, *options):
    """The states of the URLs of a.test by path, and the paths that were requested."""
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), directory, chosen(), *QUICK, *options)
        assert done.status == 0, done.err
        assert verified(directory) == ""
        start = web.url("a.test", "")
        states = {url.removeprefix(start): state for url, state in done.states().items()}
        return done, states, {(hit.host, hit.path) for hit in web.log()}


#: Value of a Location -> the path that is requested: the bytes that came, as browsers, curl and wget send them.
BYTES = {
    "Latin-1": (b"/jos\xe9", "/jos%E9"),
    "UTF-8": (b"/h\xc3\xa9", "/h%C3%A9"),
    "GBK": (b"/\xd6\xd0\xce\xc4", "/%D6%D0%CE%C4"),
    "Shift_JIS with a brace": (b"/\x93\xfa\x96{", "/%93%FA%96%7B"),
    "Shift_JIS with a backslash": (b"/\x95\\x", "/%95/x"),
    "query": (b"/x?q=jos\xe9", "/x?q=jos%E9"),
    "UTF-8 beside other bytes": (b"/top?\xe2\x98\x83\x80%e2\xff", "/top?%E2%98%83%80%E2%FF"),
    "C1 controls": (b"/c\x85\x9b", "/c%85%9B"),
    "fragment": (b"/f\xe9#\xe9", "/f%E9"),
    "host": (f"http://b\u00fc.test:{PORT}/p".encode() + b"\xe9", "/p%E9"),
}


def test_bytes_of_headers_are_sent_as_they_came(tmp_path):
    hosts = {"host": "xn--b-eha.test"}
    html = b"200 OK\r\nContent-Type: text/html\r\n"
    pages = {
        ("a.test", f"/{number}"): answered(b"302 Found\r\nLocation: " + value)
        for number, (value, _) in enumerate(BYTES.values())
    }
    pages |= {
        (hosts["host"], "/"): Answer(),
        ("a.test", "/r"): answered(html + b"Refresh: 0; url=/r\xe9f", b"r"),
        ("a.test", "/n"): answered(
            html + b'Link: </n\xe9xt>; rel=next; title="\xc3\xbc", </\xc3\xa9>; rel=next; title="\xfc"', b"n"
        ),
        ("a.test", "/h%C3%B6me"): answered(b"301 M\r\nLocation: /h\xf6me"),
        ("a.test", "/h%F6me"): Answer(body=page(title="the page")),
    }
    pages["a.test", "/"] = Answer(body=page(*(path for host, path in pages if host == "a.test")))
    done, states, requested = crawled(tmp_path / "crawl", pages, "--scope=any")
    wanted = {(hosts.get(name, "a.test"), path) for name, (_, path) in BYTES.items()}
    wanted |= {("a.test", path) for path in ("/r%E9f", "/n%E9xt", "/%C3%A9", "/h%F6me")}
    assert wanted - requested == set()
    assert states["/h%C3%B6me"] == ("moved", "http 301")
    assert states["/h%F6me"] == ("fetched", "http 200")
    titles = "SELECT anchor FROM link JOIN url ON url.id = source WHERE url LIKE '%/n' ORDER BY position"
    assert done.query(titles) == [("\u00fc",), ("\u00fc",)]


def test_cookies_are_returned_as_they_came(tmp_path):
    pages = {
        ("a.test", "/"): Answer(
            headers=(("Set-Cookie", "a=K\xf6ln"), ("Set-Cookie", "b=K\xc3\xb6ln")), body=page("/x")
        ),
        ("a.test", "/x"): Answer(),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "crawl", chosen(), *QUICK, "--set=fetch.cookies=kept")
        assert done.status == 0, done.err
        assert [hit.head.get("cookie") for hit in web.log() if hit.path == "/x"] == ["a=K\xf6ln; b=K\xc3\xb6ln"]


def test_a_robots_txt_behind_such_bytes_is_obeyed(tmp_path):
    pages = {
        ("a.test", "/"): Answer(body=page("/no", "/yes")),
        ("a.test", "/robots.txt"): answered(b"301 Moved\r\nLocation: /r\xf6bots.txt"),
        ("a.test", "/r%F6bots.txt"): robots("User-agent: *", "Disallow: /no"),
        ("a.test", "/yes"): Answer(),
    }
    _, states, _ = crawled(tmp_path / "crawl", pages)
    assert (states["/no"], states["/yes"]) == (("refused", "robots.txt"), ("fetched", "http 200"))


#: Fetch, "redirect status", and 300 (RFC 9110 section 15.4.1). The Location of a 304 is metadata (section 15.4.5), and
#: 305 and 306 are deprecated and unused (sections 15.4.6 and 15.4.7).
REDIRECTS, OTHERS = (300, 301, 302, 303, 307, 308), (200, 201, 304, 305, 306, 309, 399, 404)


@pytest.mark.parametrize("head_first", ["no", "yes"])
def test_statuses_of_redirects(tmp_path, head_first):
    pages = {
        ("a.test", f"/{status}"): answered(b"%d X\r\nLocation: /to/%d" % (status, status))
        for status in (*REDIRECTS, *OTHERS)
    }
    pages["a.test", "/none"] = answered(b"301 Moved")
    pages["a.test", "/"] = Answer(body=page(*(path for _, path in pages)))
    _, states, requested = crawled(tmp_path / "crawl", pages, f"--set=fetch.head_first={head_first}")
    moved = {path for path, (state, _) in states.items() if state == "moved"}
    assert moved == {f"/{status}" for status in REDIRECTS}
    assert {path for _, path in requested if path.startswith("/to/")} == {f"/to/{status}" for status in REDIRECTS}
    assert {status: states[f"/{status}"] for status in OTHERS} == {
        status: ("fetched", f"http {status}") for status in OTHERS
    }
    assert states["/none"] == ("fetched", "http 301")


@pytest.mark.parametrize("status", [304, 399])
def test_a_robots_txt_with_another_status_leads_nowhere(tmp_path, status):
    pages = {
        ("a.test", "/"): Answer(body=page("/no")),
        ("a.test", "/robots.txt"): answered(b"%d X\r\nLocation: /other.txt" % status),
        ("a.test", "/other.txt"): robots("User-agent: *", "Disallow: /"),
        ("a.test", "/no"): Answer(),
    }
    done, states, requested = crawled(tmp_path / "crawl", pages)
    assert ("a.test", "/other.txt") not in requested
    assert states["/no"] == ("fetched", "http 200")
    assert done.query("SELECT robots_status FROM site") == [(status,)]
