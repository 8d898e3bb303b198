"""Pages as archived: what their frames load, and what the panes show."""

import re
from urllib.parse import urlencode

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl
from tests.support.web.site import PORT, Answer, Web, moved
from tests.support.window import window

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
FONT = b"wOF2" + bytes(60)
FILM = b"\0\0\0\x18ftypmp42" + bytes(range(200))
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def typed(type, body):
    return Answer(headers=(("Content-Type", type),), body=body)


HOME = f"""<!doctype html><title>Home</title><link rel=stylesheet href=/s.css><h1 style="background:url('b.png')">
Gr\u00fc\u00dfe</h1><img src=a.png><img src=v.svg><video src=f.mp4></video><iframe src=/frame></iframe><a href=/old>o
<a href=http://b.test:{PORT}/else>b</a><a href=/no>no</a><a href=/long>l</a><a href=/data.json>j</a><a href=/zip>z</a>
<a href='/a%2Fb%2520?a=%2F&amp;b=1'>odd</a><a href=/line%0Abreak>line</a>
<p>Many words of the main text stand here, for a reader of the page.</p>"""

PAGES = {
    ("a.test", "/"): typed("text/html; charset=iso-8859-1", HOME.encode("latin-1")),
    ("a.test", "/s.css"): typed(
        "text/css", b"@charset 'latin1'; @import 't.css'; @font-face { font-family: f; src: url(f.woff2) }"
    ),
    ("a.test", "/t.css"): typed("text/css", b"h1 { background: url('/a.png?\xfc') }"),
    ("a.test", "/f.woff2"): typed("font/woff2", FONT),
    **{("a.test", f"/{name}"): typed("image/png", PNG) for name in ("a.png", "b.png")},
    ("a.test", "/v.svg"): typed("image/svg+xml", SVG),
    ("a.test", "/f.mp4"): typed("video/mp4", FILM),
    ("a.test", "/frame"): Answer(body=b"<p>in the frame"),
    ("a.test", "/old"): moved("/new#part"),
    ("a.test", "/new"): Answer(body=b"<p>new"),
    ("a.test", "/no"): Answer(status=404, body=b"<p>no such page"),
    ("a.test", "/long"): Answer(body=b"<p>" + b"x y " * 200_000),
    ("a.test", "/data.json"): typed("application/json", b'{"a": "<b>"}'),
    ("a.test", "/zip"): typed("application/zip", b"PK\3\4" + bytes(30)),
    ("a.test", "/a%2Fb%2520?a=%2F&b=1"): Answer(body=b"<p>odd"),
    ("a.test", "/line%0Abreak"): Answer(body=b"<p>broken"),
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The window over a crawl, the URL of its page, and the beginning of addresses of archived pages."""
    directory = tmp_path_factory.mktemp("archived") / "crawl"
    with Web(PAGES) as web:
        home = web.url("a.test", "/")
        options = ("--no-obey-delay", "--inline", "--page-requisites", "--set", "scope.max_url=500")
        done = crawl(web, home, directory, *options)
    assert done.status == 0, done.err
    with window(directory) as opened:
        yield opened, home, f"/crawl/archived/{opened.safety.archived}/"


def get(shown, path, when="1e12", dest="iframe", **headers):
    """Without the cookie, as a frame without rights asks."""
    opened, home, prefix = shown
    return opened.get(f"{prefix}{when}/{home}{path}", cookie=None, sec_fetch_dest=dest, **headers)


def test_a_page_loads_from_the_archive_alone(shown):
    opened, home, prefix = shown
    answer = get(shown, "")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "Gr\u00fc\u00dfe" in answer.text
    for name in ("s.css", "a.png", "v.svg", "f.mp4", "frame", "old", "no", "a%2Fb%2520?a=%2F&amp;b=1"):
        assert f'"{prefix}1e12/{home}{name}"' in answer.text
    assert f"url(&quot;{prefix}1e12/{home}b.png&quot;)" in answer.text
    assert not re.search(r"""(?:href|src)=["'](?!/crawl/archived/)""", answer.text)
    path = f"{opened.origin}{prefix}"
    policy = answer.headers["content-security-policy"]
    assert policy == (
        f"default-src 'none'; img-src {path} data:; media-src {path} data:; font-src {path} data:; style-src {path}"
        f" data: 'unsafe-inline'; frame-src {path}; object-src {path}; form-action 'none'; base-uri 'none'; sandbox"
    )
    assert answer.headers["access-control-allow-origin"] is None
    assert answer.headers["cache-control"] == "no-store" and answer.headers["x-content-type-options"] == "nosniff"


CONTENTS = [
    ("s.css", "text/css; charset=utf-8", 'f.woff2")'),
    ("t.css", "text/css; charset=utf-8", "a.png?%C3%BC"),
    ("a.png", "image/png", PNG),
    ("f.mp4", "video/mp4", FILM),
    ("f.woff2", "font/woff2", FONT),
    ("frame", "text/html; charset=utf-8", "in the frame"),
    ("no", "text/html; charset=utf-8", "no such page"),
    ("a%2Fb%2520?a=%2F&b=1", "text/html; charset=utf-8", "odd"),
    ("line%0Abreak", "text/html; charset=utf-8", "broken"),
    ("v.svg", "text/html; charset=utf-8", "<img"),
    ("data.json", "text/html; charset=utf-8", "{&quot;a&quot;: &quot;&lt;b&gt;&quot;}"),
    ("zip", "text/html; charset=utf-8", "application/zip, 34 B: this is not shown here"),
]


@pytest.mark.parametrize(("path", "type", "contents"), CONTENTS)
def test_each_kind_of_content(shown, path, type, contents):
    answer = get(shown, path)
    assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (200, type.partition(";")[0])
    assert contents == answer.body if isinstance(contents, bytes) else contents in answer.text, answer.text
    assert (answer.headers["access-control-allow-origin"] == "*") == (path == "f.woff2")
    assert answer.headers["content-security-policy"].endswith("; sandbox")


def test_an_svg_is_an_image_and_never_a_document(shown):
    assert get(shown, "v.svg", dest="image").body == SVG
    assert SVG not in get(shown, "v.svg", dest="document").body


def test_a_redirect_leads_to_its_target_in_the_archive(shown):
    answer = get(shown, "old")
    assert (answer.status, answer.headers["location"]) == (302, f"{shown[2]}1e12/{shown[1]}new#part")


def test_what_the_archive_does_not_have_is_said(shown):
    opened, home, prefix = shown
    for url, reason in (
        (f"{home}nowhere", "was never discovered"),
        (home.replace("a.test", "b.test") + "else", "has no answer: it is refused"),
        ("javascript:alert(1)", "not an http"),
    ):
        answer = opened.get(f"{prefix}1/{url}", cookie=None)
        assert answer.status == 404 and reason in answer.text
        assert answer.headers["content-security-policy"].endswith("; sandbox")
    assert opened.get(f"{prefix}then/{home}").status == 400
    missing = get(shown, "nowhere.png", dest="image")
    assert (missing.status, missing.body) == (204, b"")


def test_the_second_token_opens_archived_pages_alone(shown):
    opened, home, prefix = shown
    assert opened.get(f"/crawl/archived/wrong/1/{home}", cookie=None).status == 403
    assert opened.get(f"{prefix}1/{home}", cookie=None, host="evil.test").status == 421
    assert opened.get("/crawl/", cookie=None).status == 403
    assert opened.get(f"/crawl/archived/{opened.safety.archived}/../../", cookie=None).status in (400, 404)


RANGES = [
    ("bytes=0-9", 206, FILM[:10], f"bytes 0-9/{len(FILM)}"),
    ("bytes=200-", 206, FILM[200:], f"bytes 200-{len(FILM) - 1}/{len(FILM)}"),
    ("bytes=0-99999", 206, FILM, f"bytes 0-{len(FILM) - 1}/{len(FILM)}"),
    ("bytes=99999-", 416, b"", f"bytes */{len(FILM)}"),
    ("bytes=0-1,5-6", 200, FILM, None),
    ("lines=0-9", 200, FILM, None),
]


@pytest.mark.parametrize(("ranges", "status", "body", "content_range"), RANGES)
def test_parts_of_films(shown, ranges, status, body, content_range):
    answer = get(shown, "f.mp4", range=ranges)
    assert (answer.status, answer.body, answer.headers["content-range"]) == (status, body, content_range)


def pane(shown, path, name, **query):
    opened, home, _ = shown
    return opened.get(f"/crawl/url?{urlencode({'u': home + path, 'pane': name, **query})}").text


PANES = [
    ("", "text", "Many words of the main text"),
    ("", "text", "--main</code>"),
    ("", "source", "&lt;!doctype html&gt;&lt;title&gt;Home&lt;/title&gt;"),
    ("", "source", "Gr\u00fc\u00dfe"),
    ("", "nonsense", "<iframe"),
    ("long", "source", "This is the beginning"),
    ("old", "text", "has no text: it is moved"),
    ("", "screenshot", "has no image/png"),
    ("", "archived", "wb-manager add --unpack-wacz crawl crawl.wacz"),
    ("", "archived", "--body</code>"),
]


@pytest.mark.parametrize(("path", "name", "contents"), PANES)
def test_panes(shown, path, name, contents):
    assert contents in pane(shown, path, name)


def test_the_frame_has_no_right(shown):
    frame = re.search("<iframe[^>]*>", pane(shown, "", "archived"))[0]
    assert re.search(rf'sandbox src="{shown[2]}[0-9.]+/{shown[1]}"', frame)
    assert "After scripts" not in pane(shown, "", "archived")  # it was not read in the browser


def test_an_answer_is_the_one_nearest_to_the_moment(shown):
    assert shown[2] in pane(shown, "", "archived", at="12.5")
    assert "--at " in pane(shown, "", "text", at="12.5")


@needs_chromium
@pytest.mark.slow
def test_a_page_after_its_scripts_and_its_screenshot(tmp_path):
    made = (
        b"<title>t</title><noscript>No</noscript><script>document.write('<p>made by a script<img src=a.png>')</script>"
    )
    pages = {("a.test", "/"): Answer(body=made), ("a.test", "/a.png"): typed("image/png", PNG)}
    with Web(pages) as web:
        home = web.url("a.test", "/")
        keys = ("browser.use=yes", "browser.screenshot=yes")
        options = [part for key in keys for part in ("--set", key)]
        done = crawl(web, home, tmp_path / "crawl", "--no-obey-delay", "--page-requisites", *options)
    assert done.status == 0, done.err
    with window(tmp_path / "crawl") as opened:
        text = opened.get(f"/crawl/url?{urlencode({'u': home, 'pane': 'document'})}").text
        frame = re.search(r'src="(/crawl/archived/[^"]*/after-[^"]*)"', text)[1]
        after = opened.get(frame, cookie=None).text
        assert "made by a script" in after and "noscript { display: none" in after and "<script" not in after
        assert "made by a script" not in opened.get(frame.replace("/after-", "/"), cookie=None).text
        text = opened.get(f"/crawl/url?{urlencode({'u': home, 'pane': 'screenshot'})}").text
        picture = re.search(r'<img class="page" src="([^"]*)"', text)[1]
        answer = opened.get(picture.replace("&amp;", "&"))
        assert answer.headers["content-type"] == "image/png" and answer.body.startswith(PNG[:8])
        assert opened.get(picture.replace("&amp;", "&"), cookie=None).status == 403
