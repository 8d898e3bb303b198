"""Pages that become too large when decoded, beside healthy ones."""

from dataclasses import replace
from functools import cache
from urllib.parse import urlsplit

import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.web.bombs import NAMES, bomb, packed
from tests.support.web.site import Answer, Web, page
from ttcrawl.ring.messages import Archived
from ttcrawl.store.warc import read

SIZE = 256 << 20  # bytes when it is decoded: many times what a page may have


def coded(coding, body):
    return Answer(headers=(("Content-Encoding", coding),), body=body)


@pytest.fixture(scope="module")
def bombs():
    """Made once, and where they are needed: it takes seconds."""
    return {
        **{f"/bomb-{name}": coded(name, bomb(name, SIZE)) for name in NAMES},
        "/nested": coded("gzip, gzip", packed("gzip", bomb("gzip", SIZE))),
        "/two-headers": replace(
            coded("gzip", packed("br", bomb("gzip", SIZE))),
            headers=(("Content-Encoding", "gzip"), ("Content-Encoding", "br")),
        ),
        "/ratio": coded("br", packed("br", page("/never") + bytes(8 << 20))),
    }


@cache
def healthy():
    return {
        **{f"/{name}": coded(name, packed(name, page(f"/of-{name}"))) for name in NAMES},
        **{f"/of-{name}": Answer(body=page()) for name in NAMES},
        "/long": coded("zstd", packed("zstd", page("/") + b"".join(b"%d\n" % number for number in range(1_000_000)))),
        "/broken": coded("br", page("/never")),
    }


@pytest.mark.parametrize("options", some_fast([(), ("--inline",)], ("--inline",)), ids=["pools", "inline"])
def test_bombs_are_refused_and_the_crawl_goes_on(tmp_path, bombs, options):
    pages = {
        "/": Answer(body=page(*bombs, *healthy(), "/again")),
        **bombs,
        **healthy(),
        "/again": Answer(body=page(*bombs)),
    }
    # of a robots.txt only the beginning is read, and there are no rules in zeros
    hosts = {("b.test", "/robots.txt"): bombs["/bomb-gzip"], ("b.test", "/"): Answer(body=page())}
    with Web({**{("a.test", path): answer for path, answer in pages.items()}, **hosts}) as web:
        fast = ("--no-obey-delay", "--set", "fetch.retries=0", "--set", "politeness.robots_patience=1")
        seeds = [web.url("a.test", "/"), web.url("b.test", "/")]
        done = crawl(web, seeds, tmp_path / "c", *fast, *options)
        asked = [hit.path for hit in web.log() if hit.host == "a.test"]
    assert len(asked) == len(set(asked)), "a bomb is not asked for again"
    states = {urlsplit(url).path: state for url, state in done.states().items() if "a.test" in url}
    assert states == {path: ("refused", "bomb") if path in bombs else ("fetched", "http 200") for path in pages}
    assert done.states()[seeds[1]] == ("fetched", "http 200")
    rows = done.query(
        "SELECT url.url, length, links, parse_error, file, offset, size FROM page JOIN url ON url.id = page.url"
    )
    errors = {}
    for url, length, found, error, file, offset, size in rows:
        path = urlsplit(url).path
        errors[path] = error
        if path in bombs:
            body = read(tmp_path / "c" / "warc", Archived(file=file, offset=offset, length=size))
            assert (body, length, found) == (bombs[path].body, len(body), 0)
    assert {path: error for path, error in errors.items() if error} == {"/broken": "broken br: brotli: decoder failed"}
    verified = run("verify", tmp_path / "c")
    assert verified.returncode == 0, verified.stdout
