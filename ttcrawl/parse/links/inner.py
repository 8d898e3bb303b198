"""Markup that is no part of the tree of a page: what a browser without frames or plug-ins shows in their place, which
is raw text to the others; the document in the attribute srcdoc; and a template that is a shadow tree, whose content
is in no document but in what the reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ttcrawl.parse.links.weight import too_heavy
from ttcrawl.read.regions import unflagged

MOST = 100  # of a page that are read
DEEPEST = 3  # of them in one another
#: A page without any of these has nothing of this room (nor of frames), and pays for a glance at it alone.
RARE = re.compile(
    rb"<[fFiInNpPtToO](?:[rR][aA][mM]|[fF][rR][aA]|[oO][fFeE][rRmM]|[aA][rR][aA]|[eE][mM][pP]|[pP][tT][iI])"
)
TAGS = frozenset(("noframes", "noembed", "iframe", "template"))

_SHADOW = ("open", "closed")


@dataclass(slots=True)
class Room:
    """What may still be read."""

    left: int = MOST
    depth: int = 0

    def enter(self) -> bool:
        if not self.left or self.depth >= DEEPEST:
            return False
        self.left -= 1
        self.depth += 1
        return True

    def leave(self) -> None:
        self.depth -= 1


def markups(tag: str, attributes: Mapping[str, str], text: Callable[[], str]) -> Iterator[tuple[str, bool]]:
    """(HTML, it is a document with a base URL of its own) of an HTML element; `text` tells what is inside.

    What would keep a parser busy for minutes is left out, as it is of a page: here it is an attribute or text.
    """
    srcdoc = attributes.get("srcdoc", "") if tag == "iframe" else ""
    if "<" in srcdoc and not _heavy(srcdoc):
        yield unflagged(srcdoc), True
    if (tag != "template" or is_shadow(attributes)) and "<" in (inside := text()) and not _heavy(inside):
        yield inside, False


def _heavy(markup: str) -> bool:
    return bool(too_heavy(markup.encode("utf-8", "replace")))


def is_shadow(attributes: Mapping[str, str]) -> bool:
    """A template becomes the shadow tree of the element around it (HTML standard 13.2.6.4.4)."""
    return attributes.get("shadowrootmode", "").lower() in _SHADOW
