"""Whether what is said of a page holds for another one of its directory with the same bytes."""

import dataclasses
import json

import pytest

from tests.parse.reading import HTML, read
from tests.read.documents.made import ODT, odt
from tests.support.cases import one_in
from ttcrawl.config import Config, Links, Record
from ttcrawl.ring.messages import Page
from ttcrawl.web.storable import replace
from ttcrawl.web.url import key

FAR = "http://z.test/far.html"
ONE, OTHER = "http://a.test/x/one.html?s=1", "http://a.test/x/other.html?s=2"
ABSOLUTE = "http://a.test/x/one.html?s=1"
MORE = "<a href=z.html>Z</a> <a href=/q>Q</a> <a href='//b.test/'>B</a> <a href='../up'>U</a>"

#: Of which the same can be said of the other page.
FREE = {
    "nothing": "",
    "text": "<p>text",
    "links": MORE,
    "fragment": "<a href='#here'>here</a> <a href='#'>top</a>",
    "empty": "<a href=''>this</a>",
    "path and query": "<a href='z.html?a=1'>z</a> <a href='./?a=1'>z</a> <a href='/wiki/Talk:Z'>z</a>",
    "canonical elsewhere": "<link rel=canonical href='http://a.test/x/'>",
    "relative canonical": "<link rel=canonical href='c.html'>",
    "base of a directory": f"<base href='/d/'>{MORE}",
    "base and fragment": "<base href='/d/e.html'><a href='#x'>x</a> <a href=''>e</a>",
    "relative base": f"<base href='sub/'>{MORE}",
    "form": "<form action='/search'><button>go</button></form>",
    "form to fill in": "<form><input name=q><button>go</button></form>",
    "other schemes": "<a href='mailto:a@b.test'>m</a> <a href='javascript:void(0)'>j</a> <a href='tel:1'>t</a>",
    "image": "<img src=a.png><img src='data:image/png;base64,xx'>",
    "refresh of itself": "<meta http-equiv=refresh content=30>",
}
#: Of which it cannot.
BOUND = {
    "query": "<a href='?page=2'>2</a>",
    "query after white space": "<a href=' \n?page=2'>2</a>",
    "query after a scheme": "<a href='http:?page=2'>2</a>",
    "query and fragment": "<a href='?page=2#x'>2</a>",
    "itself by name": "<a href='one.html?s=1'>this</a>",
    "itself by its URL": f"<a href='{ABSOLUTE}#x'>this</a>",
    "canonical itself": f"<link rel=canonical href='{ABSOLUTE}'>",
    "canonical query": "<link rel=canonical href='?c'>",
    "canonical fragment": "<link rel=canonical href='#'>",
    "base with a query": "<base href='?b'><a href=''>b</a> <a href='?c'>c</a>",
    "base of itself": f"<base href='{ABSOLUTE}'><a href='#x'>x</a>",
    "form without action": "<form><button name=a>go</button></form>",
    "form with a query": "<form action='?b'><button name=a>go</button></form>",
    "refresh": "<meta http-equiv=refresh content='3;url=?n=2'>",
    "script": "<a href=\"javascript:location='?n=2'\">n</a>",
    "image": "<img src='?image=1'>",
}
HEADERS = {
    "</next>; rel=next": False,
    "<http://b.test/>; rel=canonical": False,
    "<n.html>; rel=next": False,
    "<?p=2>; rel=next": True,
    "<>; rel=canonical": True,
    f"<{ABSOLUTE}>; rel=canonical": True,
    f'</n>; rel=next; anchor="{ABSOLUTE}"': True,
    '</n>; rel=next; anchor="http://a.test/x/other.html?s=2"': True,
}


def said(page: Page, url: str) -> Page:
    """All that would be taken from there, as if it were a page of no URL."""
    links = sorted(replace(each, spelling="").url for each in page.links)
    targets = ["own" if each == key(url) else each for each in json.loads(page.outlinks.targets)]
    outlinks = replace(page.outlinks, targets=json.dumps(targets))
    return replace(page, archived=None, links=tuple(links), outlinks=outlinks, content_hashes=(0, 0))


def both(tmp_path, body, config=None, headers=(HTML,)) -> tuple[Page, Page]:
    html = body if isinstance(body, bytes) else b"<html>" + body.encode()
    one, other = (read(tmp_path / name, url, html, config, headers) for name, url in (("one", ONE), ("other", OTHER)))
    return one, other


EVERYTHING = Config(links=Links(kinds="anchor area frame iframe refresh location form canonical next image"))
SETTINGS = {
    "default": Config(),
    "no links but anchors": dataclasses.replace(EVERYTHING, links=Links(kinds="anchor", recorded="")),
    "html5lib": Config(links=Links(parser="html5lib")),
    "no record": Config(record=Record(metadata=False, text=False, main=False, language=False)),
}


@pytest.mark.parametrize("name", FREE)
def test_not_bound(tmp_path, name):
    one, other = both(tmp_path, FREE[name] + MORE)
    assert not one.uses_page_url and not other.uses_page_url


@pytest.mark.parametrize("name", BOUND)
def test_bound(tmp_path, name):
    assert both(tmp_path, BOUND[name] + MORE)[0].uses_page_url


@pytest.mark.parametrize("config", one_in(2, SETTINGS.values()), ids=SETTINGS)
@pytest.mark.parametrize("body", [*FREE.values(), *BOUND.values()], ids=[*FREE, *(f"{name} " for name in BOUND)])
def test_what_is_not_bound_is_the_same_of_both(tmp_path, body, config):
    one, other = both(tmp_path, body, config)
    assert one.uses_page_url or said(one, ONE) == said(other, OTHER)


@pytest.mark.parametrize("link", HEADERS)
def test_headers(tmp_path, link):
    one, other = both(tmp_path, MORE, headers=(HTML, ("Link", link)))
    assert one.uses_page_url == HEADERS[link]
    assert one.uses_page_url or said(one, ONE) == said(other, OTHER)


def test_what_is_html_by_the_extension_alone_is_bound(tmp_path):
    one, _ = both(tmp_path, MORE, headers=())
    assert one.uses_page_url


PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d")


#: Files: type, body, whether they are bound, and whether the same can be said anywhere.
KINDS = {
    "image": ("image/png", PNG, False, True),
    "text": ("text/plain", b"text", False, False),  # the domain is a hint at its charset
    "text with links": ("text/plain", b"see http://b.test/x and http://a.test/y", False, False),
    "text with its own URL": ("text/plain", f"see {ABSOLUTE}".encode(), True, False),
    "archive": ("application/zip", b"PK\3\4", False, True),
    "document": (ODT, odt("http://b.test/x"), False, True),
    "document without links": (ODT, odt(), False, True),
    "document with a relative link": (ODT, odt("x.odt"), False, False),
    "document with a query": (ODT, odt("?x"), True, False),
    "document with its own URL": (ODT, odt(ABSOLUTE), True, True),
    "broken document": (ODT, b"PK\3\4 broken", True, True),
}


@pytest.mark.parametrize(("type_", "body", "bound", "anywhere"), one_in(2, KINDS.values()), ids=KINDS)
def test_files(tmp_path, type_, body, bound, anywhere):
    config, headers = Config(links=Links(kinds="document text")), (("Content-Type", type_),)
    one, other = both(tmp_path, body, config, headers)
    file, second = one.reading.image or one.reading.document, other.reading.image or other.reading.document
    assert (one.uses_page_url, one.url_independent) == (bound, anywhere)
    assert (file.name, second.name) == ("one.html", "other.html")
    assert bound or unnamed(said(one, ONE)) == unnamed(said(other, OTHER))
    far = read(tmp_path / "far", FAR, body, config, headers)
    assert bound or not anywhere or unnamed(said(far, FAR)) == unnamed(said(one, ONE))


@pytest.mark.parametrize("link", HEADERS)
@pytest.mark.parametrize("kinds", ["anchor", "anchor next canonical"])
@pytest.mark.parametrize(("type_", "body"), [("image/png", PNG), pytest.param(ODT, odt(), marks=pytest.mark.slow)])
def test_files_with_links_in_their_headers(tmp_path, type_, body, kinds, link):
    config = Config(links=Links(kinds=kinds, recorded=""))
    one, other = both(tmp_path, body, config, (("Content-Type", type_), ("Link", link)))
    assert one.uses_page_url == HEADERS[link] and not one.url_independent
    assert one.uses_page_url or unnamed(said(one, ONE)) == unnamed(said(other, OTHER))


def unnamed(page: Page) -> Page:
    """Without the name of a file, which each URL has for itself."""
    image, document = page.reading.image, page.reading.document
    named = {"image": image and replace(image, name=""), "document": document and replace(document, name="")}
    return replace(page, reading=replace(page.reading, **named))


def test_a_query_after_a_scheme_is_resolved_for_each_page(tmp_path):
    """What is remembered of a directory is not the target of a reference that needs the file name."""
    one, other = both(tmp_path, "<a href='http:?page=2'>2</a>")
    assert [json.loads(one.outlinks.targets)] == [[key("http://a.test/x/one.html?page=2")]]
    assert [json.loads(other.outlinks.targets)] == [[key("http://a.test/x/other.html?page=2")]]
