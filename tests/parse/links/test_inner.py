"""What the tree of the standard does not have: frames outside of framesets, and markup that is raw text or a value."""

from __future__ import annotations

import time

import pytest

from tests.support.cases import some_fast
from ttcrawl.parse.links.extract import Extraction, extract
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.parse.links.weight import too_heavy
from ttcrawl.vocabulary.html import PARSERS

URL = "http://example.com/dir/page.html?q=1"
TREES = ("lexbor", "html5lib")

# page, links as "kind href" in document order
CASES = [
    # frames that the tree construction drops
    ("<frame src=1>", "f1"),
    ("<body><a href=1>x</a><FRAME\nsrc='2'><a href=3>y</a><frame/src=4>", "a1 f2 a3 f4"),
    ("<p>a<frame src='1?a=1&amp;b=2' title='x>y'>b<frame><frame src><frame src=''>", "f1?a=1&b=2"),
    ("<table><tr><td><frame src=1></td></tr></table><select><frame src=2></select>", "f1 f2"),
    ("<body><frameset><frame src=1></frameset><p><a href=2>x</a>", "f1 a2"),
    ("<p>x<frameset><frame src=1></frameset><a href=2>x</a>", "f1 a2"),  # text before: the frameset is dropped too
    ("<frameset><frame src=1><frame src=2></frameset><frame src=3>", "f1 f2 f3"),
    ("<frameset><frameset><frame src=1></frameset><frame src=2></frameset>", "f1 f2"),
    ("<frame src=1><a href=2></a><frameset><frame src=3></frameset>", "f3"),  # in whose place the body is dropped
    ("<frame src=1><a href=2>x</a><frameset><frame src=3></frameset>", "f1 a2 f3"),
    ("<head><frame src=1></head><body><a href=2>x</a>", "f1 a2"),
    ("<!-- <frame src=1> --><script>'<frame src=2>'</script><textarea><frame src=3></textarea>", ""),
    ("<p title='<frame src=1>'><style><frame src=2></style><title><frame src=3></title><xmp><frame src=4></xmp>", ""),
    ("<p>x<plaintext><frame src=1>", ""),
    ("<svg><frame src=1 /></svg><template><frame src=2></template><frames src=3>", ""),
    ("<frame src=1 longdesc=2>", "f1 D2"),
    # raw text for a browser that shows frames, but not for others
    ("<noframes><a href=1>x</a><img src=2></noframes><a href=3>y</a>", "a1 g2 a3"),
    ("<frameset><frame src=1><NOFRAMES><body><a href='2&amp;3'>x</a></body></NOFRAMES></frameset>", "f1 a2&3"),
    ("<frameset><frame src=1></frameset><noframes><p><a href=2>x</a>", "f1 a2"),
    ("<head><noframes><meta http-equiv=refresh content='0;url=1'></noframes></head>", "r1"),
    ("<noframes><frameset><frame src=1></frameset><frame src=2></noframes>", "f1 f2"),
    ("<noframes><!-- <a href=1> --><script>'<a href=2>'</script><a href=3></noframes>", "a3"),
    ("<noembed><a href=1>x</a></noembed><iframe src=2><a href=3>x</a></iframe>", "a1 i2 a3"),
    ("<noframes><base href=/x/><a href=1></noframes>", "a1"),  # of which a browser does not know
    ("<noframes>no <b>frames</b></noframes><noframes></noframes><iframe src=1>none</iframe>", "i1"),
    ("<svg><noframes><a href=1></a></noframes></svg>", "a1"),  # elements as others of the drawing
    # documents in an attribute
    ("<iframe srcdoc='<a href=1>x</a>'></iframe><a href=2>", "a1 a2"),
    ("<iframe srcdoc='&lt;a href=&quot;1?a=1&amp;amp;b=2&quot;&gt;x' src=2></iframe>", "i2 a1?a=1&b=2"),
    ("<iframe src=1 longdesc=2 srcdoc='<img src=3><frame src=4>'><a href=5></iframe>", "i1 D2 g3 f4 a5"),
    ("<iframe srcdoc='<iframe srcdoc=\"<a href=1>\"></iframe><a href=2>'></iframe>", "a1 a2"),
    ("<iframe srcdoc='text'></iframe><iframe srcdoc></iframe><svg><iframe srcdoc='<a href=1>'/></svg>", ""),
    # templates are parts to be copied by scripts, but for those that are shadow trees
    ("<p><template><a href=1></a></template><template shadowrootmode=x><a href=2></a></template>", ""),
    ("<p><template shadowrootmode=open><a href=1>x</a></template><a href=2>", "a1 a2"),
    ("<p><template shadowrootmode=Closed><p><template shadowrootmode=open><a href=1></template></template>", "a1"),
    ("<div><template><div><template shadowrootmode=open><a href=1></a></template></div></template></div>", ""),
    (
        "<!--[if IE]><a href=1><![endif]--><![if !IE]><a href=2><![endif]><!--[if !IE]><!--><a href=3><!--<![endif]-->",
        "a2 a3",
    ),
]


def links_of(page: Extraction) -> str:
    return " ".join(kind + href for kind, href in zip(page.kinds.decode(), page.hrefs, strict=True))


@pytest.mark.parametrize("parser", TREES)
@pytest.mark.parametrize(("html", "expected"), CASES)
def test_links(html: str, expected: str, parser: str) -> None:
    page = extract(html.encode(), URL, parser, Wanted(landmarks=True, anchors=True))
    assert (links_of(page), page.parser, page.error) == (expected, parser, "")
    assert len(page.landmarks) == len(page.anchors) == len(page.nofollow) == len(page.hrefs)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<p>x<frame src=1 longdesc=2><iframe src=3 longdesc=4></iframe><img longdesc=5 src=6>",
            ["1", "2", "3", "4", "5"],
        ),
        ("<noframes><a href=1></noframes><noembed><a href=2></noembed>", ["1", "2"]),
        ("<iframe srcdoc='&lt;a href=1&gt;' src=2><a href=3></iframe>", ["2", "1", "3"]),
        ("<iframe srcdoc='<base href=/b/><a href=1>'></iframe><a href=2>", ["http://example.com/b/1", "2"]),
    ],
)
def test_the_regular_expression_finds_what_is_followed(html: str, expected: list[str]) -> None:
    assert extract(html.encode(), URL, "regex").hrefs == expected


def test_a_frame_is_where_it_stands() -> None:
    html = "<nav><frame src=1 title='menu  bar'></nav><main><noframes><a href=2>two</a><nav><a href=3>three</a></nav>"
    html += "</noframes><iframe srcdoc='<a href=4 rel=nofollow>four</a>'></iframe></main><frame src=5>"
    for parser in TREES:
        page = extract(html.encode(), URL, parser, Wanted(landmarks=True, anchors=True))
        assert (page.hrefs, page.landmarks) == (["1", "2", "3", "4", "5"], b"nmnm-"), parser
        assert page.anchors == ("menu bar", "two", "three", "four", ""), parser
        assert page.nofollow == b"\0\0\0\1\0"


@pytest.mark.parametrize("parser", PARSERS)
def test_regions(parser: str) -> None:
    html = "<frame src=1>[<frame src=2><noframes><a href=3>]<a href=4></noframes><iframe srcdoc='<a href=5>'></iframe>"
    html += "<iframe srcdoc='<a href=6>'></iframe>]<frame src=7><iframe srcdoc='[<a href=8>'></iframe>"
    marked = html.replace("[", "<!--C-->").replace("]", "<!--/C-->").encode()
    page = extract(marked, URL, parser, Wanted(markers=(b"<!--C-->", b"<!--/C-->")))
    assert (page.hrefs, page.regions) == (["1", "2", "3", "4", "5", "6", "7", "8"], b"ecccccee")


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("html", "base", "expected"),
    [
        # the base URL of a srcdoc document is that of the page, unless it has its own (HTML standard 2.4.1)
        ("<iframe srcdoc='<a href=1>'></iframe><base href=/x/>", "http://example.com/x/", ["1"]),
        (
            "<iframe srcdoc='<base href=y/><a href=1><a href=//o.test/><a href=mailto:x>'></iframe><a href=2>"
            "<base href=/x/>",
            "http://example.com/x/",
            ["http://example.com/x/y/1", "http://o.test/", "mailto:x", "2"],
        ),
        (
            "<iframe srcdoc='<base href=/y/><iframe srcdoc=\"<base href=z/><a href=1>\"></iframe><a href=2>'></iframe>",
            URL,
            ["http://example.com/y/z/1", "http://example.com/y/2"],
        ),
        ("<iframe srcdoc='<base href=http://[><a href=1>'></iframe>", URL, ["http://example.com/dir/1"]),
    ],
)
def test_the_base_of_a_srcdoc(html: str, base: str, expected: list[str], parser: str) -> None:
    page = extract(html.encode(), URL, parser)
    assert (page.base, page.hrefs) == (base, expected)


def test_a_srcdoc_does_not_multiply_a_base_that_is_too_long() -> None:
    base = f"http://a.test/{'x' * 10_000}/"
    html = f"<iframe srcdoc='<base href={base}><a href=1></a><a href=2></a><a href=//b.test/></a>'></iframe>"
    assert extract(html.encode(), URL).hrefs == [base, base, "http://b.test/"]


def test_a_base_of_a_srcdoc_may_be_the_page_itself() -> None:
    """Then its links depend on more than the directory of the page."""
    for base, bound in ((URL, True), ("?x", True), ("/x/", False), ("", True)):
        assert (
            extract(f"<iframe srcdoc='<base href=\"{base}\"><a href=?y>'></iframe>".encode(), URL).uses_page_url
            == bound
        )


@pytest.mark.parametrize("parser", TREES)
def test_only_what_is_wanted_is_looked_for(parser: str) -> None:
    for html, _ in CASES:
        every = extract(html.encode(), URL, parser)
        for letter in set(every.kinds):
            alone = extract(html.encode(), URL, parser, Wanted(kinds=frozenset((letter,))))
            assert alone.hrefs == [href for href, kind in zip(every.hrefs, every.kinds, strict=True) if kind == letter]


def test_the_tree_says_what_it_said() -> None:
    """The text of a page is not changed by what is done to find its frames."""
    tree = extract(b"<p>one <frame src=1>two<plaintext><frame src=2>", URL).tree
    assert tree is not None and tree.body is not None
    assert tree.body.text() == "one two<frame src=2>"


DEEP = "<a href=x>"
for _ in range(30):
    DEEP = (
        "<iframe srcdoc='" + DEEP.replace("&", "&amp;").replace("'", "&apos;") + "'></iframe>"
        if len(DEEP) < 10**6
        else DEEP
    )

HOSTILE = [
    "<frame src=x>" * 70_000,
    "<frame " * 140_000,
    "<frame src='" * 80_000,
    "<noframes>" * 100_000,
    "<noframes><p></noframes>" * 40_000,
    "<iframe srcdoc='<a href=x>'></iframe>" * 27_000,
    "<p><template shadowrootmode=open>" * 300,
    "<iframe><noframes><noembed>" * 40_000,
    "<!--" * 100_000 + "<frame src=x>",
    DEEP,
]


@pytest.mark.parametrize("parser", ["lexbor", "regex"])
@pytest.mark.parametrize("html", some_fast(HOSTILE, *HOSTILE[1::3]), ids=[html[:30] for html in HOSTILE])
def test_a_megabyte_of_anything_takes_seconds(html: str, parser: str) -> None:
    start = time.process_time()
    found = extract(html.encode(), URL, parser)
    assert found.parser == ("regex" if too_heavy(html.encode()) else parser)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("parser", TREES)
def test_a_script_behind_a_document_in_a_link_is_no_text_of_it(parser: str) -> None:
    html = b"<a href=1>x<iframe srcdoc='<a href=2>y</a>'></iframe><script>z</script></a>"
    page = extract(html, URL, parser, Wanted(anchors=True))
    assert (page.hrefs, page.anchors) == (["1", "2"], ("x", "y"))


def test_a_script_in_a_link_may_be_all_that_is_wanted_of_it() -> None:
    html = b"<a href=1>x</a><a rel=x href=2><script type='application/ld+json'>{}</script></a>"
    page = extract(html, URL, "lexbor", Wanted(kinds=frozenset(b"aj")))
    assert (page.hrefs, page.parser) == (["1", "2"], "lexbor")
