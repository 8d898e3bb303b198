"""Markup that is not part of a page's tree: the fallback content for browsers without frames or plug-ins, raw text to
all others; the document in the attribute srcdoc; and a template that becomes a shadow tree, whose content a browser
displays although it is in no document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import re2
from msgspec import Struct

from ttcrawl.parse.links.weight import BYTES, too_heavy
from ttcrawl.read.regions import unflagged

MOST = 100  # maximum documents per page
DEEPEST = 3  # maximum depth of nested documents
#: A page without a match has neither such markup nor frames.
RARE = re2.compile(
    rb"<[fFiInNpPtToO](?:[rR][aA][mM]|[fF][rR][aA]|[oO][fFeE][rRmM]|[aA][rR][aA]|[eE][mM][pP]|[pP][tT][iI])", BYTES
)
TAGS = frozenset(("noframes", "noembed", "iframe", "template"))

_SHADOW = ("open", "closed")


class Room(Struct):
    """The number of documents that may still be read."""

    remaining: int = MOST
    depth: int = 0

    def enter(self) -> bool:
        if not self.remaining or self.depth >= DEEPEST:
            return False
        self.remaining -= 1
        self.depth += 1
        return True

    def leave(self) -> None:
        self.depth -= 1


def markups(tag: str, attributes: Mapping[str, str], text: Callable[[], str]) -> Iterator[tuple[str, bool]]:
    """(HTML, whether it is a document with its own base URL) inside an HTML element; `text` returns the element's
    content.

    Markup that would take a parser minutes is left out, as pages are: here it is an attribute or text.
    """
    srcdoc = attributes.get("srcdoc", "") if tag == "iframe" else ""
    if "<" in srcdoc and not _heavy(srcdoc):
        yield unflagged(srcdoc), True
    if (tag != "template" or is_shadow(attributes)) and "<" in (inside := text()) and not _heavy(inside):
        yield inside, False


def _heavy(markup: str) -> bool:
    return bool(too_heavy(markup.encode("utf-8", "replace")))


def is_shadow(attributes: Mapping[str, str]) -> bool:
    """Whether a template becomes the shadow tree of its parent element (HTML standard 13.2.6.4.4)."""
    return attributes.get("shadowrootmode", "").lower() in _SHADOW
