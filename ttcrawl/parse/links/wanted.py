"""What is looked for in a page: what a crawl does not want costs it nothing."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl import config


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The kinds of links that are looked for, and what else of them."""

    kinds: frozenset[int] = frozenset(b"amfiDrJGcnptFlusSgvojdeMx")  # letters of ttcrawl.vocabulary.kind
    markers: tuple[bytes, bytes] | None = None  # that begin and end a content region; None: everything is content
    parts: bool = False  # in which part of the page
    anchors: bool = False


def wanted(links: config.Links) -> Wanted:
    markers = (links.content_start.encode(), links.content_end.encode())
    return Wanted(
        kinds=frozenset(config.link_kinds(links.kinds) + config.link_kinds(links.recorded)),
        markers=markers if markers[0] else None,
        parts=links.parts,
        anchors=links.anchors,
    )
