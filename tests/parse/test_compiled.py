"""The compiled reader finds what the Python reader finds, or leaves the page to it."""

import itertools
import random
from pathlib import Path

import pytest

from tests.core.compiled import needs_core
from tests.core.pages import page
from tests.fuzz.growth import grows
from tests.fuzz.soak import hostile
from tests.fuzz.soak.mutated import mutated
from tests.parse.both_readers import EVERYTHING, by_core, by_python, differing, reader
from tests.parse.documents import documents
from ttcrawl.config import Config
from ttcrawl.parse.compiled import CompiledPage, CompiledReader
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.web.charset.detect import to_utf8

pytestmark = needs_core

DOCS = Path("/usr/share/doc")

READ = [
    # links, their texts and landmarks
    *("<a =href=b>c</a><a href=d =rel=nofollow>e</a>", "<p =role=main><a href=a>b</a></p>", "<meta =name=a content=b>"),
    *("<a href>x</a>", "<a href=' a b '>x</a>", "<a href=a rel='x NOFOLLOW'>b</a>", "<a href=a><img alt='b  c'></a>"),
    *(
        "<a href=a> <b>b</b>\n<i>c</i> </a>",
        "<a href=a>" + "x " * 300 + "</a>",
        "<a name=a>b</a>",
        "<a href=a>b\xa0c</a>",
    ),
    *("<a href=a>a<table><tr><td><a href=b>b</a>c</table>d</a>", "<svg><a href=a><title>b</title></a></svg>"),
    *(
        "<nav><a href=a>b</a></nav>",
        "<article><header><a href=a>b</a></header></article>",
        "<p role='x Main'><a href=a>b",
    ),
    *("<aside role=banner><a href=a>b</a></aside>", "<footer><svg><nav><a href=a>b", "<base href=a><base href=b><p>"),
    # links of other elements
    *("<img src=a srcset='b 1x, c 2x' longdesc=d>", "<picture><source srcset='a 1x'><img src=b></picture>"),
    *("<video src=a poster=b><source src=c><track src=d></video>", "<object data=a><param name=src value=b></object>"),
    *("<link rel=stylesheet href=a><link rel='next x' href=b>", "<meta http-equiv=Refresh content='0; url=a'>"),
    *(
        "<map><area href=a alt=b rel=nofollow></map>",
        "<table background=a><tr><td background=b>",
        "<input type=image src=a>",
    ),
    *(
        "<p style='background: URL(a)'>",
        "<style>b { c: url(a) } @import 'd'</style>",
        "<a href=a style='b: url(c)'>d</a>",
    ),
    *('<script type="application/ld+json">{"url": "http://a/"}</script>', "<iframe src=a title=b></iframe>"),
    *("<svg><use xlink:href='#a'/><use href='b#c'/><image href=d /><style>a { b: url(c) }</style></svg>",),
    # of which Python is asked by their rel alone
    *(
        "<link rel=prev href=a title=' b\xa0 c'><link rel='' href=b><link href=c><link rel=next href><link rel=next>",
        "<link rel=PRECONNECT href=a><link rel='x Icon' href=b><link rel=icon href=c imagesrcset='d 1x' title=e>",
        "<link rel=alternate type='application/RSS+xml; x' href=a><link rel=alternate href='&amp;c' title='&lt;d'>",
        "<img src=a alt='" + "\xe4 b" * 300 + "'><img src=b alt='c <d'><img src><img alt=a><img dynsrc=a lowsrc=b>",
        "<img src='&amp;a' alt='&gt;'><img src=a data-b=c><img src=a data-lazy=b.png><svg><img src=a></svg>",
    ),
    *("<img data-src=a><form><input name=q></form>", "<form><fieldset disabled></fieldset></form>"),
    # metadata
    *("<html lang=de><meta name=a content=b><meta property=og:x>", "<time datetime=a>b</time><time pubdate>c</time>"),
    *(
        "<div itemscope itemprop=citation><meta itemprop=a><time>b</time></div>",
        "<svg><link rel=canonical href=a></svg>",
    ),
    # lines
    "<!-- -->a<!-- -->b",
    *("a<b>b</b>c<br>d", "a<!-- -->b", "a <!-- -->b", "<p>a<?b?>c", "<h1>a<a href=b>\xb6</a></h1>c \xb6", "a\xadb\xad"),
    *(
        "<pre>\n\n a  b\n\n</pre>",
        "<pre><b>a\xad</b>b \xb6</pre>",
        "<pre><p>a</p>b</pre>",
        "<textarea> a\n b</textarea>",
    ),
    *(
        "a<script>b</script>c",
        "a<div hidden>b<h2>c</h2></div>d",
        "a<p style='display: none'>b",
        "<h1 hidden=until-found>a",
    ),
    *(
        "a<svg><p>b</svg>c",
        "a<canvas><div>b</div><!-- --></canvas>c",
        "<math><mi>a</mi><mo>b</math>",
        "<ruby>a<rt>b</ruby>",
    ),
    # white space at each of eight bytes
    *(
        f"<p>{'x' * size}{space}{'y' * (9 - size)} z zz"
        for size in range(10)
        for space in (" ", "  ", " \n", "\t", "\xa0 ")
    ),
    # marks of content regions that are no text
    "<p data-ttcrawl-content><a href=data-ttcrawl-content title='a data-ttcrawl-content'>b</a>",
    # blocks and headings
    *("<main><h1>a</h1><h2><a href=b>c</a></h2></main>", "<div class=sidebar>a<ul id=menu>b</ul></div>", "<section>a"),
    *(
        "<h1><h2>a</h2><p>b</h1>",
        "<h3><!-- --><a href=b>c</a></h3>",
        "<h3><a href='#b'>c</a></h3>",
        "<h3><a href>c</a></h3>",
        "<footer></footer>",
    ),
    "<h1>a<div>" * 8,
]

#: Pages with these are read by Python.
LEFT = {
    "<a href=\"javascript:location='/a'\">": "javascript: URL that goes to a page",
    "<p onclick=\"location='/a'\">": "onclick that goes to a page",
    '<select onchange="location=this.value">': "menu that goes to a page",
    "<form action=a><input type=submit></form>": "form that may be a link",
    "<iframe><a href=b></iframe>": "markup without an element",
    "<iframe srcdoc='<p>'></iframe>": "document in an iframe",
    "<a href=a><script></script></a>": "script or style in a link",
    "<canvas><h1>a</h1></canvas>": "heading in what is dropped",
    "<h1>a<div>" * 9: "headings in headings",
    "<p>a\x01": "control character",
    "<textarea><FRAME src=a></textarea>": "frame",
    "<b><p>a</b>": "block inside of a formatting element that ends in it",
}


#: The Python reader marks the first ones, and takes the others out of texts, also where they are no markup.
FRAMES = [
    *("<frame src=a>", "</p><Frame>", "<svg><frame/>", "<framex>", "<frameset><frame>", "<p <frame>", "</p<frame>"),
    *("<p a<frame>", "<a href='<frame'>", '<p title=">" id="<frame">', "<p a=<frame>", "</p a='<frame>'>", "<frame"),
    *("<!--<frame>-->", "<!<frame>", "<!doctype <frame>>", "<?a <frame?>", "<svg><![CDATA[<frame>]]>", "</ <frame>"),
    *("<script>'<frame>'</script>", "<title><frame></title>", "<style><FRAME></style>", "<script><frame"),
]
REGION_MARKS = [
    *("a data-ttcrawl-content", "<pre>\ndata-ttcrawl-content</pre>", "a <b>data-tt</b>crawl-Content"),
    *("<h1>b data-ttcrawl-content</h1>", "<a href=b><img alt='< data-ttcrawl-content'></a>"),
    '<script type="application/ld+json">" data-ttcrawl-content"</script>',
]


@pytest.mark.parametrize("html", FRAMES)
def test_frames_are_left(html):
    assert reader().read(html.encode()) == "frame"


@pytest.mark.parametrize("html", ["<p title='< frame'>&lt;frame><!--frame--> < frame", "<fram>", "<p a='<b'>c<fra"])
def test_what_is_no_frame_is_read(html):
    assert isinstance(reader().read(html.encode()), CompiledPage)


@pytest.mark.parametrize("html", REGION_MARKS)
def test_texts_with_marks_of_regions_are_left(html):
    assert reader().read(html.encode()) == "marks of content regions"


@pytest.mark.parametrize("html", READ)
def test_the_readers_agree(html):
    read = reader().read(html.encode())
    assert isinstance(read, CompiledPage)
    assert by_core(read, html.encode()) == by_python(html.encode())


@pytest.mark.parametrize("html", LEFT, ids=LEFT.values())
def test_what_is_left_to_python(html):
    assert reader().read(html.encode()) == LEFT[html]


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(kinds=frozenset(b"a")),
        Wanted(kinds=frozenset(b"gu"), landmarks=True),
        Wanted(anchors=True, landmarks=True),
    ],
)
def test_with_some_kinds_of_links(wanted):
    assert differing(map(str.encode, READ), wanted) == []


@pytest.mark.parametrize(
    ("wanted", "settings", "why"),
    [
        (Wanted(kinds=frozenset(b"aT")), {}, "URLs in texts"),
        (Wanted(markers=(b"<!-- a -->", b"<!-- b -->")), {}, "content regions"),
        (Wanted(anchors=True, nearby=True), {}, "words near links"),
        (Wanted(), {"links.parser": "html5lib"}, "parser html5lib"),
    ],
)
def test_configurations_that_need_a_tree(wanted, settings, why):
    compiled = CompiledReader(wanted, Config().changed(settings))
    assert compiled.read(b"<p>a") == why


def test_a_page_that_needs_no_text():
    settings = {f"record.{name}": "no" for name in ("metadata", "text", "main", "language")}
    compiled = CompiledReader(
        EVERYTHING, Config().changed(settings | {"duplicates.exact": "no", "duplicates.near": "no"})
    )
    read = compiled.read(b"<title>a</title><a href=b>c</a>")
    assert isinstance(read, CompiledPage) and ([*read.links.hrefs], read.links.title) == (["b"], "a")
    assert read.texts is None and read.declarations is None


def test_pages_that_would_take_minutes_are_left():
    assert reader().read(b"<p " + b"a=b " * 60_000 + b">") == "more than 1,000 attributes in one element"


@pytest.mark.slow
def test_texts_of_links_that_differ_in_some_bytes_take_linear_time():
    letters = [chr(code) for code in range(33, 127) if chr(code) not in "<&"]
    pairs = [*itertools.product(letters, repeat=2)]

    def anchors(number):
        texts = (f"123456{a}{b}" for a, b in itertools.islice(itertools.cycle(pairs), number))
        return "".join(f"<a href=a>{text}</a>" for text in texts).encode()

    compiled = reader()
    grows(compiled.read, anchors)


def test_documents_that_browsers_share():
    assert differing(document.encode("utf-8", "surrogatepass") for document in [*documents()][::5]) == []


@pytest.mark.parametrize("seed", range(2))
def test_pages_made_at_random(seed):
    chance = random.Random(seed)
    assert differing(page(chance) for _ in range(60)) == []
    assert differing(hostile.page(chance).encode("utf-8", "replace") for _ in range(20)) == []


@pytest.mark.slow
@pytest.mark.parametrize("package", ["python3.11/html", "sqlite3", "postgresql-doc-15", "doxygen", "python-django-doc"])
def test_documentation(package):
    paths = [path for path in sorted((DOCS / package).rglob("*.html")) if path.is_file()][::7]
    pages = [to_utf8(path.read_bytes(), "")[0] for path in paths]
    if not pages:
        pytest.skip(f"{package} is not installed")
    assert differing(pages) == []
    changed = (mutated(html, random.Random(number))[:60_000] for number, html in enumerate(pages))
    assert differing(html.decode("utf-8", "replace").encode() for html in changed) == []
    compiled = reader()
    read = [len(html) for html in pages if isinstance(compiled.read(html), CompiledPage)]
    assert sum(read) > 0.97 * sum(map(len, pages))
