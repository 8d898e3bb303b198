"""The page of a listing."""

import pytest

from ttcrawl.parse.links.extract import extract
from ttcrawl.web.ftp.listing import Entry
from ttcrawl.web.ftp.page import html
from ttcrawl.web.url import resolve

URL = "ftp://a.test/pub/"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (b"x.txt", "x.txt"),
        (b"a b", "a%20b"),
        (b"a:b", "a:b"),
        (b"#1?x%41", "%231%3Fx%2541"),
        (b"\xc3\xa9\xe9", "%C3%A9%E9"),
        (b"<b>&amp;\"'", "%3Cb%3E&amp;%22'"),
        (b"~(1);x=y", "~(1);x=y"),
        (b"//", "%2F%2F"),
    ],
)
def test_links(name, path):
    body, complete = html(URL, [Entry(name=name), Entry(name=name, is_directory=True)], 10_000)
    page = extract(body.decode(), URL)
    urls = [resolve(URL, href, ftp=True) for href in page.hrefs]
    assert complete and urls == [f"{URL}{path}", f"{URL}{path}/"] and page.title == f"Index of {URL}"


def test_a_file_whose_name_ends_like_the_mode_of_a_transfer():
    body, _ = html(URL, [Entry(name=b"x;type=a"), Entry(name=b"x;type=a", is_directory=True)], 10_000)
    urls = [resolve(URL, href, ftp=True) for href in extract(body.decode(), URL).hrefs]
    assert urls == [f"{URL}x%3Btype=a", f"{URL}x;type=a/"]


def test_it_has_at_most_so_many_bytes():
    names = [Entry(name=b"%d" % number, size=number, modified="<now>") for number in range(100)]
    whole, complete = html(URL, names, 100_000)
    assert complete and b"&lt;now&gt;" in whole and whole.endswith(b"</html>\n")
    part, complete = html(URL, names, 1000)
    assert not complete and len(part) <= 1000 and whole.startswith(part)
    assert html(URL, names, 10) == (whole[:10], False)
