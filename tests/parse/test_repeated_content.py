"""What repeats on pages, by both readers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.compiled import needs_core
from ttcrawl import core
from ttcrawl.parse.repeated_content import content_hashes, without_hrefs, without_numbers

PIECES = st.sampled_from(
    [
        *("href=", "HREF =", "href", "hreF\n=\t", "a b=", " ", "=", '"', "'", ">", "<", "<a ", "x", "7", "17", "007"),
        *("href='a", 'href="b"', "href= c ", "href=d>", "hhref=1ref=2", "<img src=7.png>", "é", "\f", "\v", "\x1c"),
    ]
)


@pytest.mark.parametrize(
    ("html", "rest"),
    [
        ("<a href=b c=d>", "<a  c=d>"),
        ("<a HREF = 'b c' d>", "<a  d>"),
        ("href=", "href="),
        ("href = >", "href = >"),
        ("href=''", ""),
        ("href='a", "href='a"),
        ("hrefhref=a", "href"),
        ("ref=a", "ref=a"),
        ("=href=a", "="),
        ("href=a=b c", " c"),
        ('href=a"b', '"b'),
        ("hre\0f=a", "hre\0f=a"),
    ],
)
@pytest.mark.usefixtures("reader")
def test_without_hrefs(html, rest):
    assert without_hrefs(html.encode()) == rest.encode()


@pytest.mark.parametrize(
    ("html", "rest"),
    [
        ("7 of 17, 7", " of 17, "),
        ("<img src=7.png>7", "<img src=7.png>"),
        ("<img 7<b 7>7", "<img 7<b 7>"),
        ("77 7x7", "77 x"),
        ("<7", "<7"),
        ("<", "<"),
        ("", ""),
    ],
)
@pytest.mark.usefixtures("reader")
def test_without_numbers(html, rest):
    assert without_numbers(html.encode(), (b"7", b"8")) == rest.encode()


@needs_core
@given(st.lists(PIECES, max_size=20).map("".join).map(str.encode), st.sets(st.sampled_from([b"7", b"17"])).map(tuple))
def test_the_readers_agree(html, numbers):
    with pytest.MonkeyPatch.context() as patch:
        compiled = without_hrefs(html), without_numbers(html, numbers)
        patch.setattr(core, "native", None)
        assert compiled == (without_hrefs(html), without_numbers(html, numbers))


@needs_core
@pytest.mark.parametrize("arguments", [(b"a", [b"7"]), ("a", (b"7",)), (b"a", (7,))])
def test_wrong_arguments(arguments):
    with pytest.raises(TypeError):
        core.native.without_numbers(*arguments)
    with pytest.raises(TypeError):
        core.native.without_hrefs("a")


@pytest.mark.usefixtures("reader")
def test_hrefs_and_own_numbers_are_not_what_a_page_says():
    exact, page = content_hashes("http://a7.test/x080", b"<a href='1'>080</a>7, on to 81")
    other, numberless = content_hashes("http://a7.test/x90", b"<a HREF=2>90</a>7, on to 89")
    assert page == numberless and exact != other
    assert page != content_hashes("http://a7.test/x080", b"<a href='1'>80</a>6, on to 81")[1]
    assert content_hashes("http://a.test/8", b"<a href=9>on") == content_hashes("http://a.test/9", b"<a href=10>on")
    exact, page = content_hashes("http://a.test/month/2031-05", b"<h1>5 2031")
    assert exact == page == content_hashes("http://a.test/month/2031-06", b"<h1>6 2031")[0]


@pytest.mark.usefixtures("reader")
def test_hrefs_in_capitals_take_what_is_in_them_along():
    assert content_hashes("http://a.test/x", b"<a HREF=\"'href='\">a") == content_hashes("http://a.test/x", b"<a >a")
    assert content_hashes("http://a.test/x", b"<a hhref=1ref=2>a") == content_hashes("http://a.test/x", b"<a h>a")


@pytest.mark.usefixtures("reader")
def test_own_numbers_are_left_out_up_to_the_end():
    numberless = content_hashes("http://a.test/x", b"<img src=7.png> of 9, ")[0]
    assert content_hashes("http://a.test/7", b"<img src=7.png>7 of 9, 7")[1] == numberless


def test_a_url_may_have_any_number_of_numbers():
    url = "http://a.test/" + "/".join(map(str, range(1000, 4000, 3)))
    for number, is_left_out in ((1000, False), (3997, True), (3998, True)):
        exact, near = content_hashes(url, b"<p>%d of many" % number)
        assert (exact != near) == is_left_out
