"""Every pointer of every index of the Encoding standard, through the reader of pages.

The truth: Python's codecs and the few places where the standard's indexes differ from them (encoding_differences.txt).
JIS X 0208 is the same in Shift_JIS (where Python's cp932 has the standard's index), EUC-JP and ISO-2022-JP.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.cases import one_in
from ttcrawl.web.charset.detect import to_utf8

BAD = "\ufffd"
#: Encoding -> the codec of Python that is nearest to it.
SINGLE = {
    **{f"windows-{page}": f"cp{page}" for page in (*range(1250, 1259), 874)},
    **{f"iso-8859-{part}": f"iso8859_{part}" for part in (*range(2, 9), 10, 13, 14, 15, 16)},
    **{"iso-8859-8-i": "iso8859_8", "ibm866": "cp866", "koi8-r": "koi8-r", "koi8-u": "koi8-u"},
    **{"macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic"},
}
DOUBLE = {"big5": "big5hkscs", "euc-kr": "cp949", "gbk": "gb18030", "gb18030": "gb18030", "shift_jis": "cp932"}
#: Bytes that begin no pair in Shift_JIS, where Python has a character for each of some more of them than the standard.
SINGLE_JIS = range(0xA0, 0xE0), range(0xFD, 0xFF)
HALF_WIDTH = {bytes((byte,)): chr(0xFF61 + byte - 0xA1) for byte in range(0xA1, 0xE0)}


@cache
def differences(encoding: str) -> dict[bytes, str]:
    lines = (Path(__file__).parent / "encoding_differences.txt").read_text().splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {
        bytes.fromhex(data): "".join(chr(int(each, 16)) for each in characters)
        for name, data, *characters in rows
        if name == encoding
    }


def single_bytes(encoding: str) -> Iterator[tuple[bytes, str]]:
    for byte in range(128, 256):
        data = bytes((byte,))
        text = data.decode(SINGLE[encoding], "replace")
        if text == BAD and byte < 0xA0:
            text = chr(byte)  # the standard leaves no hole among the C1 controls
        yield data, differences(encoding).get(data, text)


def two_bytes(encoding: str) -> Iterator[tuple[bytes, str]]:
    changed = differences("gb18030" if encoding == "gbk" else encoding)
    alone = SINGLE_JIS if encoding == "shift_jis" else ()
    for lead in (each for each in range(0x81, 0xFF) if not any(each in some for some in alone)):
        for trail in (*range(0x40, 0x7F), *range(0x80, 0xFF)):
            data = bytes((lead, trail))
            yield data, changed.get(data, data.decode(DOUBLE[encoding], "replace"))


def four_bytes() -> Iterator[tuple[bytes, str]]:
    """gb18030: all that stand for the Basic Multilingual Plane, and some of each block behind it."""
    for pointer in (*range(39420), *range(189000, 1237576, 511), 1237575):
        first, rest = divmod(pointer, 12600)
        second, rest = divmod(rest, 1260)
        data = bytes((first + 0x81, second + 0x30, rest // 10 + 0x81, rest % 10 + 0x30))
        yield data, differences("gb18030").get(data, data.decode("gb18030", "replace"))


def jis0208() -> Iterator[tuple[int, int, str]]:
    """Row and cell from 0x21, character."""
    for pointer in range(94 * 94):
        lead, trail = divmod(pointer, 188)
        pair = bytes((lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41)))
        yield pointer // 94 + 0x21, pointer % 94 + 0x21, pair.decode("cp932", "replace")


def euc_jp() -> Iterator[tuple[bytes, str]]:
    for row, cell, text in jis0208():
        yield bytes((row + 0x80, cell + 0x80)), text
        data = bytes((0x8F, row + 0x80, cell + 0x80))
        yield data, differences("euc-jp").get(data, data.decode("euc_jp", "replace"))
    for byte, text in HALF_WIDTH.items():
        yield b"\x8e" + byte, text


def iso_2022_jp() -> Iterator[tuple[bytes, str]]:
    for row, cell, text in jis0208():
        for escape in (b"\x1b$B", b"\x1b$@"):
            yield escape + bytes((row, cell)) + b"\x1b(B", text
    for byte, text in HALF_WIDTH.items():
        yield b"\x1b(I" + bytes((byte[0] - 0x80,)) + b"\x1b(B", text
    yield b"\x1b(J\\~\x1b(B", "\xa5\u203e"


def pointers(encoding: str) -> Iterator[tuple[bytes, str]]:
    if encoding in SINGLE:
        yield from single_bytes(encoding)
    if encoding in DOUBLE:
        yield from two_bytes(encoding)
    if encoding == "gb18030":
        yield from four_bytes()
    yield from {"euc-jp": euc_jp, "iso-2022-jp": iso_2022_jp, "shift_jis": HALF_WIDTH.items}.get(encoding, tuple)()


@pytest.mark.parametrize("encoding", one_in(3, [*SINGLE, *DOUBLE, "euc-jp", "iso-2022-jp"]))
def test_every_pointer_is_the_standards(encoding: str) -> None:
    wrong = []
    for data, expected in pointers(encoding):
        found = to_utf8(data, encoding)[0].decode()
        if found != expected if BAD not in expected else BAD not in found:
            wrong.append((data.hex(" "), expected, found))
    assert (len(wrong), wrong[:20]) == (0, [])


MALFORMED = [
    # encoding, bytes, text: what a broken sequence takes with it, by the decoders of the standard
    ("shift_jis", b"\x81", BAD),
    ("shift_jis", b"\x81<p>", BAD + "<p>"),  # a tag is never eaten
    ("shift_jis", b"\x80\xa0\xfda", "\x80" + BAD + BAD + "a"),
    ("euc-jp", b"\xa4<b>", BAD + "<b>"),
    ("euc-jp", b"\x8f\xa1<b>", BAD + "<b>"),
    ("euc-jp", b"\xa7\x9fz", BAD + "z"),
    ("euc-kr", b"\xdc\\a", BAD + "\\a"),
    ("big5", b"\x81<\xa4\xa4", BAD + "<中"),
    ("big5", b"\x88\x62\x88\x64\x88\xa3\x88\xa5", "\xca\u0304\xca\u030c\xea\u0304\xea\u030c"),
    ("gbk", b"\x80\xff<", "€" + BAD + "<"),
    ("gb18030", b"\x810\x81<", BAD + "0" + BAD + "<"),
    ("gb18030", b"\xfe9\xfe9", BAD),
    ("iso-2022-jp", b"\x1b$B$\x1b(Ba", BAD + "a"),
    ("iso-2022-jp", b"\x1bxa\x0e", BAD + "xa" + BAD),
    ("utf-16le", b"a\0\0\xd8b\0\0\xdc", f"a{BAD}b{BAD}"),
    ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff"),
    ("iso-2022-kr", b"anything", BAD),  # a replacement: what is in it could be made to look harmless
    ("hz-gb-2312", b"<p>~{VPND~}", BAD),
]


@pytest.mark.parametrize(("encoding", "data", "text"), MALFORMED)
def test_what_is_malformed(encoding: str, data: bytes, text: str) -> None:
    assert to_utf8(data, encoding)[0].decode() == text
