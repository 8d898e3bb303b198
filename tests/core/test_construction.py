"""Tokens tell what the tree consists of, or leave the page to Python."""

import random
from pathlib import Path

import pytest

from tests.core.compiled import needs_core
from tests.core.events import events_of_tree
from tests.core.pages import page
from tests.fuzz.growth import grows
from tests.fuzz.soak import hostile
from tests.fuzz.soak.mutated import mutated
from tests.parse.documents import documents
from ttcrawl.core import native

pytestmark = needs_core

DOCS = Path("/usr/share/doc")

#: Pages that real ones resemble, with what authors leave out and mix up.
READ = [
    *("", "x", "<p>a<p>b", "<ul><li>a<li>b<ul><li>c</ul></ul>", "<dl><dt>a<dd>b<dt>c</dl>", "a</p>b", "<br></br>"),
    *("<title>a&amp;b", "<textarea>\n\nx</textarea>", "<pre>\nx", "<select><option>a<optgroup><option>b<hr></select>"),
    *("<p><b>a<p>c</b>d", "<b><i>a</b>c</i>d", "<a href=x>a<a href=y>b", "<b><b><b><b>a<p>c", "<p><font size=1>a<p>b"),
    *("<h1>a<h2>b</h1>c", "<button>a<button>b", "<nobr>a<nobr>b", "<form><div></form>a</div>b<form>c"),
    *("<table><tr><td>a<td>b<tr><th>c</table>d", "<table><td>a<table><td>b</table>c</table>", "<image src=x>"),
    *("<table><caption>a<tr><td>b", "<table><form><tr><td>a</form></table>", "<table></div></b></body></table>"),
    *("<p><table>", "<!doctype html><p><table>", "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01//EN'><p><table>"),
    *("<p>a<svg viewBox='0'><title>b</title><path/><style>c</style><a href=x>d</a></svg>e", "<svg><p>a</svg>b"),
    *("<svg><foreignObject><p>a<b>c</foreignObject><![CDATA[d]]></svg>", "<math><mi>a<b>c</mi><mo>d</math>e"),
    *("<script><!-- <script>a</script> --></script>b", "<script>a</scripty></SCRIPT >b", "<style>a</style b"),
    *("<noscript><link><p>a</noscript>b", "<head><noscript><meta></noscript><link></head> <body>", "a<!--b-->c<?d?>e"),
    *("</body> a<!--b--></html><!--c-->d", "<p title=a title=b A=c>", "<a href='&amp;&lt=&copyx&copy;'>&copyx"),
    *("<p a", "<!--a", "<!doctype", "a<b c='", "<?xml version='1.0'?><html>", "a\r\nb\rc", "<ruby>a<rt>b<rp>c</ruby>"),
    *("<object><p>a</object>b", "<x-y>a<p>b</x-y>c", "<p>a</x></i></span>b", "<iframe><p></iframe>", "<xmp><p>"),
    *("<input><param><hr>", "<a b=c/>", "&#13;a", "&#13;<p>b", "<table><col><tr></table>"),
    *("a</>b</></>", "<pre></>\na", "<p><i>a</p></>b", "<svg><desc><p><b>a</p><![CDATA[]]></desc></svg>"),
    *(
        "<BlockQuote>a<blockquotee>b<blockquot>c",
        "<p=a>b",
        "<hq>a<h7>b<a1>c",
        "<x\u0307>a<é b>",
        "<p a.b=1 a_b=2 A.B=3>",
    ),
    *(
        "<p http-equiv=1 xhttp-equiv=2 ahttp-equiv=3 HTTP-EQUIV=4>",
        "<p = == =a ==b a==>",
        "<p \"a 'b <c>",
        "<p a=b=c d='>'>",
    ),
]

#: Each kind of token, and what ends each of its parts.
TOKENS = (
    "<!doctype html><P a='&amp;b' c=\"d\" e=&lt;f g h=><br/ ><!-- - -- --!><!b></c ><?d e?><?XML f?><? g><?_h>"
    "<script>f<!--<script></script></script><title>&g</title>&#x68;&i;<svg j/><![CDATA[k]]></svg>"
)

#: What Python reads, and why.
LEFT = {
    "<b><p>a</b>c": "block inside of a formatting element that ends in it",
    "<table>a": "content put before its table",
    "<table><tr><p>": "content put before its table",
    "<template>a": "template",
    "<frameset>": "frame",
    "<p><frame>": "frame",
    "<p><plaintext>": "plaintext",
    "<p><body class=a>": "attributes added to html or body",
    "</head><meta>": "content of the head behind it",
    "<p><i></p><textarea>a</textarea>": "unclosed formatting before a text area",
    "<div>" * 380: "deeply nested",
    "<p " + "".join(f"a{i} " for i in range(61)) + ">": "many attributes",
    "<svg></body><desc><!--a-->": "body that ends in SVG",
    "<form><math><rb></form>": "SVG element whose end is implied in HTML",
    "a\0b": "U+0000",
}


def differs(html: bytes) -> bool:
    """Whether the tokens of a page tell something else than its tree."""
    told = native.events(html)
    return isinstance(told, list) and told != events_of_tree(html)


@pytest.mark.parametrize("html", READ)
def test_it_is_told_as_the_tree_has_it(html):
    assert native.events(html.encode()) == events_of_tree(html.encode())


@pytest.mark.parametrize("newline", ["", "\r\n"])
def test_a_page_may_end_anywhere(newline):
    pages = [(newline + TOKENS[:size]).encode() for size in range(len(TOKENS))]
    assert [html for html in pages if differs(html)] == []
    assert all(isinstance(native.events(html), list) for html in pages)


@pytest.mark.parametrize("html", LEFT, ids=LEFT.values())
def test_it_is_left(html):
    assert native.events(html.encode()) == LEFT[html]


def test_markup_without_meaning_may_be_repeated():
    assert native.events(b"a" + b"</>" * 300_000 + b"b") == native.events(b"ab")


@pytest.mark.parametrize("others", ["a=1 b=2", "b=2 a=1", "a=2 b=1", "a=1"])
def test_a_list_has_three_equal_formatting_elements(others):
    html = "<p>" + "<font a=1 b=2>" * 3 + f"<font {others}>" * 2 + "</p><p>x"
    assert native.events(html.encode()) == events_of_tree(html.encode())


@pytest.mark.slow
def test_many_elements_are_left():
    assert native.events(b"<br>" * 299_990)[:3] == ["<html", "<head", "/"]
    assert native.events(b"<br>" * 300_000) == "many elements"


@pytest.mark.parametrize(
    "html", [b"\xff", b"a\xc3", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"x" * 9 + b"\x80"]
)
def test_what_is_not_utf8_is_left(html):
    assert native.events(html) == "not UTF-8"


@pytest.mark.parametrize("size", [*range(10), *range(28, 42), 64])
@pytest.mark.parametrize("character", ["é", "日", "🇩"])
def test_utf8_is_checked_at_each_byte(size, character):
    html = ("x" * size + character).encode()
    assert native.events(html + b"y" * 40)[-3] == f"T{html.decode()}{'y' * 40}"
    for end in range(1, len(character.encode())):
        assert native.events(html[:-end]) == native.events(html[:-end] + b"y" * 40) == "not UTF-8"


def test_documents_that_browsers_share():
    pages = [document.encode("utf-8", "surrogatepass") for document in documents()]
    assert [page for page in pages if differs(page)] == []
    assert sum(isinstance(native.events(page), list) for page in pages) > 0.7 * len(pages)


@pytest.mark.parametrize("seed", range(3))
def test_pages_made_at_random(seed):
    chance = random.Random(seed)
    assert [html for html in (page(chance) for _ in range(200)) if differs(html)] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 104))
def test_more_pages_made_at_random(seed):
    chance = random.Random(seed)
    real = [path.read_bytes()[:60_000] for path in sorted(DOCS.glob("*/html/**/*.html"))[:100]]
    for _ in range(1000):
        made = [page(chance), hostile.page(chance).encode("utf-8", "surrogatepass")]
        made += [mutated(chance.choice(real), chance)[:60_000]] if real and chance.random() < 0.1 else []
        assert [html for html in made if differs(html)] == []


@pytest.mark.slow
@pytest.mark.parametrize("package", ["python3.11/html", "sqlite3", "postgresql-doc-15", "doxygen", "python-django-doc"])
def test_documentation(package):
    pages = [path.read_bytes() for path in sorted((DOCS / package).rglob("*.html")) if path.is_file()][::5]
    if not pages:
        pytest.skip(f"{package} is not installed")
    assert [html[:200] for html in pages if differs(html)] == []
    read = [len(html) for html in pages if isinstance(native.events(html), list)]
    assert sum(read) > 0.97 * sum(map(len, pages))


#: Each is repeated: what a page can have much of, and what each of it has to look at.
REPEATED = [
    *("<", "&", "&#1", "&am", "<!", "<!-", "<!--", "<!-- --", "</", "<a ", "<a b='", "<?", "]]>", "<script><!--", "\r"),
    *("<p>", "</p>", "</b>", "</a>", "<li>", "<option>", "<td>", "<tr>", "<b>", "<a>", "<a href=x>y</a>", "<form>"),
    *("<svg>", "</svg>", "<svg/>", "<p><b x=1>", "<table><tr><td><object>", "<table>", "<select>", "<nobr>", "<h1>"),
    *("<title>", "<textarea>", "<br>", "<!--x-->", "x ", "<td></td>x", "<ruby><rt>", "<font size=1><p>", "</form>"),
    "</>",
]


#: Each is before them.
STARTS = ["", "<ul>" + "<span>" * 370, "<table><tr><td>" + "<i a=1>" * 100, "<svg>", "<script>"]


@pytest.mark.slow
@pytest.mark.parametrize("piece", REPEATED)
@pytest.mark.parametrize("before", STARTS)
def test_time_is_linear(before, piece):
    grows(native.events, lambda n: (before + piece * n).encode())
