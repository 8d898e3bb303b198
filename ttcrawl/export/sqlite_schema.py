"""The tables of `--format sqlite`: URLs and words stand where crawl.db has ids and letters.

Datasette follows foreign keys to primary keys alone, so the key of a table about URLs is the URL. A moment is written
as SQLite's own functions write it, so that it compares with datetime('now').
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ttcrawl.export.sources import Source
from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.rows import JSON, MOMENT
from ttcrawl.store.descriptions import descriptions
from ttcrawl.store.new_database import quoted

#: Declared types, by which Superset and others know moments and switches.
_TYPES = {"int": "INTEGER", "float": "REAL", "bool": "BOOLEAN", MOMENT: "DATETIME", JSON: "JSON"}

#: Columns with the id of another URL, here the URL itself; and what only crawl.db needs.
URLS, LEFT_OUT = ("found_on", "payload"), ("key",)

ABOUT = {
    "pages": "the latest response of each URL that answered, with what was read of its page",
    "urls": "every URL that was discovered, its state and the reason",
    "links": "the links of pages, in document order",
    "sites": "the hosts",
    "visits": "HTTP requests and their responses",
    "images": "fetched images",
    "documents": "fetched files that are neither pages nor images",
    "growth": "samples of the growth of the crawl",
    "overview": "every URL with its state, its latest response, its language and the page that it duplicates",
}
_KEYS = {"sites": "host", "visits": "id", "growth": "pages"} | dict.fromkeys(
    ("pages", "urls", "images", "documents", "overview"), "url"
)
_REFERENCES = {
    **dict.fromkeys(("pages.url", "images.url", "documents.url", "urls.found_on", "links.target"), ("urls", "url")),
    **dict.fromkeys(("pages.payload", "pages.original", "links.source"), ("pages", "url")),
    **dict.fromkeys((f"{name}.host" for name in ("pages", "urls", "images", "documents", "visits")), ("sites", "host")),
}
_INDEXES = {
    "pages": ("host", "status", "type", "digest", "time"),
    "urls": ("host", "state, reason", "found_on"),
    "links": ("source, position", "target"),
    "visits": ("host", "url", "started"),
    "images": ("host",),
    "documents": ("host",),
}

#: Columns whose meaning no comment of crawl.db has.
_MEANINGS = {
    "id": "the position of the URL in the order of discovery",
    "visits.id": "in the order in which requests ended",
    "sites.id": "in the order in which hosts were discovered",
    "url": "canonical",
    "pages.status": "of HTTP",
    "overview.status": "of HTTP",
    "title": "of the page",
    "etag": "the header ETag",
    "last_modified": "the header Last-Modified",
    "pages.offset": "bytes before its record in the file",
    "pages.size": "bytes of its record",
    "description": "as the page states it",
    "keywords": "as the page states them",
    "author": "as the page states it",
    "modified": "the date of the last change that the page states, ISO 8601",
    "discovered": "when it was seen for the first time",
    "robots_url": "where its robots.txt was found",
    "robots_modified": "the header Last-Modified of its robots.txt",
    "backoff_until": "when its last back-off ends",
    "started": "when it was sent",
    "ended": "when its response was complete, or it failed",
    "visits.address": "of the server; '': unknown",
    "images.type": "the MIME type",
    "documents.type": "the MIME type",
    "images.height": "pixels",
    "documents.name": "of the file, from the server or the URL",
    "documents.size": "bytes without content codings",
    "documents.saved": "its path under files/; '': not saved",
    "growth.queued": "URLs that wait",
    "host": "with its port, where that is not the default of the scheme",
    "country": "of the server, two letters (ISO 3166-1); '': unknown",
    "rule": "the text of the rule that decided",
    "found_on": "the page on which it was discovered; NULL: a seed",
    "robots_failing": "since when it answers 429 or 5xx; NULL: it does not",
    "payload": "the page whose record has the bytes; NULL: its own",
    "digest": "hexadecimal",
    "soft_404": "whether the page is an error page with another status",
    "sites.soft_404": "how the host answers for missing pages",
    "original": "the page of which it is a duplicate",
    "links.source": "the page",
    "links.position": "on the page, from 0",
    "links.target": "NULL: a URL that was not recorded",
    "links.kind": "the element: a, img, redirect ...",
    "links.region": "where it stands, and why it was not followed",
    "links.landmark": "nav, main, header, footer, aside; '': none; NULL: not recorded",
    "links.anchor": "the anchor text; NULL: not recorded",
    "text": "all words of the page",
    "main_text": "the words of its main part",
}

#: View -> the tables that it needs, what it has, and its query.
VIEWS = {
    "broken_links": (
        ("links", "urls", "pages"),
        "links to URLs that failed, or answered with 4xx or 5xx",
        "SELECT links.source, links.position, links.anchor, links.kind, links.target, urls.reason"
        " FROM urls LEFT JOIN pages ON pages.url = urls.url JOIN links ON links.target = urls.url"
        " WHERE urls.state = 'failed' OR pages.status >= 400",
    ),
    "redirects": (
        ("pages",),
        "URLs that redirect, and where to, as received",
        "SELECT url, host, status, location, time FROM pages WHERE state = 'moved'",
    ),
    "reasons": (
        ("urls",),
        "how many URLs have each state, for each reason",
        "SELECT state, reason, count(*) AS urls FROM urls GROUP BY state, reason",
    ),
    "inlinks": (
        ("links",),
        "how many links and pages lead to each URL",
        "SELECT target, count(*) AS links, count(DISTINCT source) AS pages FROM links"
        " WHERE target IS NOT NULL GROUP BY target",
    ),
    "duplicates": (
        ("pages",),
        "pages that are copies of others or nearly so",
        "SELECT url, host, same, similarity, original FROM pages WHERE original IS NOT NULL",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    kind: str  # as it is declared
    meaning: str
    key: bool = False  # the primary key
    refers_to: tuple[str, str] | None = None  # table and column


def columns(source: Source, texts: Sequence[str] = ()) -> dict[str, Column]:
    """The columns of an exported table, in their order."""
    of_row = {name: kind for name, (kind, _) in kinds(source.row).items() if name not in LEFT_OUT}
    of_row |= dict.fromkeys(URLS & of_row.keys(), "str") | dict.fromkeys(texts, "str")
    return {
        name: Column(
            kind=declared_type(kind),
            meaning=_meaning(source, name),
            key=_KEYS.get(source.name) == name,
            refers_to=_REFERENCES.get(f"{source.name}.{name}"),
        )
        for name, kind in of_row.items()
    }


def declared_type(kind: str) -> str:
    """The type of a column in SQLite."""
    return _TYPES.get(kind, "TEXT")


def _meaning(source: Source, name: str) -> str:
    for own in (f"{source.name}.{name}", name):
        if own in _MEANINGS:
            return _MEANINGS[own]
    stored = re.search(r"(\w+)\.(\w+)", source.sql.get(name, ""))
    table = descriptions().get(stored[1]) if stored else None
    return table.columns[stored[2]].meaning if stored and table and stored[2] in table.columns else ""


def table(source: Source, of_column: Mapping[str, Column]) -> str:
    """The statement that creates a table. Its comments stay in the file, where `.schema` shows them."""
    about = ABOUT.get(source.name, "")
    lines = [f'CREATE TABLE "{source.name}" (' + (f" -- {about}" if about else "")]
    for number, (name, column) in enumerate(of_column.items(), 1):
        declared = f"    {quoted(name)} {column.kind}{_constraints(column)}{',' * (number < len(of_column))}"
        lines.append(f"{declared}  -- {' '.join(column.meaning.split())}" if column.meaning else declared)
    return "\n".join([*lines, ")"])


def _constraints(column: Column) -> str:
    other = column.refers_to
    key = " PRIMARY KEY" if column.key else ""
    return key + (f' REFERENCES "{other[0]}"("{other[1]}")' if other else "")


def indexes(name: str) -> Iterator[str]:
    """The statements that index a table."""
    for names in _INDEXES.get(name, ()):
        quoted = ", ".join(f'"{each}"' for each in names.split(", "))
        yield f'CREATE INDEX "{name}_{names.replace(", ", "_")}" ON "{name}" ({quoted})'


def views(tables: Sequence[str]) -> Iterator[str]:
    """The statements that create the views of which all tables are here."""
    for name, (needed, about, query) in VIEWS.items():
        if {*needed} <= {*tables}:
            yield f'CREATE VIEW "{name}" AS -- {about}\n{query}'
