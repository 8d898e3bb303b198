"""Servers that end bodies by closing TCP, without the end of TLS (RFC 9112 section 9.8), and lengths that browsers
forgive: what a crawl makes of them, in its tables and its archive."""

import gzip

import pytest

import ttcrawl
from tests.fetch.ends import CLOSED, ORDERLY, ending
from tests.fetch.transports import TRANSPORTS
from tests.support.crawls.crawling import query, verified
from tests.support.crawls.other_readers import foreign_check, responses
from tests.support.crawls.preforked import run
from tests.support.web.site import page

LINKS = ("/page", "/short", "/chunks", "/gzip", "/identity", "/document.txt", "/secret")
ROBOTS = b"User-agent: *\nDisallow: /secret\nSitemap: https://a.test:%d/map.xml\n"


def sent(kind, body, *fields):
    lines = "".join(f"{field}\r\n" for field in fields)
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n{lines}\r\n".encode() + body


def html(title):
    return page("/listed", title=title, content="<p>text</p>" * 20)


def pages(port):
    listed, packed = f"https://a.test:{port}/in-map", gzip.compress(html("gzip"))
    return {
        "/robots.txt": (sent("text/plain", ROBOTS % port), CLOSED),
        "/map.xml": (sent("text/xml", f"<urlset><url><loc>{listed}</loc></url></urlset>".encode()), CLOSED),
        "/": (sent("text/html", page(*LINKS)), CLOSED),
        "/page": (sent("text/html", html("page")), CLOSED),
        "/short": (sent("text/html", html("short"), "Content-Length: 99999"), CLOSED),
        "/chunks": (sent("text/html", b"fff\r\n" + html("chunks"), "Transfer-Encoding: chunked"), CLOSED),
        "/gzip": (sent("text/html", packed, "Content-Encoding: gzip", f"Content-Length: {len(html('gzip'))}"), ORDERLY),
        "/identity": (
            sent(
                "text/html",
                html("identity") + b"!",
                f"Content-Length: {len(html('identity'))}",
                "Transfer-Encoding: identity",
            ),
            CLOSED,
        ),
        "/document.txt": (sent("text/plain", b"words of a document"), CLOSED),
    }


@pytest.mark.slow
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_crawl(tmp_path, tls, transport):
    served = {}
    with ending(lambda path: served.get(path, (sent("text/html", path.encode()), CLOSED)), tls) as log:
        served |= pages(log.port)
        url = f"https://a.test:{log.port}"
        keys = {"transport": transport, "verify_tls": "no", "retries": "1", "retry_wait": "0.01", "read_timeout": "5"}
        sets = [f"--set=fetch.{name}={value}" for name, value in keys.items()]
        resolve = f"--resolve=a.test:{log.port}:127.0.0.1"
        done = run(
            "crawl", url + "/", "-d", tmp_path / "c", resolve, "--no-obey-delay", *sets, "--set=traps.same_bytes=0"
        )
        assert done.returncode == 0, done.stderr
    rows = query(tmp_path / "c", "SELECT url, state || ', ' || reason FROM url")
    assert {found.removeprefix(url): became for found, became in rows} == {
        **dict.fromkeys(("/", "/map.xml", "/in-map", "/page", "/listed"), "fetched, http 200"),
        **dict.fromkeys(("/gzip", "/identity", "/document.txt"), "fetched, http 200"),
        **dict.fromkeys(("/short", "/chunks"), "failed, truncated"),
        "/secret": "refused, robots.txt",
    }
    assert {
        path: log.paths.count(path) for path in ("/page", "/gzip", "/identity", "/short", "/chunks", "/secret")
    } == {
        **dict.fromkeys(("/page", "/gzip", "/identity"), 1),
        **dict.fromkeys(("/short", "/chunks"), 2),
        "/secret": 0,
    }
    assert verified(tmp_path / "c") == ""
    foreign_check(tmp_path / "c" / "warc")
    marks = {
        record.headers["WARC-Target-URI"].removeprefix(url): record.headers.get("WARC-Truncated")
        for record, _ in responses(tmp_path / "c")
        if "revisit" not in str(record.record_type)
    }
    assert {path: marks[path] for path in ("/page", "/robots.txt", "/document.txt", "/short", "/gzip")} == {
        **dict.fromkeys(("/page", "/robots.txt", "/document.txt", "/short"), "disconnect"),
        "/gzip": None,
    }
    opened = ttcrawl.open(tmp_path / "c")
    for name in ("page", "short", "chunks", "gzip", "identity"):
        assert opened.body(f"{url}/{name}") == html(name)
        assert opened.response(f"{url}/{name}").truncated == (name in ("page", "short", "chunks"))
    assert opened.text(url + "/document.txt") == "words of a document"
    told = run("why", tmp_path / "c", url + "/page").stdout
    assert "http 200, truncated" in told and "complete unless TLS was cut" in told
