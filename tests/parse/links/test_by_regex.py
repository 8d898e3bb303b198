from __future__ import annotations

import time

import pytest

from tests.support.cases import one_in
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import Wanted

URL = "http://example.com/dir/page.html"
MEGABYTE = 10**6

LINKS = [
    ("", []),
    ("<a href=1>", ["1"]),
    ("<A HREF = '1'><area\nhref=\"2\"><frame src=3><iframe/src=4/>", ["1", "2", "3", "4/"]),
    ("<a class=x title='href=no' data-href=no href=yes href=no>", ["yes"]),
    ("<a title='>' href=1>", ["1"]),
    ("<a title='<a href=no>' href=1>", ["1"]),
    ("<a href><area href=''><iframe src><frame src=''>", ["", ""]),
    ("<abbr href=1><article href=2><link href=3><img src=4>", []),
    ("<a name=x>", []),
    ('<a href="?a=1&amp;b=2&copy=3&lt;&#x41;&#66;&notit;&">', ["?a=1&b=2&copy=3<AB&notit;&"]),
    ("<a href='&#" + "9" * 5000 + ";'>", ["&#" + "9" * 5000 + ";"]),
    ("<meta http-equiv=Refresh content='0;url=1'><meta content='0;2' http-equiv=refresh>", ["1", "2"]),
    ("<meta http-equiv=refresh content=5><meta name=x content='0;url=1'>", []),
    ("<!-- <a href=1> --><script>'<a href=2>'</script><textarea><a href=3></textarea>", ["1", "2", "3"]),
    ("<template><a href=1></template>", ["1"]),
    ("<a href='1", ["1"]),
    ("<a href=1", ["1"]),
    ("<a href=ü>", ["ü"]),
    ("<a href='a\r\nb'>", ["a\nb"]),
    ('<a href="1"title="2"><a title="x"href="3">', ["1", "3"]),
]

HOSTILE = [
    b"<a ",
    b"<a href=",
    b'<a href="',
    b"<a href='x' ",
    b"<a b='",
    b"<",
    b"<a<",
    b"<a =",
    b"<a = ",
    b"<a a=a ",
    b"<meta http-equiv=refresh content='1;",
    b"<title",
    b"<title>",
    b"<title ",
    b"<base ",
    b"<!-- CONTENT --><a href=1>",
]
# one tag, and inside it a very long attribute list or value
HOSTILE_TAGS = [b" x", b" href x", b" x=y", b"=", b" ", b"/", b"&", b"&#", b"&a", b"\x00", b"\xff", b"\r", b"hre"]
FRONTS = [b"<a", b"<a href='", b"<a href=x", b"<meta http-equiv=refresh content='1;", b"<title "]


@pytest.mark.parametrize(("html", "expected"), LINKS)
def test_links(html: str, expected: list[str]) -> None:
    page = extract(html.encode(), URL, "regex")
    assert (page.hrefs, page.kinds, page.parser, page.error) == (expected, b"x" * len(expected), "regex", "")


@pytest.mark.parametrize(
    ("html", "base", "title"),
    [
        ("<base target=x><BASE HREF='//x'><base href=/y/><title\n lang=en>a &amp;\n b</TITLE>", "http://x/", "a & b"),
        ("<base href=javascript:x><title>no end", URL, "no end"),
        ("<titles>x</titles>", URL, ""),
        ("<title>&#" + "9" * 9000, URL, "\ufffd"),
    ],
)
def test_base_and_title(html: str, base: str, title: str) -> None:
    page = extract(html.encode(), URL, "regex")
    assert (page.base, page.title) == (base, title)


def test_regions_by_place_in_the_source() -> None:
    html = b"<a href=1>[<a href=2><!-- <a href=3> -->]<a href=4><script>'['<a href=5></script>[<a href=6>"
    assert extract(html, URL, "regex", Wanted(markers=(b"[", b"]"))).regions == b"ecceec"


@pytest.mark.parametrize("markers", [None, (b"<!-- CONTENT -->", b"<!-- /CONTENT -->")])
@pytest.mark.parametrize("piece", one_in(3, HOSTILE))
def test_a_megabyte_of_anything_takes_less_than_a_second(piece: bytes, markers: tuple[bytes, bytes] | None) -> None:
    html = piece * (MEGABYTE // len(piece))
    start = time.process_time()
    assert extract(html, URL, "regex", Wanted(markers=markers)).parser == "regex"
    assert time.process_time() - start < 1


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("piece", one_in(3, HOSTILE_TAGS))
def test_a_megabyte_in_one_tag(front: bytes, piece: bytes) -> None:
    html = front + piece * (MEGABYTE // len(piece))
    start = time.process_time()
    assert extract(html, URL, "regex").parser == "regex"
    assert time.process_time() - start < 1
