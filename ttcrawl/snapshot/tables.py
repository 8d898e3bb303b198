"""The SQL source of each field of a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeVar

from ttcrawl.snapshot.json_columns import parsed
from ttcrawl.snapshot.pieces import Pieces, of_query
from ttcrawl.snapshot.rows import (
    Document,
    Duplicate,
    Growth,
    Image,
    Metadata,
    Overview,
    Page,
    Site,
    Topic,
    Url,
    Visit,
)
from ttcrawl.store.database import Database

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Generic[R]):
    """A kind of row: its tables, its order, and the SQL of the fields that are not columns of the table `name`."""

    row: type[R]
    name: str
    joins: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    order: str = "id"

    @property
    def columns(self) -> tuple[str, ...]:
        row: Any = self.row
        return tuple(each.name for each in fields(row))

    @property
    def expressions(self) -> str:
        """The SQL of the columns."""
        return ", ".join(self.sources.get(name, f"{self.name}.{name}") for name in self.columns)

    @property
    def query(self) -> str:
        """Rows come in the order of the table, so that SQLite neither sorts nor stores them."""
        return f"SELECT {self.expressions} FROM {self.name} {self.joins}"

    @property
    def ordered(self) -> str:
        return f"{self.query} ORDER BY {self.name}.{self.order}"

    @property
    def pieces(self) -> Pieces[R]:
        """The rows, in the order of the table."""
        return self._pieces(parsed(self.row))

    @property
    def stored(self) -> Pieces[R]:
        """The same with the texts of JSON columns, as they are in the database."""
        return self._pieces(self.row)

    def _pieces(self, row: Callable[..., R]) -> Pieces[R]:
        return of_query(self.expressions, f"{self.name} {self.joins}", f"{self.name}.{self.order}", row)


def row_about(db: Database, row: type[R], table: str, url: int) -> R | None:
    """The row of a table about a URL; the fields of its class are the columns. None: the table has none."""
    of_row: Any = row
    names = [each.name for each in fields(of_row)]
    columns = ", ".join(f'"{name}"' for name in names)
    values = db.execute(f"SELECT {columns} FROM {table} WHERE url = ?", (url,)).fetchone()
    return row(**dict(zip(names, values, strict=True))) if values else None


def _never_is_null(name: str, *columns: str) -> dict[str, str]:
    """Columns of moments in which 0 stands for a missing value."""
    return {column: f"nullif({name}.{column}, 0)" for column in columns}


# LEFT JOINs, here and below: SQLite reads the first table in order, and a missing row elsewhere loses no row
_HOST = "LEFT JOIN site ON site.id = url.site"
_OF_URL = {"id": "url.id", "url": "url.url"}


def _about(name: str) -> str:
    return f"LEFT JOIN url ON url.id = {name}.url {_HOST}"


SITES = Table(
    row=Site,
    name="site",
    sources={
        "country": "country(site.host, site.address)",
        **_never_is_null("site", "robots_failing", "next_at", "backoff_until"),
    },
)
URLS = Table(
    row=Url,
    name="url",
    joins=f"{_HOST} LEFT JOIN rule ON rule.id = url.rule",
    sources={"host": "site.host", "rule": "rule.text", "demoted": "url.demoted > 0", **_never_is_null("url", "due")},
)
OVERVIEW = Table(
    row=Overview,
    name="url",
    joins=f"{URLS.joins} LEFT JOIN page ON page.url = url.id LEFT JOIN metadata ON metadata.url = url.id"
    " LEFT JOIN duplicate ON duplicate.url = url.id"
    " LEFT JOIN url AS original ON original.id = coalesce(duplicate.duplicate_of, duplicate.near_duplicate_of)"
    " LEFT JOIN soft_404 ON soft_404.url = url.id",
    sources={
        **{name: URLS.sources[name] for name in ("host", "rule")},
        **{name: f"page.{name}" for name in ("time", "status", "type", "length", "title")},
        **{name: f"metadata.{name}" for name in ("language", "words")},
        "same": "duplicate.same",
        "original": "original.url",
        "soft_404": "soft_404.url IS NOT NULL",
    },
)
PAGES = Table(
    row=Page,
    name="page",
    joins=f"{_about('page')} LEFT JOIN soft_404 ON soft_404.url = page.url LEFT JOIN fields ON fields.url = page.url",
    sources={
        **_OF_URL,
        "host": "site.host",
        "state": "url.state",
        "depth": "url.depth",
        "digest": "coalesce(lower(hex(page.digest)), '')",
        "soft_404": "soft_404.url IS NOT NULL",
        "fields": "coalesce(fields.fields, '')",
        "score": "fields.score",
    },
    order="url",
)
METADATA = Table(row=Metadata, name="metadata", joins=_about("metadata"), sources=_OF_URL, order="url")
TOPICS = Table(row=Topic, name="topic", joins=_about("topic"), sources={**_OF_URL, "host": "site.host"}, order="url")
DUPLICATES = Table(
    row=Duplicate,
    name="duplicate",
    joins=f"{_about('duplicate')} LEFT JOIN url AS original"
    " ON original.id = coalesce(duplicate.duplicate_of, duplicate.near_duplicate_of)",
    sources={**_OF_URL, "host": "site.host", "original": "original.url"},
    order="url",
)
IMAGES = Table(row=Image, name="image", joins=_about("image"), sources={**_OF_URL, "host": "site.host"}, order="url")
DOCUMENTS = Table(
    row=Document, name="document", joins=_about("document"), sources={**_OF_URL, "host": "site.host"}, order="url"
)
VISITS = Table(row=Visit, name="visit", joins="LEFT JOIN site ON site.id = visit.site", sources={"host": "site.host"})
GROWTH = Table(row=Growth, name="growth", order="pages")
