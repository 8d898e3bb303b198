"""The numbers of a published crawl report, which the demo site is built to reproduce exactly.

Two columns, because the report compares two parsers on one site: one that follows the HTML standard, and a regular
expression, which also takes the links that stand in comments and in scripts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of the report: what a crawl of the whole site finds with one parser.

    "Occurrences" counts every link as often as it is written, "distinct" counts canonical URLs. Content is what stands
    between the content markers of a page (only that is followed), elsewhere is the rest; the two share no URL.
    """

    crawled: int  # pages requested: the start page and 810 more
    not_found: int  # of these, answered 404
    found: int  # link occurrences, content and elsewhere
    content: int  # occurrences
    content_distinct: int  # the 810 and the 45 that robots.txt forbids
    elsewhere: int  # occurrences
    elsewhere_distinct: int
    blocked: int  # occurrences in content of what robots.txt forbids
    blocked_distinct: int
    parse_errors: int
    saturation: int  # the last crawled page, counted from 1 in priority order, that brings a new URL of any kind


HTML = Column(
    crawled=811,
    not_found=4,
    found=103_740,
    content=9_811,
    content_distinct=855,
    elsewhere=93_929,
    elsewhere_distinct=60_889,
    blocked=513,
    blocked_distinct=45,
    parse_errors=0,
    saturation=375,
)

REGEX = replace(HTML, found=104_329, content=9_876, elsewhere=94_453, elsewhere_distinct=61_090, blocked=516)

#: The law beside which the report shows the growth of distinct content URLs by pages: for some 300 pages they follow
#: it, then they drop lower, and after the saturation page none is new.
K, BETA = 100.0, 0.4

CRAWL_DELAY = 1.0  # seconds, as in the robots.txt of the published crawl
SECONDS = 1_144.82  # what the published crawl took with that delay
FLOOR_SECONDS = HTML.crawled * CRAWL_DELAY  # no polite crawl of one host can be (much) faster
