"""The links of a page to other URLs, as table outlinks has them."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from itertools import compress

import msgspec
from msgspec import Struct

from ttcrawl import core
from ttcrawl.core.number_table import NumberTable
from ttcrawl.parse.links.extract import Extraction
from ttcrawl.parse.links.resolver import Target, packed
from ttcrawl.ring.columns import Outlinks
from ttcrawl.web import storable

#: Greater than all distances.
UNSENT = (1 << 63) - 1

_with_surrogates = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Linked(Struct, frozen=True):
    """What becomes of the links of a page."""

    targets: list[Target]  # of the links to other URLs
    unsent: list[tuple[int, Target]]  # index and target of those not sent with their distance, or a smaller one
    elsewhere: list[str]  # hrefs that lead to no URL
    names_itself: bool  # a link to the page itself is more than a fragment
    own_letters: bytes  # of the links to the page itself
    outlinks: Outlinks  # what is stored


class DistanceByLetter:
    """The distance of a link by its letter of ttcrawl.vocabulary.region."""

    __slots__ = "of", "packed"

    def __init__(self, of: dict[int, int]) -> None:
        self.of = of
        self.packed = array("I", [of.get(letter, 0) for letter in range(256)]).tobytes()


def linked(
    targets: list[Target | None],
    own: int,
    page: Extraction,
    letters: bytes,
    sent: NumberTable,
    distances: DistanceByLetter,
) -> Linked:
    """`own`: the key of the page; `letters`: of its links."""
    if core.native is None or isinstance(sent, dict):
        return _by_python(targets, own, page, letters, sent, distances.of)
    hrefs, anchors = packed(page.hrefs), packed(page.anchors)
    others, unsent, elsewhere, names_itself, own_letters, keys, kinds, regions, landmarks, texts = core.native.outlinks(
        targets, own, hrefs, page.kinds, letters, page.landmarks, anchors, sent, distances.packed
    )
    outlinks = Outlinks.sound(
        targets=keys, kinds=kinds, regions=regions, landmarks=landmarks, anchors=storable.text(texts)
    )
    return Linked(others, unsent, elsewhere, names_itself, own_letters, outlinks)


def _by_python(
    targets: list[Target | None],
    own: int,
    page: Extraction,
    letters: bytes,
    sent: NumberTable,
    distances: dict[int, int],
) -> Linked:
    # written with compress and map, whose loops are in C: a page has a hundred links
    selected = [target is not None and target.key != own for target in targets]
    indexes = [*compress(range(len(targets)), selected)]
    others = [target for target in compress(targets, selected) if target is not None]
    apart = [index for index, each in enumerate(selected) if not each] if len(indexes) < len(targets) else []
    itself = [index for index in apart if targets[index] is not None]
    outlinks = Outlinks(
        targets=msgspec.json.encode([target.key for target in others]).decode(),
        kinds=bytes(compress(page.kinds, selected)),
        regions=bytes(compress(letters, selected)),
        landmarks=bytes(compress(page.landmarks, selected)),
        anchors=json_of([*compress(page.anchors, selected)]) if page.anchors else "",
    )
    return Linked(
        targets=others,
        unsent=[
            (index, target)
            for index, target in zip(indexes, others, strict=True)
            if sent.get(target.key, UNSENT) > distances[letters[index]]
        ],
        elsewhere=[page.hrefs[index] for index in apart if targets[index] is None],
        names_itself=any(page.hrefs[index][:1] not in ("", "#") for index in itself),
        own_letters=bytes(map(letters.__getitem__, itself)),
        outlinks=outlinks,
    )


def json_of(texts: Sequence[str]) -> str:
    try:
        return msgspec.json.encode(texts).decode()  # the same text in a seventh of the time
    except UnicodeEncodeError:
        return _with_surrogates(texts)
