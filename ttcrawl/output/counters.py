"""The figures of a progress display, counted over outcomes. The report counts anew from the tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ttcrawl.frozen import frozen


@dataclass(slots=True)
class Counters:
    """Totals. `pages` to `readers` include earlier runs, the others begin with this run."""

    pages: int = 0
    no_page: int = 0  # responses that were fetched and are not pages: a hook dropped or lost them, or parsing failed
    relevant: int = 0  # of `pages`, if pages are scored
    links: int = 0
    bytes: int = 0
    readers: Counter[str] = field(default_factory=Counter)  # HTML pages by what read them: messages.Page.reader
    moved: int = 0
    visits: int = 0  # to URLs that had an outcome before
    requests: int = 0
    robots_requests: int = 0  # of `requests`: for a robots.txt
    failed: int = 0
    retries: int = 0
    parse_errors: int = 0
    errors: Counter[str] = field(default_factory=Counter)  # by reason: "dns", "http 404" ...

    @property
    def fetched(self) -> int:
        """What [crawl] max_pages limits."""
        return self.pages + self.no_page


@frozen
class Snapshot:
    """The crawl at one moment."""

    seconds: float = 0.0
    pages: int = 0
    moved: int = 0
    links: int = 0
    distinct_urls: int = 0
    in_scope: int = 0  # of `distinct_urls`: queued by links
    queued: int = 0
    in_flight: int = 0
    hosts_locked: int = 0
    hosts_waiting: int = 0
    errors: int = 0
    retries: int = 0
    bytes: int = 0
    relevant: int | None = None  # of `pages`; None: pages are not scored
    visits: int | None = None  # of this run, to URLs that had an outcome before; None: there are none
    requests: int = 0  # of this run
    robots_requests: int = 0  # of `requests`: for a robots.txt
    fetched: int = 0  # what [crawl] max_pages limits: `pages`, and responses that are none
    slowest_host: str = ""  # of the request that is in flight for longest
    slowest_seconds: float = 0.0  # since it began
