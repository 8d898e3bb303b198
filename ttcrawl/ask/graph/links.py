"""The out-links of a crawl as arrays, batch by batch.

Each page stores its links packed (see ttcrawl.store.schema). This module unpacks them without the view `link`, which
would make a row of each.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ttcrawl.ask.view.view import View

if TYPE_CHECKING:
    from ttcrawl.ask.graph.network import Ints

BATCH = 500_000  # links, plus those of one page: 15 MB

#: Kinds of links that lead a reader to another page: a, area, frame, iframe, refresh, finds of the regular expression,
#: targets of scripts and forms, redirects. Other kinds embed (images, styles, scripts) and are not links of the graph.
FOLLOWED = b"amfirxJGR"
_IS_FOLLOWED = np.isin(np.arange(256), np.frombuffer(FOLLOWED, dtype=np.uint8))


def links(db: View) -> Iterator[tuple[Ints, Ints]]:
    """(id of the source in table url, key of the target) of every occurrence of a followed kind, as int64 arrays.

    Raises ValueError for a damaged row.
    """
    sources, counts, kinds, targets = array("q"), array("q"), bytearray(), array("q")
    for source, packed, letters in db.execute("SELECT source, targets, kinds FROM outlinks"):
        keys = json.loads(packed)
        if len(keys) != len(letters):
            raise ValueError(f"outlinks of URL {source}: {len(keys)} targets but {len(letters)} kinds")
        sources.append(source)
        counts.append(len(keys))
        targets.extend(keys)
        kinds += letters
        if len(targets) >= BATCH:
            yield _unpacked(sources, counts, kinds, targets)
            sources, counts, kinds, targets = array("q"), array("q"), bytearray(), array("q")
    yield _unpacked(sources, counts, kinds, targets)


def _unpacked(sources: array[int], counts: array[int], kinds: bytearray, targets: array[int]) -> tuple[Ints, Ints]:
    every = np.repeat(np.frombuffer(sources, dtype=np.int64), np.frombuffer(counts, dtype=np.int64))
    followed = _IS_FOLLOWED[np.frombuffer(kinds, dtype=np.uint8)]
    return every[followed], np.frombuffer(targets, dtype=np.int64)[followed]
