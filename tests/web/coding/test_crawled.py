"""Large pages and a large robots.txt in every coding, over the wire and through all processes."""

from __future__ import annotations

from pathlib import Path

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web
from tests.web.coding.coded import CODED, made

#: A rule behind as many bytes as no decoder gives in one piece.
ROBOTS = b"# nothing\n" * 20_000 + b"User-agent: *\nDisallow: /no\n"
PATHS = {"/": ("fetched", "http 200"), "/last": ("fetched", "http 200"), "/no": ("refused", "robots.txt")}
CHOSEN = ("gzip", "members", "zlib", "raw deflate", "br", "br, flushed", "zstd", "gzip, br", "br, gzip")


def coded(name: str, text: bytes, media_type: str = "text/html; charset=utf-8") -> Answer:
    coding, pack = CODED[name]
    return Answer(headers=(("Content-Type", media_type), ("Content-Encoding", coding)), body=pack(text))


def test_nothing_of_a_large_page_is_lost(tmp_path: Path) -> None:
    """One host for each coding."""
    rows = made(400_000).replace(b"<a href", b"<i title").replace(b"</a>", b"</i>")
    page = b"<title>Large</title>" + rows + b"<a href=/no>no</a><a href=/last>last</a>"
    hosts = {f"h{place}.test": name for place, name in enumerate(CHOSEN)}
    pages = {
        **{(host, "/robots.txt"): coded(name, ROBOTS, "text/plain") for host, name in hosts.items()},
        **{(host, "/"): coded(name, page) for host, name in hosts.items()},
        **{(host, "/last"): Answer(body=b"last") for host in hosts},
    }
    with Web(pages) as web:
        done = crawl(web, [web.url(host, "/") for host in hosts], tmp_path / "c", "--no-obey-delay")
        asked = {(hosts[hit.host], hit.path) for hit in web.log()}
        states = {
            (name, path): done.states().get(web.url(host, path)) for host, name in hosts.items() for path in PATHS
        }
    assert asked == {(name, path) for name in CHOSEN for path in ("/robots.txt", "/", "/last")}
    assert states == {(name, path): state for name in CHOSEN for path, state in PATHS.items()}
    errors = "SELECT title, parse_error, count(*) FROM page WHERE title <> '' GROUP BY title, parse_error"
    assert done.query(errors) == [("Large", "", len(CHOSEN))]
