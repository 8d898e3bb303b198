"""The record of everything a report says of one crawl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ttcrawl.ask.laws.heaps import Heaps


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """So many occurrences of so many distinct URLs."""

    total: int
    distinct: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """The series behind the curves, one column a field, all of one length, in order of `pages`."""

    pages: tuple[int, ...]
    seconds: tuple[float, ...]
    found: tuple[int, ...]
    distinct_urls: tuple[int, ...]
    in_scope: tuple[int | None, ...]  # of the distinct URLs, those that links have put into the queue

    @property
    def series_in_scope(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Pages, and distinct URLs in scope, of the samples that have them: an earlier version did not count them."""
        known = [(pages, urls) for pages, urls in zip(self.pages, self.in_scope, strict=True) if urls is not None]
        return tuple(pages for pages, _ in known), tuple(urls for _, urls in known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A crawl in figures. Mappings go from a reason (or status, or parser) to a count, the largest first."""

    # the crawl
    version: str  # of ttcrawl
    started: float  # seconds since the epoch
    seconds: float  # of crawling, summed over resumes
    finished: str  # "": still running or killed; done, max_pages, max_time, interrupted, "failed: ..."
    seeds: tuple[str, ...]
    scope: str
    parser: str
    obey_delay: bool
    delay: float  # seconds, where robots.txt has none
    content_start: str
    follow: str  # all, content
    # URLs
    urls: int  # ever met
    pages: int  # fetched: answered, redirects not counted
    statuses: Mapping[int, int]  # of `pages`
    moved: int
    failed: Mapping[str, int]
    refused: Mapping[str, int]
    unrecorded: int  # links to URLs that were refused and have no row, for [frontier] refused bounds them
    queued: int
    # links
    found: Tally  # occurrences with an http(s) URL; distinct: without those that pages have only to themselves
    content: Tally  # inside the content region
    elsewhere: Tally  # outside of it; a URL may be linked in both
    same_page: Tally  # to a place on the page itself; distinct: pages that have such links
    not_http: int  # links of other schemes or that are no URL; not part of `found`
    robots_blocked: Tally  # could have been followed, were it not for robots.txt
    out_of_scope: Tally
    # errors
    fetch_errors: Mapping[str, int]  # URLs that failed, by reason, and pages with a status >= 400 ("http 404")
    unanswered: Mapping[str, int]  # exchanges without an answer, by reason, retries and robots.txt included
    parse_errors: int  # pages that no parser could read
    parse_rescued: int  # pages that a later parser read when the first could not
    parsers: Mapping[str, int]  # pages by the parser that served
    # effort
    requests: int  # robots.txt and retries included
    bytes: int  # of bodies as they came
    archive_bytes: int  # on disk, compressed
    pages_per_second: float | None  # None: no time has passed
    politeness_floor: float  # seconds: requests * delay of the site where that is most ...
    politeness_host: str  # ... this one; "": no delay was obeyed
    # robots.txt
    sites: int
    robots_asked: int
    robots_rules: int  # of them with an Allow or Disallow line
    robots_unreachable: int  # of them without a usable answer: no connection, 5xx, broken content coding
    # the seen filter
    seen_tests: int
    seen_maybe: int
    seen_false: int
    seen_rate_asked: float
    seen_rate_observed: float | None  # None: no new URL was tested
    # growth
    growth: Growth
    saturation: int | None  # the first number of pages at which all distinct URLs of the last sample were known
    heaps_found: Heaps | None  # distinct URLs by link occurrences
    heaps_pages: Heaps | None  # distinct URLs by pages
    heaps_in_scope: Heaps | None  # distinct URLs in scope by pages
