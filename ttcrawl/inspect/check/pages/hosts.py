"""What a host sends with its pages: compression, and what browsers are told to refuse. One problem for each host.

A server is configured in one place: the same problem for each of its pages would bury all others.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.archive import ArchivedPage, PageRow
from ttcrawl.inspect.check.pages.policy import policies
from ttcrawl.web.address import stated
from ttcrawl.web.url import host, split_port

HSTS, CSP, NOSNIFF, UNCOMPRESSED = KINDS = ("missing-hsts", "missing-csp", "missing-nosniff", "uncompressed")

#: Bytes of a page from which compression saves a packet.
SMALL = 1400

#: RFC 6797 section 6.1: a lifetime of 0 switches it off.
_HSTS = re.compile(r'max-age\s*=\s*"?0*[1-9]', re.IGNORECASE)


class Hosts:
    """Counts the pages of each host that lack something."""

    def __init__(self) -> None:
        self._pages = Counter[str]()
        self._lacking = defaultdict[str, Counter[str]](Counter)  # host with its scheme -> kind -> pages
        self._example: dict[tuple[str, str], str] = {}

    def add(self, page: PageRow, lacking: Iterable[str]) -> None:
        """`lacking`: kinds, as of `lacks`."""
        origin = f"{page.url.partition(':')[0]}://{host(page.url)}/"
        self._pages[origin] += 1
        for kind in lacking:
            self._lacking[origin][kind] += 1
            self._example.setdefault((origin, kind), page.url)

    def problems(self) -> Iterator[Problem]:
        for origin, kinds in self._lacking.items():
            for kind, pages in kinds.items():
                detail = f"{pages:,} of {self._pages[origin]:,} pages, such as {self._example[origin, kind]}"
                yield Problem(kind=kind, url=origin, detail=detail)


def lacks(page: ArchivedPage) -> Iterator[str]:
    """The kinds of what its host does not send with a page."""
    header = page.answer.header
    is_name = not stated(split_port(host(page.url))[0])  # addresses cannot have it (RFC 6797 section 8.1.1)
    if page.url.startswith("https:") and is_name and not _HSTS.search(header("Strict-Transport-Security")):
        yield HSTS
    if not policies(page):
        yield CSP
    if header("X-Content-Type-Options").partition(",")[0].strip().lower() != "nosniff":
        yield NOSNIFF
    if len(page.html) >= SMALL and not header("Content-Encoding"):
        yield UNCOMPRESSED
