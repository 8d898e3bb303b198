"""The link kinds and data that a crawl needs from a page; unwanted ones cost nothing."""

from __future__ import annotations

from msgspec import Struct

from ttcrawl import config


class Wanted(Struct, frozen=True, kw_only=True):
    """The link kinds to find, and their optional attributes."""

    kinds: frozenset[int] = frozenset(b"amfiDrJGcnptFlkusSgvoyjdeMx")  # letters of ttcrawl.vocabulary.kind
    markers: tuple[bytes, bytes] | None = None  # start and end marks of a content region; None: all is content
    landmarks: bool = False  # whether to find landmarks
    anchors: bool = False
    nearby: bool = False  # the words near links; only with anchors


def wanted(links: config.Links, *, nearby: bool = False) -> Wanted:
    markers = (links.content_start.encode(), links.content_end.encode())
    return Wanted(
        kinds=frozenset(config.link_kinds(links.kinds) + config.link_kinds(links.recorded)),
        markers=markers if markers[0] else None,
        landmarks=links.landmarks,
        anchors=links.anchors,
        nearby=nearby,
    )
