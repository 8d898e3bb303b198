"""A row of each table, as the library returns it. The fields are also the columns of the frames.

Field names are the names of the columns (ttcrawl/store/schema.py explains them). Values replace the ids of other rows:
`url` is the URL, `host` its host, `rule` the text of the rule. In all rows about a URL, `id` is the id of the URL.
Times are seconds since the epoch here and timestamps (UTC) in frames. A moment that has not come yet is None.
Columns of JSON are dicts and lists, the row's own; one that is not JSON (`ttcrawl verify` reports it) is its text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

#: The kind of a frame column, if the type alone does not determine it.
MOMENT, CATEGORY, JSON = "moment", "category", "json"

#: Kinds of fields of hooks only, as texts in ISO 8601: a moment without an offset.
DATE, DATETIME = "date", "datetime"

Moment: TypeAlias = Annotated[float, MOMENT]
Name: TypeAlias = Annotated[str, CATEGORY]  # one of a few values
Object: TypeAlias = Annotated[dict[str, Any], JSON]
Counts: TypeAlias = Annotated[dict[str, int], JSON]
Points: TypeAlias = Annotated[dict[str, float], JSON]
Texts: TypeAlias = Annotated[dict[str, str], JSON]
Terms: TypeAlias = Annotated[list[str], JSON]
Headings: TypeAlias = Annotated[list[list[Any]], JSON]  # of [level, text]


@dataclass(frozen=True, slots=True)
class Site:
    id: int
    host: str
    domain: str
    address: str
    country: Name  # of two letters (ISO 3166-1), "": not known
    robots_url: str
    robots: str | None
    robots_status: int | None
    robots_reason: Name
    robots_time: Moment | None
    robots_etag: str
    robots_modified: str
    robots_failing: Moment | None
    delay: float | None
    delay_from: Name
    next_at: Moment | None
    failures: int
    requested: int
    fetched: int
    soft_404: Name
    silent: int
    backoff: float
    backoff_until: Moment | None
    backoff_from: Name


@dataclass(frozen=True, slots=True)
class Url:
    id: int
    url: str
    key: int
    host: Name
    spelling: str
    state: Name
    reason: Name
    rule: Name | None
    depth: int | None
    redirects: int
    off_domain: int
    requisite: int
    off_topic: int
    rank: int
    sitemap: int
    score: int
    demoted: bool
    priority: int
    found_on: int | None
    discovered: Moment
    processed: Moment | None
    attempts: int
    due: Moment | None


@dataclass(frozen=True, slots=True)
class Overview:
    """A URL with what most questions are about. Without a response, the columns behind `attempts` have no value.

    `same` is "bytes", "text" or "near", and `original` the URL of which the page is a duplicate.
    """

    id: int
    url: str
    host: Name
    state: Name
    reason: Name
    rule: Name | None
    depth: int | None
    discovered: Moment
    processed: Moment | None
    attempts: int
    time: Moment | None
    status: int | None
    type: Name | None
    language: Name | None
    length: int | None
    title: str | None
    words: int | None
    same: Name | None
    original: str | None
    soft_404: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A response. `state`, `depth` and `host` belong to its URL. `digest` is hexadecimal.

    `fields` (None if there are none) and `score` are from the hook for pages. `schemes`: scheme -> links.
    """

    id: int
    url: str
    host: Name
    state: Name
    depth: int | None
    time: Moment
    status: int
    type: Name
    declared_type: Name
    charset: Name
    declared_charset: Name
    charset_from: Name
    length: int
    title: str
    digest: str
    etag: str
    last_modified: str
    location: str
    server: Name
    robots: Name
    parser: Name
    parse_error: Name
    links: int
    content_links: int
    same_page_links: int
    recorded_links: int
    not_http: int
    schemes: Counts = field(hash=False)
    file: Name
    offset: int
    size: int
    payload: int | None
    fresh_until: Moment | None
    declared_length: int | None
    soft_404: bool
    fields: Object | None = field(hash=False)
    score: float | None


@dataclass(frozen=True, slots=True)
class Metadata:
    id: int
    url: str
    description: str
    keywords: str
    author: str
    published: str
    modified: str
    headings: Headings = field(hash=False)
    language: Name
    declared_language: Name
    confidence: float
    canonical: str
    open_graph: Texts = field(hash=False)
    words: int
    main_words: int


@dataclass(frozen=True, slots=True)
class Topic:
    """How relevant a page is to the subject of the crawl. `classes`: class -> points."""

    id: int
    url: str
    host: Name
    relevant: bool
    score: float
    probability: float | None
    by: Name
    classes: Points = field(hash=False)
    terms: Terms = field(hash=False)


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A page marked as a duplicate. `original` is the URL of the page in `duplicate_of` or `near_duplicate_of`."""

    id: int
    url: str
    host: Name
    duplicate_of: int | None
    same: Name
    near_duplicate_of: int | None
    similarity: float
    original: str | None


@dataclass(frozen=True, slots=True)
class Image:
    id: int
    url: str
    host: Name
    type: Name
    name: str
    size: int
    width: int | None
    height: int | None
    saved: str
    error: Name


@dataclass(frozen=True, slots=True)
class Document:
    id: int
    url: str
    host: Name
    type: Name
    name: str
    size: int
    pages: int | None
    converter: Name
    saved: str
    error: Name


@dataclass(frozen=True, slots=True)
class Visit:
    id: int
    host: Name
    url: str
    kind: Name
    started: Moment
    ended: Moment
    status: int | None
    reason: Name
    bytes: int
    address: Name
    delay: float
    delay_from: Name
    address_delay: float
    requests: int
    backoff: float | None
    backoff_from: Name


@dataclass(frozen=True, slots=True)
class Growth:
    pages: int
    seconds: float
    links: int
    distinct_urls: int
    queued: int
    bytes: int
    in_scope: int | None


@dataclass(frozen=True, slots=True)
class Link:
    """A link, with names instead of letters. `target` is None for a URL that the URL table does not have.

    `landmark` and `anchor` are None if the crawl did not record them; `landmark` is "" outside all landmarks.
    """

    source: str
    position: int
    target: str | None
    kind: Name
    region: Name
    landmark: Name | None
    anchor: Name | None
