"""Title and author of RTF, in the characters of its code page and in Unicode (RTF 1.9.1: "Unicode RTF", "Information
Group")."""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

from ttcrawl.read.documents.extract import Extract
from ttcrawl.read.documents.ole import CODE_PAGES

#: Bytes of the information group that are read.
LONGEST = 1 << 16

_HEAD = re.compile(rb"\s{0,99}\{\\rtf[^{}]{0,4000}")  # what holds in the whole document
_INFO = re.compile(rb"(?<!\\)\{\s*\\info(?![a-z])")
_PAGE, _FALLBACK = re.compile(rb"\\ansicpg(\d{1,5})"), re.compile(rb"\\uc(\d{1,2})")
_CHARACTER_SET = re.compile(rb"\\(mac|pca|pc)(?![a-z])")
_OF_CHARACTER_SET = {b"mac": "mac-roman", b"pc": "cp437", b"pca": "cp850"}

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?[ ]?|\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<escaped>[\\{}])"
    rb"|\\(?P<symbol>[^a-zA-Z])|(?P<brace>[{}])|(?P<byte>[^\\{}\r\n])",
    re.DOTALL,
)

#: Control words and symbols that stand for a character.
_BLANKS = (b"tab", b"line", b"par", b"emspace", b"enspace", b"qmspace", b"~", b"\n", b"\r")
_CHARACTERS = dict.fromkeys(_BLANKS, " ") | {
    b"emdash": "\u2014",
    b"endash": "\u2013",
    b"bullet": "\u2022",
    b"lquote": "\u2018",
    b"rquote": "\u2019",
    b"ldblquote": "\u201c",
    b"rdblquote": "\u201d",
    b"_": "-",
}

#: Destinations of the information group -> field.
_FIELDS = {b"title": "title", b"author": "author"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """What holds inside braces."""

    field: str = ""  # the one that its characters belong to, "" if none
    fallback: int = 1  # characters after each Unicode character, for readers that do not know it
    pair_at: int = 0  # where a text begins that stands here in the code page, and then in Unicode (\\upr)


def describe(path: Path, extract: Extract) -> None:
    """Fill in what the information group says."""
    data = path.read_bytes()
    head, info = _HEAD.match(data), _INFO.search(data)
    if head is not None and info is not None:
        fallback = _FALLBACK.search(head[0])
        group = _Group(fallback=int(fallback[1]) if fallback else 1)
        fields = _Information(charset(head[0]), [group]).read(data[info.end() : info.end() + LONGEST])
        extract.title = fields.get("title") or extract.title
        extract.author = fields.get("author") or extract.author


def charset(head: bytes) -> str:
    """The name of the code page that the beginning of a document declares; windows-1252 if it is unknown."""
    if (page := _PAGE.search(head)) is not None:
        name = CODE_PAGES.get(int(page[1]), f"cp{int(page[1])}")
        try:
            return codecs.lookup(name).name
        except LookupError:
            return "cp1252"
    declared = _CHARACTER_SET.search(head)
    return _OF_CHARACTER_SET[declared[1]] if declared else "cp1252"


@dataclass(slots=True)
class _Information:
    """The fields of an information group. Each of its bytes is read once."""

    _charset: str
    _groups: list[_Group]  # the open ones
    _units: dict[str, bytearray] = field(default_factory=lambda: defaultdict(bytearray))  # of UTF-16: \\u is one unit
    _bytes: bytearray = field(default_factory=bytearray)  # in the code page, where a character may be several bytes
    _skipped: int = 0  # characters that stand for the Unicode character before them

    def read(self, data: bytes) -> dict[str, str]:
        for token in _TOKEN.finditer(data):
            if token["brace"]:
                self._brace(token["brace"])
            elif token["hex"]:
                self._in_code_page(bytes.fromhex(token["hex"].decode()))
            elif token["byte"] or token["escaped"]:
                self._in_code_page(token["byte"] or token["escaped"])
            else:
                self._control(token["word"] or token["symbol"], int(token["number"] or 1))
            if not self._groups:
                break
        self._decode()
        texts = {name: units.decode("utf-16-le", "replace") for name, units in self._units.items()}
        return {name: " ".join(text.split()) for name, text in texts.items()}

    def _brace(self, brace: bytes) -> None:
        self._decode()
        self._skipped = 0
        if brace == b"{":
            self._groups.append(self._groups[-1])
        else:
            self._groups.pop()

    def _control(self, word: bytes, number: int) -> None:
        group = self._groups[-1]
        if word == b"u":
            self._add((number & 0xFFFF).to_bytes(2, "little"))
            self._skipped = group.fallback
        elif word in _FIELDS:
            self._units[_FIELDS[word]].clear()
            self._groups[-1] = replace(group, field=_FIELDS[word])
        elif word == b"upr":
            self._decode()
            self._groups[-1] = replace(group, pair_at=len(self._units[group.field]))
        elif word == b"ud" and len(self._groups) > 1:
            self._groups[-1] = replace(group, field=self._groups[-2].field)
            del self._units[self._groups[-1].field][group.pair_at :]
        elif word == b"uc":
            self._groups[-1] = replace(group, fallback=min(max(number, 0), 99))
        elif word == b"*":
            self._groups[-1] = replace(group, field="")  # a destination that only some readers know
        elif self._skipped:
            self._skipped -= 1
        elif word in _CHARACTERS:
            self._add(_CHARACTERS[word].encode("utf-16-le"))

    def _in_code_page(self, byte: bytes) -> None:
        if self._skipped:
            self._skipped -= 1
        else:
            self._bytes += byte

    def _decode(self) -> None:
        if self._bytes:
            text = bytes(self._bytes).decode(self._charset, "replace")
            self._bytes.clear()
            self._units[self._groups[-1].field] += text.encode("utf-16-le")

    def _add(self, units: bytes) -> None:
        self._decode()
        self._units[self._groups[-1].field] += units
