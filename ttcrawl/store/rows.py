"""Rows of the tables in the crawl process: the fields are the columns.

Those that are written for each URL are Structs: a named tuple with as many fields takes three times as long to make.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from ttcrawl.vocabulary.reason import NONE, Code
from ttcrawl.vocabulary.state import State


class UrlPath(NamedTuple):
    """How a URL was reached. Each number is the smallest of all paths.

    `requisite` counts the links and redirects since the page to whose display it belongs; 0: it belongs to none.
    `off_topic` counts the irrelevant pages in a row before it. `score` is the largest: what its links promise.
    """

    depth: int | None
    redirects: int
    off_domain: int
    rank: int
    sitemap: int
    requisite: int = 0
    off_topic: int = 0
    score: int = 0

    def joined(self, other: UrlPath) -> UrlPath:
        """Return the smallest numbers of two paths. Without a depth only `sitemap` and `requisite` count.

        >>> UrlPath(2, 1, 0, 0, 0).joined(UrlPath(1, 3, 0, -20, 2))
        UrlPath(depth=1, redirects=1, off_domain=0, rank=-20, sitemap=2, requisite=0, off_topic=0, score=0)
        """
        score = max(self.score, other.score)
        sitemap = min(self.sitemap or other.sitemap, other.sitemap or self.sitemap)
        requisite = min(self.requisite or other.requisite, other.requisite or self.requisite)
        if other.depth is None:
            return self._replace(sitemap=sitemap, requisite=requisite, score=score)
        if self.depth is None:
            return other._replace(sitemap=sitemap, requisite=requisite, score=score)
        return UrlPath(
            min(self.depth, other.depth),
            min(self.redirects, other.redirects),
            min(self.off_domain, other.off_domain),
            min(self.rank, other.rank),
            sitemap,
            requisite,
            min(self.off_topic, other.off_topic),
            score,
        )


class Relevance(NamedTuple):
    """Whether a page is relevant, and how probable a model finds that; None: it has no score, or not by a model."""

    relevant: bool | None = None
    probability: float | None = None


NO_RELEVANCE = Relevance()


class Row(Struct, frozen=True):
    """A URL of the ledger, with the columns that decisions need."""

    id: int
    url: str
    site: int
    state: State
    reason: Code
    depth: int | None
    redirects: int
    off_domain: int
    rank: int
    sitemap: int
    requisite: int
    off_topic: int
    score: int
    demoted: int
    priority: int
    attempts: int
    due: float
    found_on: int | None = None

    @property
    def path(self) -> UrlPath:
        return UrlPath(
            self.depth,
            self.redirects,
            self.off_domain,
            self.rank,
            self.sitemap,
            self.requisite,
            self.off_topic,
            self.score,
        )


class SiteRow(Struct, frozen=True):
    """A host in the database."""

    id: int
    host: str
    domain: str
    robots_url: str
    robots: str | None
    robots_status: int | None
    robots_reason: Code
    robots_time: float | None
    next_at: float
    address: str
    failures: int
    requested: int
    fetched: int
    silent: int
    backoff: float
    backoff_until: float
    backoff_from: str
    robots_failing: float
    robots_etag: str
    robots_modified: str


class RecrawlRow(Struct, frozen=True):
    """When a URL is visited again, and what its visits have shown (`ttcrawl.store.recrawl_tables`)."""

    url: int
    next: float
    visited: float
    visits: int
    not_modified: int
    changes: int
    missing: int
    failures: int
    trust: str
    evidence: str
    announced: float | None
    refused: str


class Latest(Struct, frozen=True):
    """The latest answer of a URL; all are None if it has none."""

    status: int | None
    time: float | None
    digest: bytes | None
    etag: str | None
    last_modified: str | None
    location: str | None
    links: int | None
    file: str | None
    offset: int | None
    size: int | None
    parser: str | None


class NewUrl(Struct, frozen=True, gc=False):
    """A URL that was discovered; the defaults are the values for a seed."""

    id: int
    key: int
    url: str
    site: int
    state: State
    discovered: float
    spelling: str = ""
    reason: Code = NONE
    rule: int | None = None
    depth: int | None = 0
    redirects: int = 0
    off_domain: int = 0
    rank: int = 0
    sitemap: int = 0
    requisite: int = 0
    off_topic: int = 0
    score: int = 0
    priority: int = 0
    found_on: int | None = None
    processed: float | None = None


class NewVisit(Struct, frozen=True, gc=False, kw_only=True):
    """An HTTP request that has ended."""

    site: int
    url: str
    kind: str
    started: float
    ended: float
    status: int | None
    reason: Code
    bytes: int
    address: str
    delay: float
    delay_from: str
    address_delay: float
    requests: int = 1
    backoff: float | None = None
    backoff_from: str = ""


class Sample(Struct, frozen=True, gc=False, kw_only=True):
    """A row of `growth`."""

    pages: int
    seconds: float
    links: int
    distinct_urls: int
    queued: int
    bytes: int
    in_scope: int


def insert(table: str, columns: Iterable[str], *, verb: str = "INSERT") -> str:
    """Return the statement that writes a row.

    >>> insert("archive", ("file", "size"))
    'INSERT INTO archive ("file", "size") VALUES (?, ?)'
    """
    names = [f'"{each}"' for each in columns]
    return f"{verb} INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"


#: What a URL has that is put into the queue again.
AS_QUEUED = "state = 'queued', reason = '', rule = NULL, processed = NULL, attempts = 0, due = 0"

COLUMNS, SITE_COLUMNS = ", ".join(Row.__struct_fields__), ", ".join(SiteRow.__struct_fields__)
