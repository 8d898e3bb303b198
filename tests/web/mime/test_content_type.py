"""Type and charset of the header fields Content-Type, and that every reader of them takes the same of several."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web
from ttcrawl.web.mime.content_type import content_type, declared_type

# web-platform-tests, fetch/content-type/resources/content-types.json, and what servers send besides
SEVERAL = [
    ([], "", ""),
    ([""], "", ""),
    (["", "text/plain"], "text/plain", ""),
    (["text/plain", ""], "text/plain", ""),
    (["text/html", "text/plain"], "text/plain", ""),
    (["text/plain;charset=gbk", "text/html"], "text/html", ""),
    (["text/plain;charset=gbk", "text/html;charset=windows-1254"], "text/html", "windows-1254"),
    (["text/plain;charset=gbk", "text/plain"], "text/plain", "gbk"),
    (["text/plain;charset=gbk", "text/plain;charset=windows-1252"], "text/plain", "windows-1252"),
    (["text/html;charset=gbk", 'text/html;x=",text/plain"'], "text/html", "gbk"),
    (["text/plain;charset=gbk;x=foo", "text/plain"], "text/plain", "gbk"),
    (["text/html;charset=gbk", "text/plain", "text/html"], "text/html", ""),
    (["text/plain", "*/*"], "text/plain", ""),
    (["text/html", "*/*;charset=gbk"], "text/html", ""),
    (["text/html;charset=gbk", "*/*;charset=x"], "text/html", "gbk"),
    (["text/html", "image/png"], "image/png", ""),
    (['text/html;" \\"', "text/plain"], "text/html", ""),
    (["TEXT/Html ; charset=x"], "text/html", "x"),
    (["text"], "", ""),
    (["text/"], "", ""),
    (["te xt/html"], "", ""),
    (["\x00text/html"], "", ""),
    # no MIME types, and yet clear
    (["text/html,charset=utf-8"], "text/html", "utf-8"),
    (["text/html charset=utf-8"], "", "utf-8"),
    (["text/html; charset=gbk", "charset=utf-8"], "text/html", "gbk"),
    (["text/html; charset=gbk", "nonsense; charset=utf-8"], "text/html", "gbk"),
]
ONE = [
    ("text/html; charset=utf-8", "utf-8"),
    ("text/html;charset=UTF-8", "UTF-8"),
    ('text/html; charset="iso-8859-2"', "iso-8859-2"),
    ("text/html; charset='koi8-r'", "koi8-r"),
    ("text/html; boundary=x; Charset = cp1251 ; y=z", "cp1251"),
    ("text/html; xcharset=utf-8", ""),
    ("text/html; charset=", ""),
    ('text/html; charset=""', ""),
    ("text/html", ""),
]


@pytest.mark.parametrize(("values", "essence", "charset"), SEVERAL)
def test_of_several_the_last_that_is_a_type(values: list[str], essence: str, charset: str) -> None:
    assert content_type(values) == (essence, charset)
    assert content_type([", ".join(values)]) == (essence, charset)


@pytest.mark.parametrize(("value", "charset"), ONE)
def test_the_charset_of_one(value: str, charset: str) -> None:
    assert content_type([value]) == ("text/html", charset)


@given(st.lists(st.text(max_size=100), max_size=4))
def test_any_header(values: list[str]) -> None:
    content_type(values)
    assert content_type([*values, "text/html; charset=koi8-r"])[1:] or any('"' in value for value in values)
    assert isinstance(declared_type(values), str)


def typed(*values: str) -> tuple[tuple[str, str], ...]:
    return tuple(("Content-Type", value) for value in values)


WORD = "тест"
PAGE = f"<title>{WORD}</title><p>{WORD}".encode("koi8-r")
#: path -> headers, body, type, charset: the same field decides of both, and of what is wanted
PAGES = {
    "/last": (typed("text/plain; charset=utf-8", "text/html; charset=koi8-r"), PAGE, "text/html", "koi8-r"),
    "/other": (
        typed("image/png; charset=windows-1251", "text/html"),
        b"<meta charset=koi8-r>" + PAGE,
        "text/html",
        "koi8-r",
    ),
    "/carried": (typed("text/html; charset=koi8-r", "text/html"), PAGE, "text/html", "koi8-r"),
    "/nonsense": (typed("text/html; charset=koi8-r", "nonsense; charset=utf-8"), PAGE, "text/html", "koi8-r"),
    "/one": (typed("text/plain, text/html; charset=koi8-r"), PAGE, "text/html", "koi8-r"),
}
REFUSED = {"/image": (typed("text/html; charset=koi8-r", "image/png"), PAGE)}


@pytest.mark.slow
def test_type_charset_and_what_is_wanted_agree(tmp_path) -> None:
    answers = {("a.test", path): Answer(headers=case[0], body=case[1]) for path, case in (PAGES | REFUSED).items()}
    with Web({**answers, ("a.test", "/robots.txt"): Answer(status=404)}) as web:
        urls = [web.url("a.test", path) for path in (*PAGES, *REFUSED)]
        done = crawl(web, urls, tmp_path / "c", "--no-obey-delay", "--set", "fetch.types=text/html")
        columns = "url.url, type, declared_type, page.charset, title"
        rows = done.query(f"SELECT {columns} FROM url JOIN page ON page.url = url.id")
        states = {url: state for url, state in done.states().items()}
    found = {url.rpartition("/")[2]: tuple(rest) for url, *rest in rows}
    for path, (_, _, mime, charset) in PAGES.items():
        assert found[path[1:]] == (mime, mime, charset, WORD), path
        assert states[web.url("a.test", path)] == ("fetched", "http 200")
    assert states[web.url("a.test", "/image")] == ("refused", "type")
