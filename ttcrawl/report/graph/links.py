"""The out-links of a crawl that lead a reader to another page."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ttcrawl.snapshot.outlinks import Outlinks, outlinks
from ttcrawl.snapshot.snapshot import View

#: Kinds of links that lead a reader to another page: a, area, frame, iframe, refresh, finds of the regular expression,
#: targets of scripts and forms, redirects. Other kinds embed (images, styles, scripts) and are not links of the graph.
FOLLOWED = b"amfirxJGR"
_IS_FOLLOWED = np.isin(np.arange(256), np.frombuffer(FOLLOWED, dtype=np.uint8))


def links(db: View) -> Iterator[Outlinks]:
    """Every occurrence of a followed kind, batch by batch. Raises ValueError for a damaged row."""
    for batch in outlinks(db):
        yield batch.where(_IS_FOLLOWED[batch.kinds])
