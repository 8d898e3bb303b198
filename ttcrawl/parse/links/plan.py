"""The query for lexbor's tree, and the elements in its result that are examined."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from ttcrawl.parse.links import element, inner
from ttcrawl.parse.links.element import CSS, FORM, IMAGE, JSON_LD, LAZY, LOCATION, LONGDESC, MEDIA, OBJECT, SCRIPT
from ttcrawl.parse.links.wanted import Wanted

SILENT = frozenset(("script", "style"))
COMMENT = 4  # the tag_id of comments
#: The tag_ids of elements that lexbor knows are small numbers; those of others, such as use of SVG, are addresses.
KNOWN = 1 << 16
#: Selectors for elements without href and src.
_SELECTORS = {
    IMAGE: ("img", "source", "link", "[background]"),
    MEDIA: ("img", "video"),
    OBJECT: ("object",),
    LAZY: ("img", "source", "video"),
    CSS: ("[style]", "style"),
    JSON_LD: ("script",),
    FORM: ("form",),
    LOCATION: ("[onclick]",),
    LONGDESC: ("[longdesc]",),
}
#: Kinds in the attribute src; frames are rare.
_IN_SRC = frozenset((IMAGE, MEDIA, OBJECT, SCRIPT))
#: For pages that may contain one of them (inner.RARE).
_RARE_SELECTORS = ("frame", "noframes", "noembed", "iframe", "template", "param", "select[onchange]")
_RARE_TAGS = frozenset((*inner.TAGS, "param", "select"))


class Plan(Struct, frozen=True, kw_only=True):
    """The query for a tree: unwanted kinds cost nothing."""

    query: str
    tag_ids: frozenset[int]  # tag_ids of elements that may be links, or contain or hide some; without <a>


@lru_cache(maxsize=32)
def plan_of(wanted: Wanted, *, rare: bool) -> Plan:
    """The plan for pages with or without the elements of inner.RARE."""
    selectors = ["[href]", "meta", *(_RARE_SELECTORS if rare else ())]
    selectors += ["[src]"] if rare or wanted.kinds & _IN_SRC else []
    for kind, css_selectors in _SELECTORS.items():
        selectors += css_selectors if kind in wanted.kinds else ()
    tags = {"base", "meta", *element.tags(wanted.kinds), *(_RARE_TAGS if rare else ())}
    if wanted.anchors:
        selectors += SILENT
        tags |= SILENT
    if wanted.landmarks:
        selectors.append("[role]")
    parser = LexborHTMLParser(b"")
    return Plan(
        query=f":is({','.join(sorted(set(selectors)))})",
        tag_ids=frozenset((COMMENT, *(parser.create_node(tag).tag_id for tag in tags))),
    )
