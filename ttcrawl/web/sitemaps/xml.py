"""XML read sequentially by expat: no DTD, only the five entities of XML, no external resources, bounded depth.

Everything before an error counts. It never waits for the complete document, and keeps only the requested text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol, TypeAlias
from xml.parsers import expat

from ttcrawl.web.late import late

#: Maximum nesting depth; no sitemap or feed needs more.
MAX_DEPTH = 100

#: Maximum prefixes in force; an element that would exceed it binds none.
MAX_BINDINGS = 200

#: Characters of one text: a longer one is not a URL and is dropped.
MAX_TEXT = 8192

Attributes: TypeAlias = dict[str, str]

#: A CDATA section or comment, in which & has no meaning, or an ampersand that begins no reference. Sections without an
#: end reach to the end of the document: so each byte is read once.
_BARE = late(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)",
    re.DOTALL,
)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r"))


class Stop(Exception):
    """The rest must not be read; the message gives the reason."""


class Unknown(Exception):
    """The document is of no requested kind."""


class Handler(Protocol):
    """Receives the elements: decides whether the text of an element is wanted, and processes it.

    `own`: the element is in the namespace of the root, or in none. Names are local names.
    """

    def start(self, name: str, own: bool, attributes: Attributes) -> bool: ...

    def end(self, name: str, own: bool, text: str) -> None: ...


class Reader:
    """One document. An unbound prefix is a namespace of its own: many sites forget to declare `image`."""

    def __init__(self, root: Callable[[str], Handler]) -> None:
        self._root = root  # creates the handler from the root's local name, or raises Unknown
        self._handler: Handler | None = None
        self._bindings: dict[str, str] = {}
        self._saved: list[tuple[int, dict[str, str]]] = []  # bindings outside an element, by its depth
        self._names: dict[str, tuple[str, bool]] = {}
        self._home = ""
        self._depth = 0
        self._text: list[str] | None = None
        self._size = 0

    def read(self, data: bytes) -> str:
        """Why the document could not be read completely, "" if it could. Raises Unknown."""
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = _doctype
        parser.EntityDeclHandler = _entity
        try:
            parser.Parse(data, True)
        except Stop as stop:
            return str(stop)
        except expat.ExpatError as error:
            if self._handler is None:
                raise Unknown from error
            return f"broken XML: {error}"
        return ""

    def _start(self, raw: str, attributes: Attributes) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Stop(f"more than {MAX_DEPTH} elements in one another")
        if attributes and any(name.startswith("xmlns") for name in attributes):
            self._bind(attributes)
        if self._handler is None:
            prefix, _, local = raw.rpartition(":")
            # the elements of RSS 1.0 are inside RDF, but in another namespace
            self._handler, self._home = self._root(local), self._namespace("" if local == "RDF" else prefix)
        name, own = self._names.get(raw) or self._name(raw)
        wanted = self._handler.start(name, own, attributes)
        self._text, self._size = ([], 0) if wanted else (None, 0)

    def _end(self, raw: str) -> None:
        name, own = self._names.get(raw) or self._name(raw)
        text = "".join(self._text).strip() if self._text is not None else ""
        self._text = None
        assert self._handler is not None
        self._handler.end(name, own, text)
        if self._saved and self._saved[-1][0] == self._depth:
            self._bindings = self._saved.pop()[1]
            self._names.clear()
        self._depth -= 1

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._size += len(text)
            if self._size > MAX_TEXT:
                self._text.clear()
            else:
                self._text.append(text)

    # -- namespaces -----------------------------------------------------------------------------------------------

    def _bind(self, attributes: Attributes) -> None:
        self._saved.append((self._depth, self._bindings))
        new = {name[6:]: uri for name, uri in attributes.items() if name == "xmlns" or name.startswith("xmlns:")}
        if len(self._bindings) + len(new) <= MAX_BINDINGS:
            self._bindings = self._bindings | new
        self._names.clear()

    def _namespace(self, prefix: str) -> str:
        return self._bindings.get(prefix, prefix and prefix + ":")

    def _name(self, raw: str) -> tuple[str, bool]:
        prefix, _, local = raw.rpartition(":")
        name = (local, self._namespace(prefix) in (self._home, ""))
        if len(self._names) < 1000:
            self._names[raw] = name
        return name


def mended(data: bytes) -> bytes:
    """Remove the usual causes of broken sitemaps and feeds: unescaped ampersands and control characters."""
    return _BARE.sub(lambda match: b"&amp;" if match[0] == b"&" else match[0], data.translate(None, _CONTROLS))


def _doctype(name: str, system: str | None, public: str | None, internal: int) -> None:
    if internal:
        raise Stop("it declares entities or elements of its own, which are not read")


def _entity(*_: object) -> None:
    raise Stop("it declares entities, which are not read")
