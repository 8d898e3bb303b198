from __future__ import annotations

import html
from pathlib import Path

import endec
import pytest

from tests.parse.reading import read
from ttcrawl.parse.links.extract import PARSERS, extract
from ttcrawl.parse.links.query import with_query
from ttcrawl.web.url import resolve

pytestmark = pytest.mark.usefixtures("reader")

URL = "http://a.test/page?é"

# charset of the page, value, query of a link, value in the query of a form, _charset_ of the form; by Chromium 156
QUERIES = [
    ("utf-8", "é漢", "%C3%A9%E6%BC%A2", "%C3%A9%E6%BC%A2", "UTF-8"),
    ("utf-16le", "é", "%C3%A9", "%C3%A9", "UTF-8"),
    ("windows-1252", "Müller", "M%FCller", "M%FCller", "windows-1252"),
    ("windows-1252", "€漢é", "%80%26%2328450%3B%E9", "%80%26%2328450%3B%E9", "windows-1252"),
    ("windows-1252", "a b\"<>'`~|\\é", "a%20b%22%3C%3E%27`~|\\%E9", "a+b%22%3C%3E%27%60%7E%7C%5C%E9", "windows-1252"),
    ("iso-8859-2", "łß漢", "%B3%DF%26%2328450%3B", "%B3%DF%26%2328450%3B", "ISO-8859-2"),
    ("iso-8859-8-i", "שלé", "%F9%EC%26%23233%3B", "%F9%EC%26%23233%3B", "ISO-8859-8-I"),
    ("windows-1251", "тестé", "%F2%E5%F1%F2%26%23233%3B", "%F2%E5%F1%F2%26%23233%3B", "windows-1251"),
    ("koi8-r", "тестé", "%D4%C5%D3%D4%26%23233%3B", "%D4%C5%D3%D4%26%23233%3B", "KOI8-R"),
    ("shift_jis", "漢字", "%8A%BF%8E%9A", "%8A%BF%8E%9A", "Shift_JIS"),
    ("shift_jis", "表～é", "%95\\%81`%26%23233%3B", "%95%5C%81%60%26%23233%3B", "Shift_JIS"),
    ("euc-jp", "漢é", "%B4%C1%26%23233%3B", "%B4%C1%26%23233%3B", "EUC-JP"),
    ("gb18030", "漢😀é", "%9Dh%949%FC6%A8%A6", "%9Dh%949%FC6%A8%A6", "gb18030"),
    ("gbk", "€漢é", "%80%9Dh%A8%A6", "%80%9Dh%A8%A6", "GBK"),
    ("big5", "漢é", "%BA~%26%23233%3B", "%BA%7E%26%23233%3B", "Big5"),
    ("euc-kr", "한é", "%C7%D1%26%23233%3B", "%C7%D1%26%23233%3B", "EUC-KR"),
    (
        *("iso-2022-jp", "a漢字 Γbテスト", "a%1B$B4A;z%1B(B%20%1B$B&%23%1B(Bb%1B$B%F%9%H%1B(B"),
        "a%1B%24B4A%3Bz%1B%28B+%1B%24B%26%23%1B%28Bb%1B%24B%25F%259%25H%1B%28B",
        "ISO-2022-JP",
    ),
    (
        *("iso-2022-jp", "a¥bé漢", "a%1B(J\\b%26%23233%3B%1B$B4A%1B(B"),
        "a%1B%28J%5Cb%26%23233%3B%1B%24B4A%1B%28B",
        "ISO-2022-JP",
    ),
]
# href on a page in windows-1252, the canonical URL; None: not an http(s) URL
HREFS = [
    ("/ü", "http://a.test/%C3%BC"),
    ("/ü?a#?ü", "http://a.test/%C3%BC?a"),
    ("/ü?%fc=ü?ü#ü?ü", "http://a.test/%C3%BC?%FC=%FC?%FC"),
    ("?ü", "http://a.test/page?%FC"),
    (" /x?\nü\t ", "http://a.test/x?%FC"),
    ("/x?&#233;&#0233;ü", "http://a.test/x?&"),
    ("//ü.test/x?ü", "http://xn--tda.test/x?%FC"),
    ("mailto:a?subject=ü", None),
    ("/x?\ud800ü", "http://a.test/x??%FC"),  # not in HTML, but in JSON-LD
]
# accept-charset, the query; on a page in Shift_JIS
FORMS = [
    ("", "q=%83%BF&_charset_=Shift_JIS"),
    ("bogus", "q=%83%BF&_charset_=Shift_JIS"),
    ("bogus Latin1 utf-8", "q=%26%23945%3B&_charset_=windows-1252"),
    ("utf-16", "q=%CE%B1&_charset_=UTF-8"),
]


@pytest.mark.parametrize(("charset", "value", "link", "form", "name"), QUERIES)
def test_queries(charset: str, value: str, link: str, form: str, name: str) -> None:
    text = html.escape(value)
    page = f"<a href='/é?q={text}#é'></a>".encode()
    page += (
        f"<form action=f><input type=hidden name=q value='{text}'><input type=hidden name=_charset_><button></form>"
    ).encode()
    for parser in PARSERS:
        extraction = extract(page, URL, parser, charset=charset)
        assert resolve(URL, extraction.hrefs[0]) == f"http://a.test/%C3%A9?q={link}", parser
        if parser != "regex":
            assert extraction.hrefs[1:] == [f"f?q={form}&_charset_={name}"], parser


@pytest.mark.parametrize(("href", "url"), HREFS)
def test_only_the_query(href: str, url: str | None) -> None:
    assert resolve(URL, with_query(href, "windows-1252")) == url


@pytest.mark.parametrize(("accepted", "query"), FORMS)
def test_accept_charset(accepted: str, query: str) -> None:
    page = (
        f"<form action=f accept-charset='{accepted}'><input type=hidden name=q value=α>"
        "<input type=hidden name=_charset_><button></form>"
    ).encode()
    assert [extract(page, URL, each, charset="shift_jis").hrefs for each in PARSERS[:2]] == [[f"f?{query}"]] * 2


def test_a_page(tmp_path: Path) -> None:
    """The base URL and the canonical one too, and the links of a page within an attribute."""
    page = (
        "<base href='/b?ü'><link rel=canonical href='?c=ü'><a href=''></a>"
        "<iframe srcdoc='<base href=/s?ü><a href>'></iframe>"
    )
    headers = (("Content-Type", "text/html; charset=iso-8859-1"),)
    found = read(tmp_path, "http://a.test/", endec.encode(page, "windows-1252"), headers=headers)
    assert {link.url for link in found.links} == {"http://a.test/b?%FC", "http://a.test/b?c=%FC", "http://a.test/s?%FC"}
    assert found.reading.metadata is not None
    assert found.reading.metadata.canonical == "http://a.test/b?c=%FC"
