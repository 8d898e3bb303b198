"""Plain references are joined as the URL parser joins them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ttcrawl import core
from ttcrawl.web.reference import PlainBase
from ttcrawl.web.url import joined, plain

BASES = (
    *("http://a.test/", "http://a.test/x", "https://a.test:8080/x/y/z.html?a=/b/c#d", "http://a.test//x//y"),
    *("http://a.test/x%7e/y", "http://me@a.test/x/", "http://a.test/x@y/", "ftp://a.test/x/", "data:a/b", "nothing"),
    *(
        "HTTP://A.test/./x/../y/z",
        "http://1.2/x/",
        "http://[::1]/x/",
        "http://b\u00fc.test/x/",
        "http://a.test/\u00fc/x",
    ),
)
JOINED = (
    *("x", "x/", "x/y.html", "x//y", "x..y", "x./y.", "x;y=1", "x?a=b&c=d/e.", "-", "~x", "$(x)*+,=@!", "x?.", "_"),
    *("../x", "../", "../../../x?y", "../?x=y", "/", "/x", "/x?y/z.", "/?x", "x/y?z=/", "A/B.C"),
    *("http://b.test/", "https://b.c-d.test/x/y.z?a=b", "http://b1.x2y.test/", "http://www.test/?x"),
)
LEFT = (
    *(
        "",
        "?",
        "?x",
        "#",
        "x#y",
        ".",
        "..",
        "./x",
        "x/.",
        "x/./y",
        "x/../y",
        "../.",
        "../..",
        "/.",
        "/../x",
        ".x",
        "x/.y",
        "x?a=b&c=d/../e",
        "/x?y/.z",
    ),
    *(
        "//b.test/",
        "///x",
        "/\\b",
        "\\x",
        "x y",
        " x",
        "x ",
        "x\n",
        "x\ty",
        "%7e",
        "x?%41",
        "x?",
        "x?a'b",
        "x?a?b",
        "a:b",
        "x:y",
    ),
    *(
        "mailto:a",
        "javascript:0",
        "C|/x",
        "http:x",
        "http://b",
        "HTTP://b.test/",
        "http://B.test/",
        "http://b.test:80/",
    ),
    *(
        "http://xn--a.test/",
        "http://b.xn--a/",
        "http://1.2.3.4/",
        "http://0x7f.1/",
        "http://b.0x1/",
        "http://b/",
        "http://b..test/",
    ),
    *(
        "http://b.test./",
        "http://u@b.test/",
        "http://b_c.test/",
        "http://b.test//x/../y",
        "http://b.test/.x",
        "\u00fc",
        "x\ud83d",
    ),
    *("http://-b.test/", "x|y", "x^y", "x`y", "{x}", '"x"', "<x>", "x[1]", "http://b.test/[x]", "ftp://b.test/x"),
)


@pytest.mark.parametrize("reference", JOINED)
def test_plain_references(reference):
    assert PlainBase("http://a.test/x/y.html?z").joined(reference) == joined("http://a.test/x/y.html?z", reference)


@pytest.mark.parametrize("reference", LEFT)
def test_others_are_left_to_the_parser(reference):
    assert PlainBase("http://a.test/x/y.html").joined(reference) == ""


def agrees(base, reference):
    plain_base = PlainBase(base)
    mine = plain_base.joined(reference)
    if core.native is not None and reference != "!":  # for which it asks Python
        assert core.native.join_plain(plain_base.directory, reference) == mine
    return not mine or mine == joined(base, reference) == plain(mine)


@pytest.mark.parametrize("base", BASES)
def test_on_any_base(base):
    assert all(agrees(base, each) for each in (*JOINED, *LEFT))


@given(st.sampled_from(BASES), st.text("./?ax-:%@#\\ 1~", max_size=12))
@example("http://a.test/x/", "../..//../x")
def test_any_reference(base, reference):
    assert agrees(base, reference)


@given(st.text("ab1.-x/n?", max_size=14), st.sampled_from(("http://", "https://", "../", "../../../")))
def test_any_end(text, beginning):
    assert agrees("http://a.test/x/y/z.html", beginning + text)
