"""Rows of the tables as the crawl process has them in hand."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.vocabulary.reason import Code
from ttcrawl.vocabulary.state import State


@dataclass(frozen=True, slots=True)
class Row:
    """A URL of the ledger, as far as deciding about it needs."""

    id: int
    url: str
    site: int
    state: State
    reason: Code
    depth: int | None
    priority: int
    hops: int
    outside: int
    attempts: int
    due: float
    sitemap: int


@dataclass(frozen=True, slots=True)
class SiteRow:
    """What the crawl knows of a host."""

    id: int
    host: str
    domain: str
    robots_url: str
    robots: str | None
    robots_status: int | None
    robots_reason: Code
    robots_at: float | None
    next_at: float
    address: str
    failures: int
    asked: int
    fetched: int
    silent: int
    backoff_seconds: float
    backoff_until: float
    backoff_from: str
    robots_failing: float
    robots_etag: str
    robots_modified: str


COLUMNS = "id, url, site, state, reason, depth, priority, hops, outside, attempts, due, sitemap"
SITE_COLUMNS = (
    "id, host, domain, robots_url, robots, robots_status, robots_reason, robots_at, next_at, address, failures,"
    " asked, fetched, silent, backoff, backoff_until, backoff_from, robots_failing, robots_etag, robots_modified"
)
