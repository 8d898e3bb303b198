"""The figures of the short report of one crawl, in groups. Mappings go from a reason (or status, or parser) to a count,
largest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from ttcrawl.frozen import frozen, frozen_base
from ttcrawl.report.laws.heaps import FEWEST_PAGES, Heaps

#: How to continue a stopped crawl: the necessary option, and a remark.
GO_ON = {
    "max_pages": (" --max-pages N", " (N pages in all; 0: no limit)"),
    "max_bytes": (" --set crawl.max_bytes=N", " (0: no limit)"),
    "max_time": ("", " for the same time"),
    "target_recall": (" --set topic.target_recall=R", " (0: no target)"),
    "min_disk": ("", " when there is room on the disk"),
}


@frozen
class Tally:
    """Occurrences of URLs, and the number of distinct URLs."""

    total: int  # occurrences
    distinct: int  # URLs


@frozen
class Growth:
    """The series behind the growth curves: one field per column, of equal length, in order of `pages`."""

    pages: tuple[int, ...]  # fetched so far, as all columns
    seconds: tuple[float, ...]  # of crawling
    found: tuple[int, ...]  # link occurrences
    distinct_urls: tuple[int, ...]  # among them
    in_scope: tuple[int | None, ...]  # distinct URLs that links put into the queue

    @property
    def enough(self) -> bool:
        """Whether there are pages enough to fit laws."""
        return bool(self.pages) and self.pages[-1] >= FEWEST_PAGES

    @property
    def series_in_scope(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Pages and distinct URLs in scope, for the samples that have them. An earlier version did not count them."""
        samples = [(pages, urls) for pages, urls in zip(self.pages, self.in_scope, strict=True) if urls is not None]
        return tuple(pages for pages, _ in samples), tuple(urls for _, urls in samples)


# Groups have no slots, because a class cannot inherit the slots of several others.


@frozen_base
class UrlCounts:
    """The URLs of a crawl by what became of them."""

    urls: int  # discovered
    pages: int  # fetched: with a response, without redirects
    linking: int  # of `pages`: HTML and documents, which can link: the nodes of the graph
    requisites: int  # of `pages`, without `linking`: what pages load, such as images, styles, scripts and fonts
    only_scored: int  # of `pages`: irrelevant ones; only their score is stored
    statuses: Mapping[int, int]  # of `pages`
    relevant: int | None = None  # of `pages`; None: pages were not scored
    unread: int  # of `pages` and incomplete answers: their reading was put off
    moved: int  # redirects
    failed: Mapping[str, int]  # by reason
    refused: Mapping[str, int]  # by reason
    unrecorded: int  # links to refused URLs without a row, because [frontier] refused limits their number
    queued: int  # they wait
    deleted: int  # by a user, after the crawl

    @property
    def other_pages(self) -> int:
        """Pages that are neither HTML, nor documents, nor page requisites."""
        return self.pages - self.linking - self.requisites - self.only_scored

    @property
    def harvest_rate(self) -> float | None:
        """The share of relevant pages; None: without pages, or if they were not scored."""
        return None if self.relevant is None or not self.pages else self.relevant / self.pages


@frozen_base
class Run:
    """What was crawled, when and how."""

    version: str  # of ttcrawl
    started: float  # seconds since the epoch
    seconds: float  # of crawling, summed over resumes
    finished: str  # "": running or killed; done, max_pages, max_time, interrupted, "failed: ..."
    seeds: tuple[str, ...]  # their URLs
    scope: str  # [scope] scope
    parser: str  # [links] parser
    reader: str  # "compiled", or "Python" and why; "": an earlier version crawled
    read_by_core: int  # HTML pages, each as often as it was read
    read_by_python: dict[str, int]  # the others, by why the core left them
    obey_delay: bool  # [politeness] obey_delay
    delay: float  # seconds, if robots.txt has none
    content_start: str  # [links] content_start
    follow: str  # [links] follow: all, content


@frozen_base
class LinkCounts:
    """The links on pages."""

    found: Tally  # occurrences with an http(s) URL; distinct: without URLs that pages link only to themselves
    content: Tally  # inside the content region
    elsewhere: Tally  # outside it; a URL may be linked in both
    same_page: Tally  # to a position on the page itself; distinct: pages with such links
    not_http: int  # links with other schemes or an invalid URL; not part of `found`
    robots_blocked: Tally  # could have been followed without robots.txt
    out_of_scope: Tally  # links that [scope] refuses


@frozen_base
class Errors:
    """What could not be fetched or read."""

    fetch_errors: Mapping[str, int]  # URLs that failed, by reason, and pages with a status >= 400 ("http 404")
    unanswered: Mapping[str, int]  # requests without a response, by reason, with retries and robots.txt
    parse_errors: int  # pages, sitemaps and feeds that could not be read, or not to their end
    parse_rescued: int  # HTML pages that a later parser could read and the first could not
    parsers: Mapping[str, int]  # pages by the parser that succeeded; sitemaps and feeds by their form


@frozen_base
class Effort:
    """What the crawl cost."""

    requests: int  # with robots.txt and retries
    bytes: int  # of bodies as received
    archive_bytes: int  # on disk and in object storage, compressed
    pages_per_second: float | None  # None: no time has passed
    politeness_floor: float  # seconds: the largest requests * delay of a site ...
    politeness_host: str  # ... and this site; "": no delay was obeyed


@frozen_base
class Robots:
    """The sites, and their robots.txt."""

    sites: int  # hosts with a row in table site
    robots_requested: int  # of these: their robots.txt was requested
    robots_rules: int  # of these, with an Allow or Disallow line
    robots_unreachable: int  # of these, without a usable response: no connection, 5xx, broken content coding


@frozen_base
class SeenFilter:
    """The filter before the table of URLs."""

    seen_tests: int  # URLs that were looked up in the filter
    seen_maybe: int  # of these: the filter says that they may be known, and the table decides
    seen_false: int  # of these: they are new, false positives of the filter
    seen_rate_configured: float  # [seen] error_rate
    seen_rate_observed: float | None  # None: no new URL was tested


@frozen_base
class UrlGrowth:
    """The growth of distinct URLs, and its law."""

    growth: Growth
    saturation: int | None  # the first number of pages with all distinct URLs of the last sample
    heaps_found: Heaps | None  # distinct URLs by link occurrences
    heaps_pages: Heaps | None  # distinct URLs by pages
    heaps_in_scope: Heaps | None  # distinct URLs in scope by pages


@frozen
class Summary(UrlGrowth, SeenFilter, Robots, Effort, Errors, LinkCounts, Run, UrlCounts):
    """A crawl in figures: the fields of all groups, in the opposite order of the bases."""

    @classmethod
    def of(cls, *groups: object) -> Summary:
        """The summary of one record of each group."""
        return cls(**{each.name: getattr(group, each.name) for group in groups for each in fields(group)})  # type: ignore[arg-type]

    @property
    def linking_per_second(self) -> float | None:
        """HTML pages and documents per second; None: no time has passed."""
        return self.linking / self.seconds if self.seconds > 0 else None
