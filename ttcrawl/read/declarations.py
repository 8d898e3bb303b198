"""The elements by which a page declares its metadata, as either reader finds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from ttcrawl.read.regions import unflagged
from ttcrawl.read.tree import PRE, Flat

#: Of an element; an attribute without a value has None or "".
Attributes: TypeAlias = Mapping[str, str | None]

#: Attributes, and whether they describe an item other than the page.
Declaration: TypeAlias = tuple[Attributes, bool]

#: Maximum headings.
HEADINGS = 200


class Declarations(Struct, frozen=True, kw_only=True):
    """In document order."""

    metas: list[Declaration]
    times: list[Declaration]
    links: list[Attributes]  # of <link> with "canonical" in its rel
    html: Attributes
    scripts: list[str]  # the texts of JSON-LD
    headings: list[tuple[int, str]]  # level, text with white space collapsed; the first ones


def declarations(flat: Flat) -> Declarations:
    scripts = [node.text() for node in flat.dropped if node.tag == "script" and "ld+json" in node.attrs.sget("type")]
    others = flat.others
    return Declarations(
        metas=[(node.attributes, node.mem_id in others) for node in flat.metas],
        times=[(node.attributes, node.mem_id in others) for node in flat.times],
        links=[node.attributes for node in flat.links if "canonical" in (node.attributes.get("rel") or "").lower()],
        html=flat.roots[0].attributes if flat.roots else {},
        scripts=list(map(unflagged, scripts)),
        headings=_headings(flat),
    )


def _headings(flat: Flat) -> list[tuple[int, str]]:
    headings = []
    for node in flat.headings[:HEADINGS]:
        text = unflagged(node.text(separator=" ")).replace(PRE, "")
        headings.append((int((node.tag or "h6")[1]), " ".join(text.split()).removesuffix("\xb6").rstrip()))
    return headings
