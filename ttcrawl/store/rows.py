"""Rows of the tables in the crawl process: the fields are the columns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

from ttcrawl.vocabulary.reason import Code
from ttcrawl.vocabulary.state import State


@dataclass(frozen=True, slots=True)
class Row:
    """A URL of the ledger, with the columns that decisions need."""

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
    """A host in the database."""

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
    backoff: float
    backoff_until: float
    backoff_from: str
    robots_failing: float
    robots_etag: str
    robots_modified: str


class NewUrl(NamedTuple):
    """A URL that was discovered."""

    id: int
    key: int
    url: str
    spelling: str
    site: int
    state: State
    reason: Code
    rule: int | None
    depth: int | None
    priority: int
    hops: int
    outside: int
    found_on: int | None
    met: float
    settled: float | None
    sitemap: int


class NewVisit(NamedTuple):
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
    requests: int
    backoff: float | None
    backoff_from: str


class Sample(NamedTuple):
    """A row of `growth`."""

    pages: int
    seconds: float
    found: int
    distinct_urls: int
    queued: int
    bytes: int
    in_scope: int


class NewPage(NamedTuple):
    """A response; the defaults of the fields after `status` are the values for a redirect."""

    url: int
    at: float
    status: int
    type: str = ""
    declared_type: str = ""
    charset: str = ""
    declared_charset: str = ""
    charset_from: str = ""
    length: int = 0
    title: str = ""
    digest: bytes | None = None
    etag: str = ""
    last_modified: str = ""
    location: str = ""
    server: str = ""
    robots: str = ""
    parser: str = ""
    parse_error: str = ""
    found: int = 0
    content: int = 0
    same_page: int = 0
    recorded: int = 0
    not_http: int = 0
    schemes: str = "{}"
    file: str = ""
    offset: int = 0
    size: int = 0
    payload: int | None = None


def insert(table: str, row: type[NewUrl | NewVisit | Sample | NewPage], *, verb: str = "INSERT") -> str:
    """Return the statement that writes such a row.

    >>> insert("growth", Sample)
    'INSERT INTO growth (pages, seconds, found, distinct_urls, queued, bytes, in_scope) VALUES (?, ?, ?, ?, ?, ?, ?)'
    """
    return f"{verb} INTO {table} ({', '.join(row._fields)}) VALUES ({', '.join('?' * len(row._fields))})"


COLUMNS, SITE_COLUMNS = (", ".join(field.name for field in fields(row)) for row in (Row, SiteRow))
