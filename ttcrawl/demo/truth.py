"""The figures of a published crawl report, which the demo site reproduces exactly.

There are two columns, because the report compares two parsers on one site: one that follows the HTML standard, and a
regular expression, which also takes links in comments and in scripts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of the report: the results of a crawl of the complete site with one parser.

    "Occurrences" counts every link as often as it is written, "distinct" counts canonical URLs. Content is the text
    between the content markers of a page; only its links are followed. Elsewhere is the rest. The two share no URL.
    """

    crawled: int  # pages requested: the start page and 810 more
    not_found: int  # of these, answered 404
    found: int  # link occurrences, content and elsewhere
    content: int  # occurrences
    content_distinct: int  # the 810 pages and the 45 that robots.txt forbids
    elsewhere: int  # occurrences
    elsewhere_distinct: int
    blocked: int  # occurrences in content of URLs that robots.txt forbids
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

# the report has 94,454 elsewhere, one more than its sum allows
REGEX = replace(HTML, found=104_329, content=9_876, elsewhere=94_453, elsewhere_distinct=61_090, blocked=516)

#: The law that the report shows beside the growth of distinct content URLs by pages. They follow it for some 300 pages,
#: then fall below it; after the saturation page none is new.
K, BETA = 100.0, 0.4

CRAWL_DELAY = 1.0  # seconds, as in the robots.txt of the published crawl
SECONDS = 1_144.82  # duration of the published crawl with this delay
FLOOR_SECONDS = HTML.crawled * CRAWL_DELAY  # a polite crawl of one host cannot be (much) faster
