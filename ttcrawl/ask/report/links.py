"""Link occurrences of a crawl, counted by target in one pass over the packed out-links, without the view `link`.

Measured on 2 million links of 50,000 pages to 370,000 targets (one core, Python 3.11, SQLite 3.40): this pass with the
look-up of all refused URLs takes 0.9 s and 90 MB. With the view, count(DISTINCT target) alone takes 1.1 s. A join of
the view with `url` did not end within ten minutes: the planner makes the refused URLs the outer loop and unpacks every
page for each of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress
from typing import TypeAlias

from ttcrawl.ask.report.summary import Tally
from ttcrawl.ask.view.view import View
from ttcrawl.vocabulary.reason import Family, condition
from ttcrawl.vocabulary.region import mask

#: Tables for bytes.translate: regions to a mask of the links inside the content region, and outside it (including links
#: that were not followed). Links that are only recorded, because their kind is not followed, are in neither.
IN_CONTENT = mask(lambda region: region.content)
ELSEWHERE = mask(lambda region: not region.content and not region.recorded)
REDIRECT = b"R"

#: A callback for each page: its id, the keys of the targets, and one letter each for kind and region.
Also: TypeAlias = Callable[[int, list[int], bytes, bytes], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """How often each URL key is linked to, inside the content region and elsewhere. Takes 100 bytes a target."""

    content: Counter[int]
    elsewhere: Counter[int]

    def distinct(self) -> int:
        return len(self.content) + sum(target not in self.content for target in self.elsewhere)


def occurrences(db: View, also: Also | None = None) -> Occurrences:
    """Counts every link of every page except redirects, which are stored as kind R. `also` gets the same links."""
    content: Counter[int] = Counter()
    elsewhere: Counter[int] = Counter()
    for source, packed, kinds, regions in db.execute("SELECT source, targets, kinds, regions FROM outlinks"):
        targets = json.loads(packed)
        if REDIRECT in kinds:
            mask = [kind != REDIRECT[0] for kind in kinds]
            targets, regions = list(compress(targets, mask)), bytes(compress(regions, mask))
            kinds = kinds.replace(REDIRECT, b"")
        content.update(compress(targets, regions.translate(IN_CONTENT)))
        elsewhere.update(compress(targets, regions.translate(ELSEWHERE)))
        if also is not None:
            also(source, targets, kinds, regions)
    return Occurrences(content=content, elsewhere=elsewhere)


def refused_links(db: View, links: Occurrences, *, follow_all: bool) -> tuple[Tally, Tally]:
    """(blocked by robots.txt, out of scope): occurrences of the URLs that were refused for that reason.

    A URL blocked by robots.txt counts only where a link to it could have been followed otherwise: outside the content
    region only if `follow_all`. Out of scope counts every occurrence.
    """
    blocked, outside = [0, 0], [0, 0]
    rows = db.execute(
        "SELECT key, reason = 'robots.txt' FROM url"
        f" WHERE state = 'refused' AND (reason = 'robots.txt' OR {condition(Family.SCOPE)})"
    )
    for key, by_robots in rows:
        # .get, because Counter[key] runs Python code for every missing key
        count = links.content.get(key, 0)
        if follow_all or not by_robots:
            count += links.elsewhere.get(key, 0)
        if count:
            tally = blocked if by_robots else outside
            tally[0] += count
            tally[1] += 1
    return Tally(total=blocked[0], distinct=blocked[1]), Tally(total=outside[0], distinct=outside[1])
