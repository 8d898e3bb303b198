"""Links that are not to be followed: by what their page says, by what they say, and by another way after all."""

from urllib.parse import urlsplit

import pytest

import ttcrawl
from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web, page

ROBOTS_META = '<meta name="robots" content="noindex, nofollow">'
STOPPED, FETCHED = ("refused", "nofollow"), ("fetched", "http 200")
PAGES = {
    ("a.test", "/"): Answer(body=page("/meta", "/us", "/header", "/not-us", "/rel", "/text")),
    ("a.test", "/meta"): Answer(body=page("/by-meta", "/late", "http://b.test/", content=ROBOTS_META)),
    ("a.test", "/us"): Answer(body=page("/by-us", content='<meta name="ttcrawl" content="NONE">')),
    ("a.test", "/header"): Answer(headers=(("X-Robots-Tag", "noarchive, nofollow"),), body=page("/by-header")),
    ("a.test", "/not-us"): Answer(
        headers=(("X-Robots-Tag", "otherbot: none"), ("X-Robots-Tag", "noindex")), body=page("/by-nothing")
    ),
    ("a.test", "/rel"): Answer(
        body=page("/plain", content='<a rel="nofollow ugc" href="/by-rel">x</a><area rel=nofollow href="/by-area">')
    ),
    ("a.test", "/text"): Answer(headers=(("Content-Type", "text/plain"), ("X-Robots-Tag", "none")), body=b"text"),
    ("a.test", "/plain"): Answer(body=page("/deep")),
    ("a.test", "/deep"): Answer(body=page("/late")),
    **{("a.test", f"/{name}"): Answer(body=page()) for name in ("late", "by-nothing")},
    **{("a.test", f"/by-{name}"): Answer(body=page("/")) for name in ("meta", "us", "header", "rel", "area")},
}
BY_PAGE, BY_REL = {"/by-meta", "/by-us", "/by-header"}, {"/by-rel", "/by-area"}
MODES = [("page", BY_PAGE, 4), ("all", BY_PAGE | BY_REL, 4), ("no", set(), 2)]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "stopped", "depth"), MODES, ids=["page", "all", "no"])
@pytest.mark.parametrize("options", [(), ("--inline",)], ids=["pools", "inline"])
def test_what_is_followed(tmp_path, options, mode, stopped, depth):
    """`/late` is met by nofollow first, two links from the seed, and then by another way of four."""
    with Web(PAGES) as web:
        mode = ("--set", f"links.nofollow={mode}")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *mode, *options)
        asked = {hit.path for hit in web.log()} - {"/robots.txt"}
    assert done.status == 0, done.err
    states = {urlsplit(url).path: state for url, state in done.states().items() if "a.test" in url}
    assert {path: state for path, state in states.items() if state != FETCHED} == dict.fromkeys(stopped, STOPPED)
    assert asked == {path for path, state in states.items() if state == FETCHED}
    assert done.query("SELECT depth FROM url WHERE url LIKE '%/late'") == [(depth,)]
    assert done.query("SELECT state, reason FROM url WHERE url LIKE '%b.test/'") == [("refused", "scope: host")]
    said = done.query("SELECT url.url, robots FROM page JOIN url ON url.id = page.url WHERE robots != ''")
    assert {urlsplit(url).path: robots for url, robots in said} == {
        "/meta": "nofollow, noindex",
        "/us": "none",
        "/header": "noarchive, nofollow",
        "/not-us": "noindex",
        "/text": "none",
    }
    assert verified(tmp_path / "c") == ""


KEPT = [("page", b"CcEer", {"/in", "/in-no", "/out"}), ("no", b"CcEer", {"/in", "/in-no", "/out"})]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "regions", "followed"), [*KEPT, ("all", b"ncoer", {"/in", "/out"})])
def test_what_links_say_is_kept_where_it_is_not_obeyed(tmp_path, mode, regions, followed):
    region = '<!--C--><a href="/in-no" rel="ugc NoFollow">in</a><a href="/in">in</a><!--/C-->'
    outside = '<a href="/out-no" rel="nofollow">out</a><a href="/out">out</a><img src="/x.png" rel="nofollow">'
    pages = {
        ("a.test", "/"): Answer(body=page(content=region + outside)),
        **{("a.test", path): Answer(body=page()) for path in ("/in", "/in-no", "/out", "/out-no")},
    }
    options = [f"links.{each}" for each in ("content_start=<!--C-->", "content_end=<!--/C-->", f"nofollow={mode}")]
    options = [part for each in options for part in ("--set", each)]
    follow_all = ("--set", "links.follow=all")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", *options, *follow_all)
        again = crawl(web, web.url("a.test", "/"), tmp_path / "d", "--no-obey-delay", "--inline", *options)
    assert done.query("SELECT regions FROM outlinks") == again.query("SELECT regions FROM outlinks") == [(regions,)]
    fetched = {urlsplit(url).path for url, state in done.states().items() if state == FETCHED}
    assert fetched == {"/", *followed} | ({"/out-no"} if mode != "all" else set())
    fetched = {urlsplit(url).path for url, state in again.states().items() if state == FETCHED}
    assert fetched == {"/", *followed} - {"/out"}
    assert done.query("SELECT links, content_links, recorded_links FROM page WHERE links") == [(4, 2, 1)]
    with ttcrawl.open(tmp_path / "c") as opened:
        said = [link.region for link in opened.iter_links()]
    nofollow = "rel=nofollow" if mode != "all" else "nofollow"
    assert said == [f"content, {nofollow}", "content", f"elsewhere, {nofollow}", "elsewhere", "recorded only"]
    assert verified(tmp_path / "c") == verified(tmp_path / "d") == ""


@pytest.mark.parametrize("follow", ["content", "all"])
def test_regions(tmp_path, follow):
    """Links that are not followed count where they stand."""
    region = '<!--C--><a href="/in">in</a> <a href="/in-no" rel="nofollow">in</a><!--/C-->'
    pages = {
        ("a.test", "/"): Answer(body=page("/out", content=f'{region}<a href="/out-no" rel="nofollow">out</a>')),
        **{("a.test", path): Answer(body=page()) for path in ("/in", "/out")},
    }
    regions = ("--set", "links.content_start=<!--C-->", "--set", "links.content_end=<!--/C-->")
    options = (*regions, "--set", "links.nofollow=all", "--set", f"links.follow={follow}")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", *options)
    outside = ("refused", "outside content")
    assert {urlsplit(url).path: state for url, state in done.states().items()} == {
        "/": FETCHED,
        "/in": FETCHED,
        "/in-no": STOPPED,
        "/out": FETCHED if follow == "all" else outside,
        "/out-no": STOPPED if follow == "all" else outside,
    }
    assert done.query("SELECT regions FROM outlinks") == [(b"cnoe",)]
    assert done.query("SELECT links, content_links FROM page WHERE links") == [(4, 2)]
    assert verified(tmp_path / "c") == ""
