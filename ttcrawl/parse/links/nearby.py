"""The words near a link: those before and behind it in its paragraph, list item or table row.

A description often stands behind the link: in the next cell of its row, or in the <dd> of its <dt>. Nothing else beyond
the block of a link is near. Time is limited for any content: a link looks at a few nodes on each side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Protocol, Self

from selectolax.lexbor import LexborHTMLParser

from ttcrawl.parse.links.landmarks import DEPTH, LANDMARK, MENUS

#: Words on each side of a link, and the characters that are searched for them.
WORDS, CHARACTERS = 10, 100

#: Nodes that are visited on each side.
STEPS = 16

_INLINE = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q s samp small span strike"
    " strong sub sup time tt u var wbr"
)
_CELLS = ("td", "th", "dt", "dd")
_EMPTY = LexborHTMLParser(b"")
#: Tag -> tag_id. The tag_id of a text is TEXT.
IDS = {tag: _EMPTY.create_node(tag).tag_id for tag in (*_INLINE.split(), *_CELLS)}
TEXT, COMMENT = 2, 4

#: The tag_ids of elements inside a line of text.
INLINE = frozenset(IDS[tag] for tag in _INLINE.split())

#: Elements that end a text -> those behind or before them that continue it, by tag_id.
_ROW = dict.fromkeys((IDS["td"], IDS["th"]), frozenset((IDS["td"], IDS["th"])))
BEHIND, BEFORE = {**_ROW, IDS["dt"]: frozenset((IDS["dd"],))}, {**_ROW, IDS["dd"]: frozenset((IDS["dt"],))}
_NONE: frozenset[int] = frozenset()


class Node(Protocol):
    """What is needed of a node: selectolax.lexbor.LexborNode has it."""

    @property
    def next(self) -> Self | None: ...
    @property
    def prev(self) -> Self | None: ...
    @property
    def parent(self) -> Self | None: ...
    @property
    def tag_id(self) -> int: ...
    def text_lexbor(self) -> str: ...


def has_neighbours(context: int, href: str) -> bool:
    """Whether the words near a link can say what it leads to: not in a menu, nor of a link to the page itself.

    `context`: as in landmarks.
    """
    return not context & DEPTH and context & LANDMARK not in MENUS and href[:1] != "#"


def nearby(link: Node) -> str:
    """Return the words near a link, "" if there are none."""
    before, behind = _before(link), _behind(link)
    if not before:
        return " ".join(behind.split()[:WORDS]) if behind else ""
    return " ".join([*before.split()[-WORDS:], *behind.split()[:WORDS]])


def _behind(link: Node) -> str:
    text = "".join(_texts(link, attrgetter("next"), BEHIND))
    return text if len(text) <= CHARACTERS else text[:CHARACTERS].rpartition(" ")[0]


def _before(link: Node) -> str:
    text = "".join(reversed(_texts(link, attrgetter("prev"), BEFORE)))
    return text if len(text) <= CHARACTERS else text[-CHARACTERS:].partition(" ")[2]


def _texts(
    node: Node, neighbour_of: Callable[[Node], Node | None], continued: Mapping[int, frozenset[int]]
) -> list[str]:
    """The texts on one side of a node, nearest first, until they have more than CHARACTERS. `continued`: see BEHIND."""
    texts: list[str] = []
    size = block = 0
    for _ in range(STEPS):
        neighbour = neighbour_of(node)
        if neighbour is None:
            neighbour = node.parent
            if neighbour is None:
                break
            tag = neighbour.tag_id
            if tag not in INLINE:
                if tag not in continued:
                    break
                block = tag
            node = neighbour
            continue
        node, tag = neighbour, neighbour.tag_id
        if tag != TEXT and tag not in INLINE:
            if tag == COMMENT:
                continue
            if tag not in continued.get(block, _NONE):
                break
            block = tag
            texts.append(" ")
            size += 1
        text = node.text_lexbor()
        texts.append(text)
        size += len(text)
        if size > CHARACTERS:
            break
    return texts
