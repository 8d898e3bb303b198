"""Where a page names its encoding: in the first 1024 bytes, later in its head, behind a label that is none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.web.charset.declaration import LONGEST_HEAD, PRESCAN, declared_in, scanned
from ttcrawl.web.charset.detect import to_utf8

META = b"<meta charset=koi8-r>"
PRAGMA = b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">'
STYLE = b"<style>" + b"p { color: red }\n" * 200 + b"</style>"
BOGUS = b"<meta charset=bogus>"

NAMED = [
    META,
    PRAGMA,
    # a label that is none does not end the search
    BOGUS + META,
    b"<meta charset=''>" + META,
    b"<meta charset=bogus><meta charset=none>" + PRAGMA,
    b'<meta http-equiv=content-type content="text/html; charset=bogus">' + META,
    b'<meta http-equiv=content-type content="text/html; charset=bogus" charset=koi8-r>',
    b"<meta charset=bogus http-equiv=content-type content='text/html; charset=koi8-r'>",
    BOGUS + STYLE + META,
    BOGUS + b"<script>'</head>'</script><!-- <meta charset=utf-8> -->" + META,
    BOGUS + b"<title>a > b</title><p title='<meta charset=utf-8>'>" + META,
    # behind the first 1024 bytes
    STYLE + META,
    STYLE + PRAGMA,
    STYLE + BOGUS + META,
    b" " * 1010 + META,
    b" " * 1023 + META,
    b"<!-- " + b"<meta charset=utf-8>" * 100 + b" -->" + META,
    b"<!--" + b"x" * 1100 + b"--!><META CHARSET = KOI8-R >",
    b"<html><head>" + STYLE + b"<title>" + b"<meta charset=utf-8>" * 100 + b"</TITLE >" + META,
    b"<script>if (a<b) document.write('<meta charset=utf-8><body></head>')" + b"//" * 999 + b"</script>" + META,
    STYLE + b"<noscript><meta charset=utf-8></noscript>" + META,
    STYLE + b"<link title=\"</head>\" href='<body>'>" + META,
    STYLE + b"<MeTa\nContent='text/html;CharSet = \"koi8-r\"; x=y'\tHTTP-EQUIV=Content-Type />",
    STYLE + b"<meta charset=koi8-r charset=utf-8>",
    STYLE + b"<?xml encoding='utf-8'?><!doctype html></p ><" + META,
    STYLE + b"<p>no head and no body</p>" + META,
    b"\n" * (LONGEST_HEAD - len(META)) + META,
    META + b"<title>" + b"<meta charset=utf-8>",  # the first one counts
    # an XML declaration is asked last
    b"<?xml version='1.0' encoding='koi8-r'?><html>",
    b"<?xml version='1.0' encoding='koi8-r'?>" + BOGUS,
    b"<?xml version='1.0' encoding='utf-8'?><html><head>" + STYLE + META,
]

UNNAMED = [
    b"",
    STYLE,
    b"charset=koi8-r",
    b"<!--" + META + b"--",
    b"<!-- " + b"x" * 1100 + META + b" -->",
    STYLE + b"<script>" + META + b"</script>",
    STYLE + b"<script>" + META,
    STYLE + b"<title>" + META,
    STYLE + b"<noscript>" + META + b"</noscript>",
    STYLE + b"</head>" + META,
    STYLE + b"<body class=x>" + META,
    STYLE + b"<p title='" + META + b"'>",
    STYLE + b'<p title="' + META,
    STYLE + b"<metacharset=koi8-r>",
    STYLE + b"<meta charset=koi8-r",
    STYLE + b"<meta name=charset content=koi8-r>",
    STYLE + b"<meta content='text/html; charset=koi8-r'>",
    STYLE + b"<meta http-equiv=content-type content='text/html; charset=\"koi8-r'>",
    STYLE + b"<meta name=viewport content='charset=koi8-r'>",
    b"\n" * LONGEST_HEAD + META,
]


@pytest.mark.parametrize("page", NAMED)
def test_the_label_that_counts(page: bytes) -> None:
    text, charset, declared, decided = to_utf8(page + "тест".encode("koi8-r"), "")
    assert (charset, declared.lower(), decided) == ("koi8-r", "koi8-r", "meta")
    assert text.decode().endswith("тест")


@pytest.mark.parametrize("page", UNNAMED)
def test_what_declares_nothing(page: bytes) -> None:
    assert declared_in(page) == ""
    assert to_utf8(page, "")[1] == "utf-8"


def test_a_label_that_is_none_is_on_record() -> None:
    assert to_utf8(STYLE + BOGUS + b"x", "")[1:] == ("utf-8", "bogus", "content")
    assert to_utf8(BOGUS + b"x", "")[1:] == ("utf-8", "bogus", "content")
    assert to_utf8(META, "bogus")[1:] == ("koi8-r", "bogus", "meta")
    assert to_utf8(b"\xef\xbb\xbf" + META, "")[1:] == ("utf-8", "koi8-r", "bom")
    assert to_utf8(META, "utf-8")[1:] == ("utf-8", "utf-8", "header")


@pytest.mark.parametrize(
    ("label", "name"), [("utf-16", "utf-8"), ("UTF-16BE", "utf-8"), ("x-user-defined", "windows-1252")]
)
@pytest.mark.parametrize("before", [b"", STYLE, BOGUS])
def test_what_can_be_read_is_not_what_it_cannot_be(label: str, name: str, before: bytes) -> None:
    assert to_utf8(before + b"<meta charset=%b>" % label.encode(), "")[1] == name


HOSTILE = [
    b"<a ",
    b"<meta charset ",
    b"<meta charset=x>",
    b"<!--",
    b"<a b='",
    b"</",
    b"<script>",
    b"<style></style",
    b"<",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_heads_do_not_hang(piece: bytes) -> None:
    """A quadratic search of 128 KB would take minutes."""
    page = b"charset" + piece * (2 * LONGEST_HEAD // len(piece))
    started = time.process_time()
    declared_in(page)
    assert time.process_time() - started < 5


@given(
    st.lists(st.sampled_from([*NAMED, *UNNAMED, *HOSTILE, b">", b"'", b'"', b"-->", b"</script>", b"\xff"]), max_size=6)
)
def test_anything_is_read(parts: list[bytes]) -> None:
    assert isinstance(declared_in(b"".join(parts)), str)


USUAL = [
    *(
        b"<!DOCTYPE html>",
        b'<html lang="en">',
        b"<head>",
        b"\n  ",
        b"<title>a charset</title>",
        b'<?xml version="1.0"?>',
    ),
    *(b'<meta charset="utf-8">', b'<META CHARSET="koi8-r" />', b'<meta name="viewport" content="charset=big5">'),
    *(b'<meta http-equiv="Content-Type" content="text/html;charset=koi8-r"/>', b'<link rel="a" href="b">'),
    *(
        b"<meta charset=koi8-r/>",
        b'<meta charset="bogus">',
        b"<!--",
        b"-->",
        b"<head/ a=b>",
        b'<html a="',
        b"<title>",
        b"\v",
    ),
    *(
        b'<meta name="a" charset="big5">',
        b'<meta http-equiv="refresh" content="1">',
        b"<meta>",
        b"\xff",
        b'"',
        b">",
        b"/",
    ),
    *(b"<p>", b"text", b"<style>", b"</style>", b"<meta charset=" + b'"koi8-r"', b" " * (PRESCAN - 30), b"<head"),
]


@given(st.lists(st.sampled_from(USUAL), max_size=8))
def test_one_match_finds_what_the_scan_finds(parts: list[bytes]) -> None:
    body = b"".join(parts)
    assert declared_in(body) == scanned(body)
