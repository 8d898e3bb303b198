"""Page requisites through complete crawls: what is fetched, what is followed, and that the order does not matter."""

import random
from urllib.parse import urlsplit

import pytest

from tests.support.crawls.agreement import SAME
from tests.support.crawls.crawling import Crawled, crawl, options_for, verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.preforked import run
from tests.support.faults.killing import killed_crawl
from tests.support.long_tables import few
from tests.support.web.requisite_web import RequisiteWeb
from tests.support.web.site import ANY, PATH, Answer, Web, at, moved, page, robots


def typed(kind, body=b"x"):
    return Answer(headers=(("Content-Type", kind),), body=body)


def css(*lines):
    return typed("text/css", "\n".join(lines).encode())


PNG = typed("image/png", b"\x89PNG\r\n\x1a\n")
HTML = f"""<link rel=stylesheet href=/main.css><link rel=icon href=/favicon.ico><link rel=next href=/deep>
<style>@import "/inline.css"; p {{ background: url(/bg.png) }}</style>
<body background=/body.gif style="background: url({at("cdn.test", "/attribute.png")})">
<img src={at("cdn.test", "/moved.png")} srcset="/small.png 1x, {at("cdn.test", "/large.png")} 2x">
<picture><source srcset=/picture.webp></picture>
<iframe src={at("cdn.test", "/frame")}></iframe>
<video src=/film.mp4 poster=/poster.jpg><track src=/track.vtt></video><audio src={at("cdn.test", "/sound.mp3")}></audio>
<object data=/object.svg></object><embed src=/embed.swf>
<script src={at("cdn.test", "/script.js")}></script>
<img src=/forbidden/a.png><img src=/excluded/a.png><img src={at("closed.test", "/a.png")}>
<svg><use xlink:href="{at("cdn.test", "/use.svg#a")}"/><use href="#a"/>
<feImage href={at("cdn.test", "/fe.png")} /></svg>
<p style='background: image-set("{at("cdn.test", "/set.png")}" 1x)'><img data-src={at("cdn.test", "/lazy.png")}>
<a href={at("cdn.test", "/page")}>another host</a><a href=/file.zip>archive</a>"""
SITE = {
    ("own.test", "/robots.txt"): robots("User-agent: *", "Disallow: /forbidden/"),
    ("closed.test", "/robots.txt"): robots("User-agent: *", "Disallow: /"),
    ("own.test", "/"): Answer(body=f"<a href=/deep>deep</a>{HTML}".encode()),
    ("own.test", "/deep"): Answer(body=b"<img src=/deep.png><iframe src=/inner></iframe><a href=/deeper>deeper</a>"),
    ("own.test", "/inner"): Answer(body=b"<img src=/inner.png><a href=/from-inner>out</a>"),
    ("own.test", "/main.css"): css(
        '@import url("more/second.css");', f"b {{ background: url({at('cdn.test', '/b.png')}) }}"
    ),
    ("own.test", "/more/second.css"): css(f'@import "{at("cdn.test", "/third.css")}";'),
    ("cdn.test", "/third.css"): css("@font-face { src: url(font.woff2) }"),
    ("cdn.test", "/font.woff2"): typed("font/woff2"),
    ("cdn.test", "/moved.png"): moved("/final.png"),
    ("cdn.test", "/final.png"): PNG,
    ("cdn.test", "/frame"): Answer(body=b"<a href=/page>more</a><img src=/in-frame.png><iframe src=/frame></iframe>"),
    ("own.test", "/inline.css"): css(),
    **{
        ("own.test", f"/{name}"): PNG
        for name in ("bg.png", "body.gif", "small.png", "deep.png", "inner.png", "favicon.ico")
    },
    **{
        ("own.test", f"/{name}"): typed("application/octet-stream")
        for name in ("picture.webp", "film.mp4", "poster.jpg", "track.vtt", "object.svg", "embed.swf", "file.zip")
    },
    **{("own.test", f"/{name}"): PNG for name in ("forbidden/a.png", "excluded/a.png")},
    ("closed.test", "/a.png"): PNG,
    **{
        ("cdn.test", f"/{name}"): PNG
        for name in (
            "attribute.png",
            "large.png",
            "b.png",
            "in-frame.png",
            "use.svg",
            "fe.png",
            "set.png",
            "favicon.ico",
        )
    },
    **{("cdn.test", f"/{name}"): typed("application/octet-stream") for name in ("sound.mp3", "script.js")},
    **{
        (host, path): Answer(body=page())
        for host, path in (("cdn.test", "/page"), ("own.test", "/deeper"), ("own.test", "/from-inner"))
    },
}


def paths(done, sql):
    """Host and path -> the other columns of rows that begin with a URL."""
    return {(urlsplit(url).hostname, urlsplit(url).path): tuple(rest) for url, *rest in done.query(sql)}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    with Web(SITE) as web:
        directory = tmp_path_factory.mktemp("requisites") / "c"
        options = ("--no-obey-delay", "--inline", "--max-depth", 1, "--exclude", "path:/excluded/")
        done = crawl(web, web.url("own.test", "/"), directory, "--page-requisites", *options)
        requested = {(hit.host.partition(":")[0], hit.path) for hit in web.log() if hit.path != "/robots.txt"}
        yield web, done, requested


REFUSED = {
    ("own.test", "/deeper"): ("depth", 2, 0),
    ("own.test", "/from-inner"): ("page requisite", None, 0),
    ("own.test", "/file.zip"): ("scope: extension", 1, 0),
    ("own.test", "/forbidden/a.png"): ("robots.txt", None, 1),
    ("own.test", "/excluded/a.png"): ("scope: rule", None, 1),
    ("closed.test", "/a.png"): ("robots.txt", None, 1),
    ("cdn.test", "/page"): ("scope: host", 1, 0),
    ("cdn.test", "/lazy.png"): ("kind", None, 0),
}
STEPS = {
    ("cdn.test", "/final.png"): 2,
    ("cdn.test", "/b.png"): 2,
    ("own.test", "/more/second.css"): 2,
    ("cdn.test", "/third.css"): 3,
    ("cdn.test", "/font.woff2"): 4,
    ("cdn.test", "/in-frame.png"): 2,
    ("cdn.test", "/favicon.ico"): 2,
    ("own.test", "/inner.png"): 2,
}


@pytest.mark.slow
def test_everything_that_a_page_shows_is_fetched(crawled):
    _, done, requested = crawled
    assert requested == {each for each in SITE if each[1] != "/robots.txt"} - REFUSED.keys()
    assert paths(done, "SELECT url, reason, depth, requisite FROM url WHERE state = 'refused'") == REFUSED
    found = paths(done, "SELECT url, depth, requisite FROM url WHERE state IN ('fetched', 'moved')")
    pages = {("own.test", "/"): (0, 0), ("own.test", "/deep"): (1, 0)}
    assert found == {each: pages.get(each, (None, STEPS.get(each, 1))) for each in requested}
    assert verified(done.directory) == ""


@pytest.mark.parametrize(
    ("host", "path", "lines"),
    [
        ("cdn.test", "/font.woff2", ("fetched, http 200", "a requisite of http://cdn.test", "4 links and redirects")),
        ("own.test", "/bg.png", ("a requisite of http://own.test", "css, a page requisite", "links are not followed")),
        ("own.test", "/inner", ("a requisite of http://own.test", "iframe in content, a page requisite")),
        ("own.test", "/excluded/a.png", ("refused, scope: rule", "exclude path:/excluded/")),
        ("own.test", "/from-inner", ("refused, page requisite", "[links] page_requisites = yes")),
    ],
)
def test_why(crawled, host, path, lines):
    web, done, _ = crawled
    told = run("why", done.directory, web.url(host, path)).stdout
    assert all(line in told for line in lines) and "today" not in told, told


@pytest.mark.slow
def test_as_if(crawled):
    _, done, requested = crawled
    told = run("why", done.directory, "--as-if", "scope.max_redirects=9").stdout
    assert f"{len(requested)} URLs were fetched; {len(requested)} of them would still be fetched." in told, told
    told = run("why", done.directory, "--as-if", "links.page_requisites=no").stdout
    assert f"{len(requested)} URLs were fetched; 2 of them would still be fetched." in told, told
    told = run("why", done.directory, "--as-if", "exclude=host:cdn.test").stdout
    assert f"{sum(host == 'own.test' for host, _ in requested)} of them would still be fetched." in told, told


@pytest.mark.slow
def test_only_a_resumed_crawl_wants_them(tmp_path):
    """Its tables are those of a crawl that wanted them from the start; turned off again, what is queued is refused."""
    with Web(SITE) as web:
        seed, options = web.url("own.test", "/"), ("--no-obey-delay", "--inline", "--max-depth", 1)
        at_once = crawl(web, seed, tmp_path / "at-once", *options, "--page-requisites")
        later = crawl(web, seed, tmp_path / "later", *options)
        assert paths(later, "SELECT url FROM url WHERE requisite > 0") == {}
        assert run("resume", later.directory, "--page-requisites", "--max-pages", 12).returncode == 3
        assert run("resume", later.directory, "--no-page-requisites", "--max-pages", 100).returncode == 0
        reasons = {reason for (reason,) in later.query("SELECT DISTINCT reason FROM url WHERE state = 'refused'")}
        assert "page requisite: off" in reasons and verified(later.directory) == ""
        assert run("resume", later.directory, "--page-requisites").returncode == 0
        assert verified(later.directory) == ""
        columns = "SELECT url, state, reason, depth, redirects, requisite FROM url"
        assert paths(later, columns) == paths(at_once, columns)


@pytest.mark.slow
def test_requisites_that_failed_are_queued_again(tmp_path):
    site = {
        ("own.test", "/"): Answer(body=f"<img src={at('cdn.test', '/a.png')}>".encode()),
        ("cdn.test", "/a.png"): [Answer(status=404), PNG],
    }
    with Web(site) as web:
        done = crawl(web, web.url("own.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", "--page-requisites")
        told = run("requeue", done.directory, "--reason", "http 404")
        assert told.returncode == 0 and run("resume", done.directory).returncode == 0, told.stderr
        found = paths(done, "SELECT url, reason, depth, requisite FROM url")
        assert found["cdn.test", "/a.png"] == ("http 200", None, 1) and verified(done.directory) == ""


@pytest.mark.slow
def test_style_sheets_without_end(tmp_path):
    """A host that generates them is left after some steps; so is a redirect in a circle."""
    site = {
        ("own.test", "/"): Answer(body=f"<style>@import '{at('cdn.test', '/f')}'</style><a href=/a>a</a>".encode()),
        ("own.test", "/a"): Answer(body=b"<img src=/circle>"),
        ("own.test", "/circle"): moved("/circle"),
        ("cdn.test", ANY): css(f'@import "{at("cdn.test", PATH)}x";'),
    }
    with Web(site) as web:
        seed, options = web.url("own.test", "/"), ("--no-obey-delay", "--inline", "--page-requisites")
        done = crawl(web, seed, tmp_path / "c", *options, "--set", "traps.same_content=0")
        assert done.status == 0, done.err
        assert done.query("SELECT max(requisite), count(*) FROM url WHERE state = 'fetched'") == [(10, 13)]
        assert done.query("SELECT reason FROM url WHERE requisite = 11") == [("page requisite: steps",)]
        assert verified(done.directory) == ""


OPTIONS = ("--no-obey-delay", "--page-requisites", "--max-depth", 3, "--fetchers", 2, "--parsers", 2)
FETCHED = "SELECT url, depth, requisite FROM url WHERE state IN ('fetched', 'moved')"


def fetched(done):
    """Host and path -> depth and steps of every URL that was requested."""
    found = {}
    for url, depth, steps in done.query(FETCHED):
        parts = urlsplit(url)
        found[parts.hostname, parts.path] = (depth, steps)
    return found


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), *few(0, range(3, 23))])
def test_the_order_of_answers_changes_nothing(tmp_path, seed):
    """URLs that are links and requisites at once, first one and then the other, in three orders; as the oracle says."""
    tables = []
    random_web, port = RequisiteWeb(seed), 0
    for order in range(3):
        with Web(random_web.answers(order), port=port) as web:
            port = web.port
            done = crawl(web, web.url("own.test", "/"), tmp_path / f"c{order}", *OPTIONS)
            assert done.status == 0, done.err
            assert fetched(done) == random_web.expected(max_depth=3)
            assert verified(done.directory) == ""
            tables.append(everything(done.directory))
    for table in tables[0]:
        assert tables[0][table] == tables[1][table] == tables[2][table], table


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "kills"), [(1, 3), pytest.param(2, 12, marks=pytest.mark.slow)])
def test_killed(tmp_path, seed, kills):
    random_web, rng = RequisiteWeb(seed, size=80, slow=0.2), random.Random(seed)
    with Web(random_web.answers(0)) as web:
        url, options = web.url("own.test", "/"), OPTIONS
        whole = crawl(web, url, tmp_path / "whole", *options)
        options = (*options, *options_for(web))
        killed = killed_crawl(web, [url], tmp_path, kills, rng, *options, requests=len(fetched(whole)))
        done = Crawled(status=0, out="", err="", directory=tmp_path / "c")
        assert killed.total() and verified(done.directory) == ""
        assert fetched(done) == random_web.expected(max_depth=3)
        for name, query in SAME.items():
            assert done.query(query) == whole.query(query), name
