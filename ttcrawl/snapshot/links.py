"""The links, one after the other.

The view `link` of crawl.db has letters and keys; this module replaces keys by URLs and letters by names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat

from ttcrawl.snapshot.pieces import Group, Pieces
from ttcrawl.snapshot.rows import Link
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary import region
from ttcrawl.vocabulary.kind import NAMES

REGIONS = {each.letter: each.name for each in region.REGIONS}
LANDMARKS = {"n": "nav", "m": "main", "h": "header", "f": "footer", "a": "aside", "s": "removed by scripts", "-": ""}

LETTERS = "CAST(kinds AS BLOB), CAST(regions AS BLOB), CAST(landmarks AS BLOB)"

#: Links of a piece, plus the links of one page.
MOST = 5_000

_PACKED = f"""
    SELECT source, url.url, targets, {LETTERS}, anchors FROM outlinks LEFT JOIN url ON url.id = outlinks.source
    WHERE outlinks.source > ? AND outlinks.source <= ? ORDER BY outlinks.source"""


def links(db: View, source: int) -> tuple[Link, ...]:
    """The links of the page with this id by position. Raises ValueError if its columns differ in length."""
    return tuple(link for _, of_page in _after(db, source - 1, source) for link in of_page)


def links_to(db: View, source: int, url: str, key: int) -> tuple[Link, ...]:
    """The links of the page with this id to a URL, by position. Raises ValueError if its columns differ in length."""
    row = db.execute(_PACKED, (source - 1, source)).fetchone()
    if row is None:
        return ()
    _, page, packed, *columns = row
    targets = json.loads(packed)
    if key not in targets:
        return ()
    return tuple(link for link in _of_page({key: url}, page, targets, *columns) if link.target == url)


def links_from(db: View, source: int, first: int, count: int) -> tuple[Link, ...]:
    """Some links of the page with this id, from a position on. Raises ValueError if its columns differ in length."""
    row = db.execute(_PACKED, (source - 1, source)).fetchone()
    if row is None:
        return ()
    _, page, packed, kinds, regions, landmarks, anchors = row
    targets, cut = json.loads(packed), slice(first, first + count)
    urls = {key: url for key, (_, url) in db.of_keys(set(targets[cut])).items()}
    some = json.dumps(texts(anchors)[cut]) if anchors else ""
    rows = _of_page(urls, page, targets[cut], kinds[cut], regions[cut], landmarks[cut], some)
    return tuple(replace(link, position=link.position + first) for link in rows)


def _last(db: View) -> int | None:
    last: int | None = db.execute("SELECT max(source) FROM outlinks").fetchone()[0]
    return last


def _after(db: View, position: int, last: int | None) -> list[Group[Link]]:
    pages, count = [], 0
    for source, url, targets, *columns in db.execute(_PACKED, (position, last)):
        pages.append((source, url, json.loads(targets), *columns))
        count += len(columns[0])
        if count >= MOST:
            break
    urls = {key: url for key, (_, url) in db.of_keys({key for page in pages for key in page[2]}).items()}
    return [(source, tuple(_of_page(urls, *page))) for source, *page in pages]


#: All links in order of page and position. A page whose columns differ in length raises ValueError.
PIECES = Pieces(last=_last, after=_after)


def _of_page(
    urls: Mapping[int, str],
    url: str,
    targets: Sequence[int],
    kinds: bytes,
    regions: bytes,
    landmarks: bytes,
    anchors: str,
) -> Iterator[Link]:
    rows = zip(
        map(urls.get, targets),
        letters(kinds, NAMES),
        letters(regions, REGIONS),
        letters(landmarks, LANDMARKS) if landmarks else repeat(None, len(kinds)),
        texts(anchors) if anchors else repeat(None, len(kinds)),
        strict=True,
    )
    for position, row in enumerate(rows):
        yield Link(url, position, *row)


def letters(packed: bytes, names: dict[str, str]) -> Sequence[str]:
    """The name of each letter. A letter without a name stands for itself."""
    return [names.get(letter, letter) for letter in packed.decode("latin-1")]


def texts(packed: str) -> list[str]:
    """The anchor texts of a page. Raises ValueError."""
    anchors: list[str] = json.loads(packed)
    if not isinstance(anchors, list) or not {*map(type, anchors)} <= {str}:
        raise ValueError("anchor texts are not text")
    return anchors
