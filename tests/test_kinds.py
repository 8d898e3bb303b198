"""Links of every kind through a whole crawl: what is followed, what is only recorded, and what the tables say of it."""

import json
from urllib.parse import urlsplit

import pytest

from tests.read.documents.documents import body
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web

HEAD = '<link rel=canonical href=/canon><link rel=stylesheet href=/s.css><link rel=next href=/two title="next one">'
BODY = (
    "<header><a href=/two>Two</a></header><nav><a href=/three><img src=/i.png alt='Three!'></a></nav><main>"
    "<a href=mailto:a@b>m</a><a href=MAILTO:c>m</a><a href=tel:1>t</a><a href=\"javascript:location='/four'\">Four</a>"
    "<img src='data:image/png;base64,AA' srcset='/b.png 2x'><form action=/five>"
    "<input type=hidden name=q value='a b'>"
    "<button>Go on</button></form>"
    "<p style='background:url(/bg.png)'><a href='http://['>bad</a><a href=#x>self</a></main>"
    "<footer><a href=/six>six</a></footer><script src=/a.js></script><p>http://a.test/text"
)
PAGES = {
    ("a.test", "/"): Answer(headers=(("Link", "</seven>; rel=next; title=Seven"),), body=f"{HEAD}{BODY}".encode()),
    ("a.test", "/seven"): Answer(
        headers=(("Content-Type", "application/x-thing"), ("Refresh", "0; url=/eight")), body=b"x"
    ),
    **{
        ("a.test", f"/{name}"): Answer(body=b"<a href=/>back</a>")
        for name in ("canon", "two", "three", "four", "six", "eight")
    },
    ("a.test", "/five?q=a+b"): Answer(body=b"<a href=/>back</a>"),
    ("a.test", "/b.png"): Answer(body=b"no image"),
}
FOLLOWED = {"/", "/canon", "/two", "/three", "/four", "/five?q=a+b", "/six", "/seven", "/eight"}
RECORDED = {"/s.css", "/i.png", "/b.png", "/bg.png", "/a.js"}
#: target, kind, region, part, anchor text in order of place
LINKS = [
    ("/seven", "n", "c", "-", "Seven"),
    ("/canon", "c", "c", "-", ""),
    ("/s.css", "s", "r", "-", ""),
    ("/two", "n", "c", "-", "next one"),
    ("/two", "a", "c", "h", "Two"),
    ("/three", "a", "c", "n", "Three!"),
    ("/i.png", "g", "r", "n", "Three!"),
    ("/four", "J", "c", "m", "Four"),
    ("/b.png", "g", "r", "m", ""),
    ("/five?q=a+b", "G", "c", "m", "Go on"),
    ("/bg.png", "u", "r", "m", ""),
    ("/six", "a", "c", "f", "six"),
    ("/a.js", "S", "r", "-", ""),
]


def path_of(url):
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def ran(*arguments):
    return run(*arguments)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    with Web(PAGES) as web:
        seed = web.url("a.test", "/")
        done = crawl(
            web, seed, tmp_path_factory.mktemp("kinds") / "c", "--no-obey-delay", "--inline", "--set", "record.sniff=no"
        )
        asked = {hit.path for hit in web.log()} - {"/robots.txt"}
    return done, asked, seed


@pytest.mark.slow
def test_what_is_followed_and_what_is_recorded(crawled):
    done, asked, _ = crawled
    assert asked == FOLLOWED and verified(done.directory) == ""
    states = {path_of(url): state for url, state in done.states().items()}
    assert states == dict.fromkeys(FOLLOWED, ("fetched", "http 200")) | dict.fromkeys(RECORDED, ("refused", "kind"))


def test_the_view_of_links(crawled):
    done, _, seed = crawled
    rows = done.query(
        "SELECT url.url, kind, region, landmark, anchor FROM link JOIN url ON url.key = target"
        f" WHERE source = (SELECT id FROM url WHERE url = '{seed}') ORDER BY position"
    )
    assert [(path_of(url), *rest) for url, *rest in rows] == LINKS


def test_the_counts(crawled):
    done, _, seed = crawled
    ((found, content, same_page, recorded, not_http, schemes),) = done.query(
        "SELECT links, content_links, same_page_links, recorded_links, not_http, schemes FROM page"
        f" JOIN url ON url.id = page.url WHERE url.url = '{seed}'"
    )
    assert (found, content, same_page, recorded, not_http) == (9, 9, 1, 5, 6)
    assert json.loads(schemes) == {"mailto": 2, "tel": 1, "javascript": 1, "data": 1, "invalid": 1}


@pytest.mark.slow
def test_why(crawled):
    done, _, seed = crawled
    told = ran("why", done.directory, f"{seed}s.css").stdout
    assert (
        "refused, kind" in told and "stylesheet recorded, not followed (its kind)" in told and "[links] kinds" in told
    )
    assert "today" not in ran("why", done.directory, f"{seed}b.png").stdout  # whose extension would be refused too
    assert "next in content" in ran("why", done.directory, f"{seed}two").stdout
    again = ran("why", done.directory, "--as-if", "crawl.max_depth=9").stdout
    assert "9 URLs were fetched; 9 of them would still be fetched." in again
    refused = ran("why", done.directory, "--as-if", "links.kinds=anchor")
    assert refused.returncode == 2 and "its effect is unknown without requests" in refused.stderr


@pytest.mark.slow
def test_what_is_followed_is_a_matter_of_configuration(tmp_path):
    """Images too, but not what only a script goes to; text is looked for; and no part, no anchor text."""
    kinds = ("--set", "links.kinds=anchor image text", "--set", "links.recorded=", "--set", "links.landmarks=no")
    with Web(PAGES) as web:
        seed = web.url("a.test", "/")
        options = (*kinds, "--set", "links.anchors=no", "--set", "scope.extensions=")
        done = crawl(web, seed, tmp_path / "c", "--no-obey-delay", "--inline", *options)
    found = {path_of(url) for url in done.states()}
    assert found == {"/", "/two", "/three", "/six", "/i.png", "/b.png", "/text"}
    assert done.query("SELECT count(*), max(length(landmarks)), max(anchors) FROM outlinks") == [(4, 0, "")]


@pytest.mark.slow
def test_only_links_that_are_followed_count_against_the_limit_of_a_page(tmp_path):
    many = (
        "".join(f"<img src=/{n}.png><a href=mailto:{n}>" for n in range(9))
        + "<a href=/two><a href=/three><a href=/four>"
    )
    with Web({**PAGES, ("a.test", "/"): Answer(body=many.encode())}) as web:
        done = crawl(
            web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", "--set", "traps.urls_per_page=2"
        )
    states = {path_of(url): reason for url, (_, reason) in done.states().items()}
    assert (states["/two"], states["/three"], states["/four"]) == ("http 200", "http 200", "trap: urls")
    assert states["/0.png"] == "kind"


@pytest.mark.slow
def test_style_sheets_that_are_fetched(tmp_path):
    """Their URLs are relative to their own, in the charset that the header or @charset names."""
    sheet = '@charset "iso-8859-1"; @import "more.css"; a { background: url(b\\29.png) }'
    sheet += '/* url(no) */ b { src: url("é.woff") }'
    pages = {
        ("a.test", "/"): Answer(body=b"<link rel=stylesheet href=/css/s.css>"),
        ("a.test", "/css/s.css"): Answer(headers=(("Content-Type", "text/css"),), body=sheet.encode("latin-1")),
        ("a.test", "/css/more.css"): Answer(
            headers=(("Content-Type", "text/css; charset=utf-8"),), body="x{src:url('ü.eot')}".encode()
        ),
        ("a.test", "/css/b).png"): Answer(headers=(("Content-Type", "image/png"),), body=b"x"),
    }
    options = ("--no-obey-delay", "--set", "links.kinds=stylesheet css", "--set", "scope.rules=allow *.png")
    nothing = ("--set", "links.recorded=")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        off = crawl(web, web.url("a.test", "/"), tmp_path / "d", *options[:2], "links.kinds=stylesheet", *nothing)
    states = {path_of(url): reason for url, (_, reason) in done.states().items()}
    assert states == {
        **dict.fromkeys(["/", "/css/s.css", "/css/more.css", "/css/b).png"], "http 200"),
        **dict.fromkeys(["/css/%C3%A9.woff", "/css/%C3%BC.eot"], "scope: extension"),
    }
    assert done.query("SELECT kind, region FROM link") == [("s", "c"), *[("u", "c")] * 4]
    assert done.query("SELECT charset, charset_from FROM page WHERE type = 'text/css' ORDER BY 1 DESC") == [
        ("windows-1252", "meta"),
        ("utf-8", "header"),
    ]
    assert {path_of(url) for url in off.states()} == {"/", "/css/s.css"}
    assert verified(tmp_path / "c") == verified(tmp_path / "d") == ""


@pytest.mark.slow
def test_headers_of_files_that_have_links_of_their_own(tmp_path):
    """A manual as PDF names its page as canonical; texts and sitemaps may do so too."""
    link = ("Link", '</of-header>; rel="canonical"; title=Trees')
    urlset = b"<urlset><url><loc>http://a.test:@PORT@/entry</loc><priority>0.9</priority></url></urlset>"
    files = {
        "/text.pdf": ("application/pdf", body("text.pdf"), "d"),
        "/a.txt": ("text/plain", b"see http://a.test:@PORT@/own", "T"),
        "/map.xml": ("application/xml", urlset, "M"),
    }
    for path, (kind, data, own) in files.items():
        answer = Answer(headers=(("Content-Type", kind), link), body=data)
        directory = tmp_path / path[1:]
        with Web({("a.test", path): answer, ("a.test", "/of-header"): Answer(body=b"x")}) as web:
            kinds = "links.kinds=anchor canonical text document sitemap"
            done = crawl(web, web.url("a.test", path), directory, "--no-obey-delay", "--inline", "--set", kinds)
        assert done.status == 0 and verified(directory) == ""
        (first, *others) = done.query("SELECT kind, region, anchor FROM link ORDER BY position")
        assert first == ("c", "c", "Trees") and {kind for kind, *_ in others} == {own}, path
        states = {path_of(url): state for url, (state, _) in done.states().items()}
        assert states["/of-header"] == "fetched"


@pytest.mark.slow
def test_frames_and_what_stands_in_their_place(tmp_path):
    """All that a reader with an old browser, or with one that shows no frames, could come to."""
    body = (
        "<body background=/bg.gif><frame src=/menu.html title=Menu><noframes><a href=/plain.html>Without</a></noframes>"
        "<iframe srcdoc='&lt;base href=/inner/&gt;&lt;a href=x.html&gt;in&lt;/a&gt;'></iframe>"
        "<nav><img src=/i.gif longdesc=/long.html></nav><select onchange='location=this.value'>"
        "<option>Go to ...<option value=/chosen.html>Chosen</select>"
        "<select><option value=/none.html></select><form action=/none><input name=q value=x><button></form>"
    )
    followed = {"/", "/menu.html", "/plain.html", "/inner/x.html", "/long.html", "/chosen.html"}
    pages = {("a.test", path): Answer(body=b"<p>here") for path in followed} | {
        ("a.test", "/"): Answer(body=body.encode())
    }
    with Web(pages) as web:
        done = crawl(
            web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", "--set", "record.sniff=no"
        )
        asked = {hit.path for hit in web.log()} - {"/robots.txt"}
    assert asked == followed and verified(tmp_path / "c") == ""
    rows = done.query("SELECT url.url, kind, landmark, anchor FROM link JOIN url ON url.key = target ORDER BY position")
    assert [(path_of(url), *rest) for url, *rest in rows] == [
        ("/bg.gif", "g", "-", ""),
        ("/menu.html", "f", "-", "Menu"),
        ("/plain.html", "a", "-", "Without"),
        ("/inner/x.html", "a", "-", "in"),
        ("/i.gif", "g", "n", ""),
        ("/long.html", "D", "n", ""),
        ("/chosen.html", "J", "-", "Chosen"),
    ]
