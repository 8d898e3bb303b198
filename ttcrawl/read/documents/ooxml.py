"""The parts of Office Open XML (ECMA-376): text of Word, PowerPoint and Excel, and the targets of their links."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ttcrawl.read.documents.extract import MAX_URL, MAX_WORDS

#: A field that is a link: section 17.16.5.25; it may be split into several pieces.
FIELD = re.compile(r'HYPERLINK\s+(?:"([^"]+)"|([^\s"\\]\S*))')
FIELDS = 8  # maximum enclosing fields whose words are collected
#: Elements whose text stands elsewhere too: the choice that a fallback repeats (part 3 section 7.6), and text that was
#: moved away (part 1 section 17.13.5.22).
REPEATED = frozenset(("Fallback", "moveFrom"))
BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
ENDS = {"p": "\n", "row": "\n", "c": "\t", "tr": "\n"}


class Relations:
    """A .rels part (part 2 section 6.5): fills id -> URL with the hyperlinks to targets outside the document."""

    def __init__(self, targets: dict[str, str]) -> None:
        self._targets = targets

    def start(self, name: str, attributes: dict[str, str]) -> None:
        is_link = attributes.get("Type", "").endswith("/hyperlink") and attributes.get("TargetMode") == "External"
        if name == "Relationship" and is_link:
            self._targets[attributes.get("Id", "")] = attributes.get("Target", "")

    def end(self, name: str) -> None: ...

    def data(self, text: str) -> None: ...


@dataclass(slots=True)
class Field:
    """The code of a field, and its displayed words."""

    code: str
    words: str = ""


class Part:
    """A part of Word or PowerPoint. Its links: first those with words, in order of the words, then those without."""

    def __init__(self, targets: dict[str, str]) -> None:
        self._targets = targets
        self._words: dict[str, str] = {}  # id -> words of the link
        self._out: list[str] = []
        self._in_text = self._in_code = False
        self._in_repeated = 0  # depth in elements of REPEATED
        self._link = self._run = ""  # ids: of w:hyperlink, around runs; of a:hlinkClick, inside a run
        self._fields: list[Field] = []  # enclosing fields, the innermost last
        self._linked: list[tuple[str, str]] = []  # links from fields
        self._code: list[str] = []  # code outside any field

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "t":
            self._in_text = True
        elif name == "instrText":
            self._in_code = True
        elif name == "fldSimple":
            self._fields.append(Field(attributes.get("instr", "")))
        elif name == "fldChar" and attributes.get("fldCharType") == "begin":
            self._fields.append(Field(""))
        elif name == "fldChar" and attributes.get("fldCharType") == "end":
            self._close_field()
        elif name == "hyperlink":
            self._link = attributes.get("id", "")
        elif name == "hlinkClick":
            self._run = attributes.get("id", "")
        elif name in REPEATED:
            self._in_repeated += 1
        elif name in BREAKS:
            self._out.append(BREAKS[name])

    def end(self, name: str) -> None:
        if name == "t":
            self._in_text = False
        elif name == "instrText":
            self._in_code = False
        elif name == "fldSimple":
            self._close_field()
        elif name == "hyperlink":
            self._link = ""
        elif name == "r":
            self._run = ""
        elif name in REPEATED:
            self._in_repeated -= 1
        elif name in ENDS:
            self._out.append(ENDS[name])

    def data(self, text: str) -> None:
        if self._in_code and self._fields:
            if len(self._fields[-1].code) < MAX_URL:
                self._fields[-1].code += text
        elif self._in_code:
            self._code.append(text)
        elif self._in_text and not self._in_repeated:
            self._out.append(text)
            if (link := self._run or self._link) and len(words := self._words.get(link, "")) < MAX_WORDS:
                self._words[link] = words + text
            for field in self._fields[-FIELDS:]:
                if len(field.words) < MAX_WORDS:
                    field.words += text

    def _close_field(self) -> None:
        if self._fields:
            field = self._fields.pop()
            self._linked += [(url, field.words) for url in _targets(field.code)]

    def text(self) -> str:
        return "".join(self._out)

    def links(self) -> list[tuple[str, str]]:
        used = [(self._targets[each], words) for each, words in self._words.items() if each in self._targets]
        rest = [(url, "") for each, url in self._targets.items() if each not in self._words]
        while self._fields:  # fields without an end
            self._close_field()
        return used + rest + self._linked + [(url, "") for url in _targets("".join(self._code))]


def _targets(code: str) -> list[str]:
    return [quoted or bare for quoted, bare in FIELD.findall(code)]


class SharedStrings:
    """xl/sharedStrings.xml: fills the list that cells refer to."""

    def __init__(self, strings: list[str]) -> None:
        self._strings = strings
        self._inside = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "si":
            self._strings.append("")
        self._inside = name == "t" and bool(self._strings)

    def end(self, name: str) -> None:
        self._inside = False

    def data(self, text: str) -> None:
        if self._inside:
            self._strings[-1] += text


class Sheet(Part):
    """A sheet of Excel: the values of its cells; its links name their cell."""

    def __init__(self, targets: dict[str, str], shared: list[str]) -> None:
        super().__init__(targets)
        self._shared = shared
        self._cells: dict[str, str] = {}
        self._cell = self._kind = self._value = ""
        self._in_value = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "c":
            self._cell = attributes.get("r", "")
            self._kind = attributes.get("t", "")
            self._value = ""
        elif name == "hyperlink":
            link = attributes.get("id", "")
            self._words[link] = self._cells.get(attributes.get("ref", ""), "") or attributes.get("display", "")
        self._in_value = name in ("v", "t")

    def end(self, name: str) -> None:
        self._in_value = False
        if name == "c":
            if self._kind == "s":
                index = int(self._value) if self._value.isdecimal() else len(self._shared)
                self._value = self._shared[index] if index < len(self._shared) else ""
            self._cells[self._cell] = self._value
            self._out.append(self._value)
        if name in ENDS:
            self._out.append(ENDS[name])

    def data(self, text: str) -> None:
        if self._in_value:
            self._value += text
