"""What a page shows: at the maximum depth, loaded late by scripts, the usual icon; and crawls of one directory."""

from urllib.parse import urlsplit

import pytest

from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.requisite_web import RequisiteWeb
from tests.support.web.site import Answer, Web, at, moved, page, robots

QUICK = ("--no-obey-delay", "--inline")
PNG = Answer(headers=(("Content-Type", "image/png"),), body=b"\x89PNG\r\n\x1a\n")


def html(body):
    return Answer(body=f"<!DOCTYPE html><title>t</title>{body}".encode())


def paths(done, columns="state, reason"):
    """Host and path -> columns."""
    found = {}
    for url, *rest in done.query(f"SELECT url, {columns} FROM url"):
        parts = urlsplit(url)
        found[f"{parts.hostname}{parts.path}"] = tuple(rest)
    return found


DEEP = {
    ("a.test", "/"): html("<img src=/0.png><a href=/deep>deep</a><a href=/other>other</a>"),
    ("a.test", "/deep"): html(
        "<img src=/1.png><img data-src=/lazy.png><object data=/object></object><a href=/no>no</a>"
    ),
    ("a.test", "/other"): html("<img src=/0.png><img src=/moved.png><iframe src=/frame></iframe>"),
    ("a.test", "/object"): html("<img src=/2.png><a href=/no>no</a>"),
    ("a.test", "/moved.png"): moved("/3.png"),
    **{("a.test", f"/{name}.png"): PNG for name in (0, 1, 2, 3, "lazy")},
}
FETCHED = {
    "/": (0, 0),
    **{"/deep": (1, 0), "/other": (1, 0), "/0.png": (1, 0), "/1.png": (1, 1), "/lazy.png": (1, 1), "/object": (1, 1)},
    **{"/moved.png": (1, 1), "/2.png": (1, 2), "/3.png": (1, 2)},
}


def test_what_a_page_at_the_maximum_depth_shows_belongs_to_it(tmp_path):
    with Web(DEEP) as web:
        options = (*QUICK, "--files", "--max-depth", 1, "--set", "links.kinds=+lazy")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
    found = paths(done, "state, depth, redirects")
    fetched = {name.removeprefix("a.test"): tuple(rest) for name, (state, *rest) in found.items() if state != "refused"}
    assert fetched == FETCHED
    assert {name for name, (state, *_) in found.items() if state == "refused"} == {"a.test/no", "a.test/frame"}
    assert verified(done.directory) == ""
    told = run("why", done.directory, "--as-if", "crawl.max_depth=1").stdout
    assert f"{len(FETCHED)} URLs were fetched; {len(FETCHED)} of them would still be fetched." in told, told


@pytest.mark.slow
@pytest.mark.parametrize("seed", [6, 7, 9])
def test_the_order_of_answers_changes_nothing(tmp_path, seed):
    found, port, random_web = [], 0, RequisiteWeb(seed, size=60, hosts=("own.test",), most=9)
    for order in range(3):
        with Web(random_web.answers(order), port=port) as web:
            port = web.port
            options = ("--no-obey-delay", "--files", "--max-depth", 2, "--fetchers", 2, "--parsers", 2)
            done = crawl(web, web.url("own.test", "/"), tmp_path / f"c{order}", *options)
            assert done.status == 0 and verified(done.directory) == "", done.err
            found.append(paths(done, "state, reason, depth"))
    assert found[0] == found[1] == found[2]


def test_of_a_list_of_pages(tmp_path):
    """The maximum depth 0; and an image that answers with a page of another image ends like redirects."""
    chain = {("a.test", f"/{number}.png"): html(f"<img src=/{number + 1}.png>") for number in range(20)}
    with Web({("a.test", "/"): html("<img src=/0.png><a href=/no>no</a>"), **chain}) as web:
        options = (*QUICK, "--files", "--max-depth", 0, "--set", "traps.same_content=0")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
    found = paths(done, "state, reason, depth")
    assert found["a.test/no"] == ("refused", "depth", 1)
    assert found["a.test/9.png"][0] == "fetched" and found["a.test/10.png"] == ("refused", "redirects", 0)
    assert verified(done.directory) == ""


ICONS = {
    ("a.test", "/"): html(f"<link rel=icon href=data:,><a href=/no-icon>b</a><img src={at('cdn.test', '/i.png')}>"),
    ("a.test", "/no-icon"): html(f"<base href={at('c.test', '/')}><a href={at('a.test', '/another')}>c</a>"),
    ("a.test", "/another"): html("nothing"),
    ("a.test", "/favicon.ico"): PNG,
    ("b.test", "/"): Answer(body=page(), headers=(("Link", "</own.ico>; rel=icon"),)),
    ("b.test", "/own.ico"): PNG,
    ("cdn.test", "/i.png"): PNG,
}


@pytest.mark.parametrize("wanted", [True, False])
def test_the_usual_icon_is_requested_once_where_a_page_names_none(tmp_path, wanted):
    with Web(ICONS) as web:
        seeds = [web.url("a.test", "/"), web.url("b.test", "/")]
        done = crawl(web, seeds, tmp_path / "c", *QUICK, *(("--page-requisites",) if wanted else ()))
        icons = sorted(f"{hit.host}{hit.path}" for hit in web.log() if hit.path.endswith(".ico"))
    assert icons == (["a.test/favicon.ico", "b.test/own.ico"] if wanted else [])
    assert ("a.test/favicon.ico" in paths(done)) is wanted
    assert verified(done.directory) == ""


DIRECTORY = {
    ("a.test", "/robots.txt"): robots("Sitemap: /map.xml", "Sitemap: /page.xml"),
    ("a.test", "/map.xml"): Answer(
        body=f"<urlset><url><loc>{at('a.test', '/docs/listed')}</loc></url></urlset>".encode(),
        headers=(("Content-Type", "text/xml"),),
    ),
    ("a.test", "/page.xml"): html("<a href=/docs/by-page>no sitemap</a>"),
    ("a.test", "/docs/"): html(
        f"<a href=sub/page>in</a><a href=/>up</a><a href=/docs>a file</a><a href=/docs2/>beside</a>"
        f"<a href={at('b.test', '/docs/')}>host</a><img src=/images/i.png><img src={at('b.test', '/i.png')}>"
        f"<a href=/docs/x.png>picture</a><a href=/%64ocs/%2e%2e/out>out</a>"
    ),
    ("a.test", "/docs/sub/page"): html("<a href=../index?a=/docs/>index</a><a href=/other/?x=/docs/>no</a>"),
    ("a.test", "/docs/index?a=/docs/"): html("index"),
    ("a.test", "/docs/listed"): html("listed"),
    ("a.test", "/images/i.png"): PNG,
    ("b.test", "/i.png"): PNG,
}


@pytest.mark.parametrize("requisites", [True, False])
def test_scope_directory(tmp_path, requisites):
    with Web(DIRECTORY) as web:
        options = (*QUICK, "--scope", "directory", *(("--page-requisites",) if requisites else ()))
        done = crawl(web, web.url("a.test", "/docs/"), tmp_path / "c", *options)
    found = paths(done)
    fetched = {name for name, (state, _) in found.items() if state == "fetched"}
    shown = {"a.test/images/i.png", "b.test/i.png", "a.test/favicon.ico"}
    pages = {f"a.test/docs/{name}" for name in ("", "sub/page", "index", "listed")}
    assert fetched == pages | {"a.test/map.xml"} | (shown if requisites else set())
    refused = {name: reason for name, (state, reason) in found.items() if state == "refused"}
    beside = ("", "docs", "docs2/", "other/", "out")
    assert refused == {
        **{f"a.test/{name}": "scope: directory" for name in beside},
        "b.test/docs/": "scope: host",
        "a.test/page.xml": "type",
        "a.test/docs/x.png": "scope: extension",
        **({} if requisites else {"a.test/images/i.png": "kind", "b.test/i.png": "kind"}),
    }
    assert verified(done.directory) == ""
    told = run("why", done.directory, web.url("a.test", "/docs2/")).stdout
    assert "refused, scope: directory" in told and "today" not in told, told
