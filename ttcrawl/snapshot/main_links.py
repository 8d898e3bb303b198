"""Which links stand in the main text of their page, and which in menus.

The landmarks of HTML and ARIA decide (ttcrawl.parse.links.landmarks): on a page with links in `main` or `article`,
these are the links of the main text; on a page with other landmarks alone, those outside nav, header, footer and aside;
on a page without landmarks, all of them. A link outside the content region ([links] content_start) never is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttcrawl.snapshot.outlinks import NO_LANDMARK, Outlinks
from ttcrawl.vocabulary.kind import LETTERS, REDIRECT
from ttcrawl.vocabulary.region import mask

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What leads a reader on without standing anywhere in the text: it counts as main text.
_WITHOUT_POSITION = (REDIRECT.letter + LETTERS["refresh"] + LETTERS["frame"]).encode()
#: Regions to whether a link lies outside the content region; links that are only recorded do not.
OUTSIDE_CONTENT = mask(lambda region: not region.content and not region.recorded)
_MAIN = ord("m")


def in_main_text(links: Outlinks) -> NDArray[np.bool_]:
    """Of each link: whether it stands in the main text. `links` must have all links of its pages."""
    import numpy as np

    of_main = links.landmarks == _MAIN
    with_main = np.zeros(len(links.sources), dtype=bool)
    with_main[links.pages[of_main]] = True
    inside: NDArray[np.bool_] = np.where(with_main[links.pages], of_main, links.landmarks == NO_LANDMARK)
    inside &= ~np.frombuffer(OUTSIDE_CONTENT, dtype=bool)[links.regions]
    inside |= np.isin(links.kinds, np.frombuffer(_WITHOUT_POSITION, dtype=np.uint8))
    return inside


def in_main_text_of_page(kinds: bytes, regions: bytes, landmarks: bytes) -> list[bool]:
    """The same of the links of one page, in Python; `landmarks` may be empty."""
    inside = _MAIN if _MAIN in landmarks else NO_LANDMARK
    return [
        kind in _WITHOUT_POSITION or (landmark == inside and not OUTSIDE_CONTENT[region])
        for kind, region, landmark in zip(kinds, regions, landmarks or bytes((inside,)) * len(kinds), strict=True)
    ]


def pages_with_landmarks(links: Outlinks) -> int:
    """How many of the pages have a link in a landmark."""
    import numpy as np

    pages = np.zeros(len(links.sources), dtype=bool)
    pages[links.pages[links.landmarks != NO_LANDMARK]] = True
    return int(np.count_nonzero(pages))
