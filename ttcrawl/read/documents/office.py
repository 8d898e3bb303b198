"""python:office: OpenDocument (ISO/IEC 26300) and Office Open XML (ECMA-376), which are zip files of XML."""

from __future__ import annotations

import posixpath
import re
import zipfile
from pathlib import Path
from typing import Protocol
from xml.parsers import expat

from ttcrawl.read.documents.extract import Extract, count
from ttcrawl.read.documents.ooxml import Part, Relations, SharedStrings, Sheet

ODF = "application/vnd.oasis.opendocument."
FAMILY = re.compile(r"application/vnd\.(oasis\.opendocument|openxmlformats-officedocument)\.")
#: The parts with text to read.
PARTS = re.compile(
    r"(word/(document\d*|footnotes|endnotes|header\d+|footer\d+)"
    r"|ppt/(slides/slide|notesSlides/notesSlide)\d+|xl/worksheets/sheet\d+)\.xml"
)
#: Those that stand before the others.
FIRST = ("word/document", "ppt/slides/")
MAX_DEPTH = 500  # of elements; a document has some dozens of levels


class Handler(Protocol):
    """Receives the content of a part; names are local, without namespace."""

    def start(self, name: str, attributes: dict[str, str]) -> None: ...
    def end(self, name: str) -> None: ...
    def data(self, text: str) -> None: ...


class EntityError(ValueError):
    """The XML declares entities, which no document needs."""


def feed(xml: bytes, handler: Handler) -> None:
    """Parse XML without entities and external references. Raises EntityError, expat.ExpatError."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def local(name: str) -> str:
        return name.rpartition(" ")[2]

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError(f"elements nested more than {MAX_DEPTH} deep")
        handler.start(local(name), {local(each): value for each, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(local(name))

    def refuse(*_: object) -> None:
        raise EntityError("its XML declares entities")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.data
    parser.EntityDeclHandler = refuse
    parser.Parse(xml, True)


def read(path: Path, media_type: str) -> Extract:
    """Raises EntityError, ValueError, KeyError and what zipfile and expat raise."""
    extract = Extract()
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        if media_type.startswith(ODF):
            content = _Content(extract)
            feed(archive.read("content.xml"), content)
            extract.text = content.text()
            about = [name for name in ("meta.xml",) if name in names]
        else:
            _read_parts(archive, sorted(filter(PARTS.fullmatch, names), key=_order), names, extract)
            about = [name for name in ("docProps/core.xml", "docProps/app.xml") if name in names]
        for name in about:
            feed(archive.read(name), _About(extract))
    return extract


def _order(name: str) -> tuple[int, str, int]:
    number = int((re.search(r"\d+", name.rpartition("/")[2]) or [0])[0])
    return not name.startswith(FIRST), name.rpartition("/")[0], number


def _read_parts(archive: zipfile.ZipFile, parts: list[str], names: set[str], extract: Extract) -> None:
    if not parts:
        raise ValueError("it has no text")
    shared: list[str] = []
    if "xl/sharedStrings.xml" in names:
        feed(archive.read("xl/sharedStrings.xml"), SharedStrings(shared))
    texts = []
    for name in parts:
        directory, _, file = name.rpartition("/")
        targets: dict[str, str] = {}
        if (related := posixpath.join(directory, "_rels", f"{file}.rels")) in names:
            feed(archive.read(related), Relations(targets))
        part = Sheet(targets, shared) if name.startswith("xl/") else Part(targets)
        feed(archive.read(name), part)
        texts.append(part.text())
        extract.links += part.links()
    extract.text = "\n".join(texts)


def _blank(name: str, attributes: dict[str, str]) -> str:
    """In OpenDocument, white space is represented by elements (part 3 section 6.1)."""
    count = attributes.get("c", "1")
    spaces = " " * (min(int(count), 100) if count.isascii() and count.isdecimal() else 1)
    return {"tab": "\t", "line-break": "\n", "s": spaces}.get(name, "")


#: Elements of content.xml that are not text: comments of reviewers, deleted text, pronunciation, descriptions of
#: pictures, footnote numbers.
_UNREAD = frozenset(("annotation", "tracked-changes", "ruby-text", "desc", "note-citation"))


class _Content:
    """content.xml: paragraphs and headings, links around words (text:a, draw:a). Footnotes follow everything else."""

    def __init__(self, extract: Extract) -> None:
        self._extract = extract
        self._body: list[str] = []
        self._notes: list[str] = []
        self._out = self._body
        self._inside = 0  # depth in paragraphs
        self._unread = 0  # depth in elements that are skipped
        self._open: list[tuple[str, int]] = []  # links, and the index in _out where their words start

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in _UNREAD or self._unread:
            self._unread += name in _UNREAD
        elif name == "note-body":
            self._out = self._notes
        elif name in ("p", "h"):
            self._inside += 1
        elif name in ("a", "event-listener"):
            self._open.append((attributes.get("href", ""), len(self._out)))
        elif self._inside:
            self._out.append(_blank(name, attributes))

    def end(self, name: str) -> None:
        if name in _UNREAD or self._unread:
            self._unread -= name in _UNREAD
        elif name == "note-body":
            self._out = self._body
        elif name in ("p", "h"):
            self._inside -= 1
            self._out.append("\n")
        elif name in ("a", "event-listener") and self._open:
            url, begin = self._open.pop()
            self._extract.links.append((url, "".join(self._out[begin:])))
        elif name == "table-row":
            self._out.append("\n")

    def data(self, text: str) -> None:
        if self._inside and not self._unread:
            self._out.append(text)

    def text(self) -> str:
        return "".join((*self._body, *self._notes))


#: element -> field
_FIELDS = {
    "title": "title",
    "initial-creator": "author",
    "creator": "author",
    "creation-date": "created",
    "created": "created",
    "modified": "modified",
    "date": "modified",
    "Pages": "pages",
    "Slides": "pages",
}


class _About:
    """meta.xml of OpenDocument, docProps/core.xml and app.xml of Office Open XML."""

    def __init__(self, extract: Extract) -> None:
        self._extract = extract
        self._words = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._words = ""
        if (pages := count(attributes.get("page-count", ""))) is not None:
            self._extract.pages = pages

    def end(self, name: str) -> None:
        to = _FIELDS.get(name, "")
        if to == "pages":
            self._extract.pages = count(self._words)
        elif to and not (name == "creator" and self._extract.author):  # in OpenDocument: the last author
            setattr(self._extract, to, self._words)

    def data(self, text: str) -> None:
        self._words += text
