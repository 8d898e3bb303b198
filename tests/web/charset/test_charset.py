from __future__ import annotations

import pytest
import webencodings
from hypothesis import given
from hypothesis import strategies as st

from tests.support.conformance import cases
from ttcrawl.web.charset.detect import to_utf8

TEXT = "<p>žluťoučký kůň "
TO_UTF8 = [
    # body, charset of the header, UTF-8 expected, name expected
    (b"", "", b"", "utf-8"),
    (b"plain", "", b"plain", "utf-8"),
    (TEXT.encode(), "", TEXT.encode(), "utf-8"),
    (TEXT.encode("iso-8859-2"), "iso-8859-2", TEXT.encode(), "iso-8859-2"),
    (TEXT.encode("iso-8859-2"), " ISO_8859-2 ", TEXT.encode(), "iso-8859-2"),
    ("café".encode("latin-1"), "", "café".encode(), "windows-1252"),
    ("10\x80".encode("latin-1"), "iso-8859-1", "10€".encode(), "windows-1252"),  # the WHATWG's latin-1
    ("café".encode("latin-1"), "no-such-charset", "café".encode(), "windows-1252"),
    ("тест".encode("cp1251"), "cp1251", "тест".encode(), "windows-1251"),
    ("тест".encode("koi8-r"), "koi8-r", "тест".encode(), "koi8-r"),
    ("日本".encode("shift_jis"), "Shift_JIS", "日本".encode(), "shift_jis"),
    ("日本".encode("euc-jp"), "x-euc-jp", "日本".encode(), "euc-jp"),
    ("中文".encode("gb18030"), "gb2312", "中文".encode(), "gbk"),
    (b"\xef\xbb\xbf" + TEXT.encode(), "iso-8859-2", TEXT.encode(), "utf-8"),  # the byte order mark wins
    (b"\xff\xfe" + TEXT.encode("utf-16-le"), "utf-8", TEXT.encode(), "utf-16le"),
    (b"\xfe\xff" + TEXT.encode("utf-16-be"), "", TEXT.encode(), "utf-16be"),
    (TEXT.encode("utf-16-le"), "utf-16", TEXT.encode(), "utf-16le"),
    (b"\xff\xfea", "", "�".encode(), "utf-16le"),  # half a character
    (b"<meta charset=koi8-r>" + "тест".encode("koi8-r"), "", "<meta charset=koi8-r>тест".encode(), "koi8-r"),
    (b"<meta charset=koi8-r>" + "тест".encode(), "utf-8", "<meta charset=koi8-r>тест".encode(), "utf-8"),
    (b"a\x81", "shift_jis", "a�".encode(), "shift_jis"),
    (b"ok \xff", "utf-8", b"ok \xff", "utf-8"),  # declared: handed on as it is, see to_utf8
]


@pytest.mark.parametrize(("body", "charset", "expected", "name"), TO_UTF8)
def test_to_utf8(body: bytes, charset: str, expected: bytes, name: str) -> None:
    assert to_utf8(body, charset)[:2] == (expected, name)


def test_utf8_is_not_copied() -> None:
    for charset in ("", "utf-8"):
        body = TEXT.encode() * 100
        assert to_utf8(body, charset)[0] is body


def test_html5lib_encoding_cases() -> None:
    wrong = []
    for case in cases("encoding_sniff.json"):
        body = case["data_latin1"].encode("latin-1")
        # the cases end in the standard's default; ours asks first whether the bytes are UTF-8
        expected = webencodings.lookup(case["encoding"]).name
        expected = "utf-8" if expected == "windows-1252" and body.isascii() and b"8859-1" not in body else expected
        if to_utf8(body, "")[1] != expected:
            wrong.append((case, to_utf8(body, "")[1]))
    assert wrong == []


LABELS = sorted(webencodings.LABELS)


@given(st.binary(max_size=200), st.one_of(st.sampled_from(LABELS), st.text(max_size=8)))
def test_anything_becomes_utf8(body: bytes, charset: str) -> None:
    utf8, name = to_utf8(body, charset)[:2]
    assert webencodings.lookup(name) is not None
    if name != "utf-8":
        utf8.decode("utf-8")
