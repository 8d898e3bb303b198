"""The links, one after the other.

The view `link` of crawl.db has letters and keys; this module replaces keys by URLs and letters by names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import repeat

from ttcrawl.ask.library.rows import Link
from ttcrawl.ask.view.view import View
from ttcrawl.vocabulary import region
from ttcrawl.vocabulary.kind import NAMES

REGIONS = {each.letter: each.name for each in region.REGIONS}
PARTS = {"n": "nav", "m": "main", "h": "header", "f": "footer", "a": "aside", "-": ""}

TARGETS = "SELECT url.url FROM json_each(?) AS place LEFT JOIN url ON url.id = {} ORDER BY place.key"
LETTERS = "CAST(kinds AS BLOB), CAST(regions AS BLOB), CAST(landmarks AS BLOB)"
PACKED = f"SELECT url.url, targets, {LETTERS}, anchors FROM outlinks LEFT JOIN url ON url.id = outlinks.source"


def links(db: View, source: int | None = None) -> Iterator[Link]:
    """The links of the page with this id, or all links, in order of page and position. Holds one page at a time.

    Raises ValueError for a page whose columns differ in length.
    """
    of_each = TARGETS.format(db.id_of("place.value"))
    if source is None:
        pages = db.execute(f"{PACKED} ORDER BY outlinks.source")
    else:
        pages = db.execute(f"{PACKED} WHERE outlinks.source = ?", (source,))
    for url, targets, kinds, regions, parts, anchors in pages:
        urls = db.execute(of_each, (targets,))
        rows = zip(
            (target for (target,) in urls),
            letters(kinds, NAMES),
            letters(regions, REGIONS),
            letters(parts, PARTS) if parts else repeat(None, len(kinds)),
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
    if not isinstance(anchors, list) or not all(isinstance(each, str) for each in anchors):
        raise ValueError("anchor texts are not text")
    return anchors
