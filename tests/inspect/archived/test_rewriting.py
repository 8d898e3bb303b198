"""Pages rewritten: what breaks in other programs that show archives first, then what a hostile page tries."""

import random
import re

import html5lib
import pytest
from selectolax.lexbor import LexborHTMLParser

from ttcrawl.inspect.archived.rewriting import LONGEST, MOST, rewritten, stylesheet
from ttcrawl.parse.links.css import urls

URL = "http://a.test/d/p.html"


def to(url):
    return f"@{url}"


def page(html, **options):
    return rewritten(html, URL, "utf-8", to, **options)


#: What is written -> what becomes of it; with the reports of others where it broke for them.
CASES = [
    ("<a href=x>", '<a href="@http://a.test/d/x">'),
    ("<a href=' x '>", '<a href="@http://a.test/d/x">'),
    ("<a href='#top'>", '<a href="#top">'),
    ("<a href='x#top'>", '<a href="@http://a.test/d/x#top">'),
    ("<a href=''>", '<a href="@http://a.test/d/p.html">'),
    ("<A HREF=/x TARGET=_blank>", '<a href="@http://a.test/x">'),
    ("<img src=''>", "<img>"),
    ("<img src=/a/>", '<img src="@http://a.test/a/" />'),
    ("<img src=x alt='\"<b>'>", '<img src="@http://a.test/d/x" alt="&quot;&lt;b>">'),
    # pywb#803: two slashes and plus signs
    ("<a href=https://b.test//++t++x/l.css?t=1+2>", '<a href="@https://b.test//++t++x/l.css?t=1+2">'),
    ("<img src='?a=1&copy=2&amp;b=3'>", '<img src="@http://a.test/d/p.html?a=1&amp;copy=2&amp;b=3">'),
    # pywb#77: a base without a path
    ("<base href=http://b.test><img src=x>", '<img src="@http://b.test/x">'),
    # warc2zim#238, pwa-technologies#36: base counts once, and for all that follows
    ("<base target=_top><base href=/e/><base href=/f/><a href=x>", '<a href="@http://a.test/e/x">'),
    ("<base href='javascript:x'><a href=x>", '<a href="@http://a.test/d/x">'),
    # pywb#238, buster#94, nikola#1960: commas in URLs, and all candidates
    (
        "<img srcset='/full/538,/0/d.jpg 1x,\n  b.png 2x'>",
        '<img srcset="@http://a.test/full/538,/0/d.jpg 1x, @http://a.test/d/b.png 2x">',
    ),
    ("<source srcset='data:image/gif;base64,R0l 1x, a 2x'>", '<source srcset="data:image/gif;base64,R0l 1x, @http:'),
    # openwayback#371: integrity, with crossorigin
    (
        "<link rel=stylesheet href=s.css integrity=sha256-x crossorigin=anonymous nonce=1>",
        '<link rel="stylesheet" href="@http://a.test/d/s.css">',
    ),
    # openwayback#394: a preload has no place where no script runs
    ("<link rel=preload as=image imagesrcset='a 1x' href=b>", ""),
    # pywb#676: data- attributes are for scripts
    ("<i data-src=/x data-y='a&b'>", '<i data-src="/x" data-y="a&b">'),
    # images that a script loads late
    ("<img src=blank.gif data-src='a b.png'>", '<img src="@http://a.test/d/a%20b.png" data-src="a b.png">'),
    ("<img data-srcset='a.png 2x' data-lazy=true>", '<img data-srcset="a.png 2x" data-lazy="true" srcset="@http:'),
    ("<iframe data-src='javascript:a.b'></iframe>", '<iframe data-src="javascript:a.b"></iframe>'),
    ("<img src=a data-src=#x data-original='{{b.c}}'>", '<img src="@http://a.test/d/a" data-src="#x" data-original'),
    # wget2#387: url() everywhere
    ("<b style='background:url(x)'>", '<b style="background:url(&quot;@http://a.test/d/x&quot;)">'),
    ("<style>@import 'x';b{c:url( y )}</style>", '<style>@import "@http://a.test/d/x";b{c:url("@http://a.test/d/y")}'),
    ("<style>a{b:image-set('x' 1x, 'y' type('image/png'))}</style>", 'image-set("@http://a.test/d/x" 1x'),
    ("<style>@media (400px<=width<=700px){}</style>", "<style>@media (400px<=width<=700px){}</style>"),
    ("<style><!-- a{} --></style>", "<style> a{} </style>"),
    ("<svg><style><![CDATA[.a{}]]></style></svg>", "<svg><style>.a{}</style></svg>"),
    ("<svg><style/><script/><title/><path d=M0 /></svg>", '<svg><style /><title /><path d="M0" /></svg>'),
    ("<svg><image xlink:href=x /><use href=#y /></svg>", '<image xlink:href="@http://a.test/d/x" /><use href="#y" />'),
    (
        "<rect fill='url(#g)' filter='url(f.svg#x)'>",
        '<rect fill="url(&quot;#g&quot;)" filter="url(&quot;@http://a.test/d/f.svg#x',
    ),
    ("<video src=v poster=p autoplay><track src=t>", '<video src="@http://a.test/d/v" poster="@http://a.test/d/p">'),
    ("<object data=o type=x><param name=movie value=m>", '<object data="@http://a.test/d/o" type="x">'),
    ("<embed src=e>", '<embed src="@http://a.test/d/e">'),
    ("<body background=b>", '<body background="@http://a.test/d/b">'),
    ("<frameset cols=1,*><frame src=f><noframes><a href=x></noframes>", '<frameset cols="1,*"><frame src="@http'),
    ("<noscript><img src=x></noscript>", '<noscript><img src="@http://a.test/d/x"></noscript>'),
    ("<template shadowrootmode=open><img src=x>", '<template shadowrootmode="open"><img src="@http://a.test/d/x">'),
    ("<iframe srcdoc='<img src=x>' src=y>z</iframe>", '<iframe srcdoc="&lt;img src=&quot;@http://a.test/d/x&quot;>"'),
    ("<title>a<b>c</title><i>", "<title>a&lt;b>c</title><i>"),
    ("<textarea>a</textareax></TEXTAREA ><i>", "<textarea>a&lt;/textareax></textarea><i>"),
    ("<xmp>&amp;<b></xmp><plaintext></plaintext>&lt;", "<pre>&amp;amp;&lt;b></pre><pre>&lt;/plaintext>&amp;lt;"),
    ("<!-- x --><!doctype html PUBLIC '-//W3C//DTD'><p>", "<!doctype html PUBLIC '-//W3C//DTD'><p>"),
    ("<?xml version='1.0'?><!DOCTYPE html><p>", "<!DOCTYPE html><p>"),
    ("a < b <3 </ x> <", "a &lt; b &lt;3  &lt;"),
    ("a & b &lt; &copy; <p", "a & b &lt; &copy; "),
    ("<a href=x", ""),
]


@pytest.mark.parametrize(("html", "expected"), CASES)
def test_cases(html, expected):
    assert page(html).startswith(expected) or (expected and expected in page(html)), page(html)


DROPPED = [
    "<script>x</script>",
    "<SCRIPT src=x></SCRIPT >",
    "<script>'</script",
    "<meta http-equiv=refresh content='0;url=http://e.test'>",
    "<meta http-equiv=Content-Security-Policy content=x>",
    "<meta charset=latin1>",
    "<base href=http://e.test>",
    "<link rel=preconnect href=http://e.test>",
    "<link rel='dns-prefetch' href=//e.test>",
    "<link rel=prefetch href=x>",
    "<link rel=icon href=x>",
    "<link rel=manifest href=x>",
    "<!--[if IE]><img src=x><![endif]-->",
    "<!-- x --!>",
    "<!-->",
    "<noembed><img src=x></noembed>",
    "<param name=src value=x>",
    "<bgsound src=x>",
    "<portal src=x>",
    "<set attributeName=href to=http://e.test>",
    "<animate attributename=' xlink:HREF' values='javascript:x'>",
    "<a<b>",
]


@pytest.mark.parametrize("html", DROPPED)
def test_left_out(html):
    assert page(html) == ""


ATTRIBUTES = [
    "onclick=x",
    "OnLoad='x'",
    "href=javascript:x",
    "href=' java\nscript:x'",
    "href=&#106;avascript:x",
    "href=vbscript:x",
    "href=data:text/html,x",
    "href=blob:x",
    "href=mailto:x",
    "href=about:blank",
    "href=http://[x",
    "ping=http://e.test",
    "formaction=http://e.test",
    "action=http://e.test",
    "attributionsrc=http://e.test",
    "manifest=x",
]


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_attributes_left_out(attribute):
    assert page(f"<a {attribute}>") == "<a>"


def test_srcdoc_in_srcdoc_has_an_end():
    html = "<img src=x>"
    for _ in range(6):
        html = f'<iframe srcdoc="{html.replace("&", "&amp;").replace(chr(34), "&quot;")}"></iframe>'
    assert "img" not in page(html) and "srcdoc" in page(html)


def test_queries_are_in_the_encoding_of_their_page():
    assert "?q=%FC" in rewritten("<a href='?q=\xfc'>", URL, "windows-1252", to)
    assert "?q=%C3%BC" in page("<a href='?q=\xfc'>")
    assert "?q=%C3%BC" in stylesheet("a{b:url('?q=\xfc')}", URL, to)


def test_elements_for_browsers_without_scripts_are_not_shown_after_scripts():
    html = page("<!doctype html><noscript>x</noscript>", after_scripts=True)
    assert html.startswith("<!doctype html><style>noscript { display: none !important }</style>")


LONG = [
    "<",
    "<a>",
    "<a ",
    "<a b='",
    "<!--",
    "</",
    "<style>url(",
    "<p title=x>y</p>",
    "<style>a{b:url(c)} ",
    "<img srcset='a,",
]


@pytest.mark.slow
@pytest.mark.parametrize("piece", LONG)
def test_long_pages_end(piece):
    html = page(piece * (LONGEST // len(piece) + 1))
    assert len(html) < 4 * LONGEST
    assert html.count("<a>") <= MOST


@pytest.mark.slow
def test_a_page_that_is_cut_says_so():
    assert "it is too long" in page("<p>" * (MOST + 1)) and "it is too long" not in page("<p>" * MOST)
    assert page("x" * LONGEST) == "x" * LONGEST


# -- whatever a page is, a browser's parser finds nothing else in it ------------------------------------------------

PIECES = [
    *("<svg>", "</svg>", "<math>", "<mtext>", "<style>", "</style>", "<title>", "</title>", "<script>", "</script>"),
    *("<textarea>", "</textarea>", "<noscript>", "</noscript>", "<template>", "</template>", "<xmp>", "</xmp>"),
    *("<![CDATA[", "]]>", "<!--", "-->", "--!>", "<select>", "<table>", "<frameset>", "<plaintext>", "<iframe>", "<p"),
    *("</iframe>", "<noembed>", "</noembed>", "<foreignObject>", "<desc>", "<annotation-xml encoding=text/html>"),
    *("<img src=//e.test/1 ", "<link rel=preconnect href=//e.test/2 ", "<a href=javascript:x ", "onload=x", "style="),
    *("'", '"', ">", "/>", "=", " ", "url(//e.test/3)", "<meta http-equiv=refresh content='0;//e.test'>", "&lt;", "\0"),
    *("<base href=//e.test>", "<iframe srcdoc='", "<form action=//e.test>", "<image href=//e.test/4>", "<mglyph>"),
]
FORBIDDEN = {"script", "base", "meta", "noembed", "noframes", "portal", "applet", "param"}
REFERENCES = ("href", "src", "srcset", "poster", "background", "data", "xlink:href", "action", "formaction", "ping")


def elements(html, parser):
    """(name, attributes) of all elements, also those in templates."""
    if parser == "lexbor":
        for node in LexborHTMLParser(html).root.traverse():
            yield node.tag, dict(node.attributes)
            if node.tag == "template":
                yield from elements(node.inner_html or "", parser)
        return
    for node in html5lib.parse(html, namespaceHTMLElements=False).iter():
        if isinstance(node.tag, str):
            names = {str(key).rpartition("}")[2]: value for key, value in node.attrib.items()}
            yield re.sub("{.*}", "", node.tag), names | {"text": node.text or ""}


@pytest.mark.parametrize("parser", ["lexbor", "html5lib"])
def test_parsers_find_nothing_forbidden_in_any_soup(parser):
    source = random.Random(44)
    for _ in range(1500):
        html = page("".join(source.choices(PIECES, k=source.randint(2, 25))))
        for name, attributes in elements(html, parser):
            assert name not in FORBIDDEN, html
            for attribute, value in attributes.items():
                assert not attribute.startswith("on"), html
                if attribute in REFERENCES:
                    assert (value or "").startswith(("@", "#")) or value in ("", None), html
                if attribute == "style" or (name == "style" and attribute == "text"):
                    assert all(each.startswith("@") for each in urls(value or "")), html
            assert name != "link" or "stylesheet" in attributes["rel"], html
