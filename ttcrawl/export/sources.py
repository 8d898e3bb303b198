"""The tables that are exported as rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ttcrawl.snapshot import links, tables
from ttcrawl.snapshot.page_records import PAGE_RECORDS, PageRecord
from ttcrawl.snapshot.pieces import Pieces, of_query
from ttcrawl.snapshot.rows import Link
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.tables import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the rows of a table come from. `count`: the SQL of their number. `sql`: of the columns, where it says what
    they mean."""

    name: str
    row: type
    pieces: Pieces[Any]
    count: str
    sql: Mapping[str, str] = field(default_factory=dict)


def _of(name: str, table: Table[Any]) -> Source:
    sql = {column: table.sources.get(column, f"{table.name}.{column}") for column in table.columns}
    return Source(name=name, row=table.row, pieces=table.stored, count=f"SELECT count(*) FROM {table.name}", sql=sql)


PAGES = _of("pages", PAGE_RECORDS)
VISITS = _of("visits", tables.VISITS)
SOURCES: Mapping[str, Source] = {
    source.name: source
    for source in (
        PAGES,
        _of("urls", tables.URLS),
        _of("overview", tables.OVERVIEW),
        Source(
            name="links", row=Link, pieces=links.PIECES, count="SELECT coalesce(sum(length(kinds)), 0) FROM outlinks"
        ),
        _of("sites", tables.SITES),
        VISITS,
        _of("images", tables.IMAGES),
        _of("documents", tables.DOCUMENTS),
        _of("growth", tables.GROWTH),
    )
}

#: The order of BY_SITE, in a temporary table.
_ORDER = """
    CREATE TEMP TABLE by_site AS
    SELECT page.url FROM page LEFT JOIN url ON url.id = page.url ORDER BY url.site, page.url"""
_IN_ORDER = of_query(
    PAGE_RECORDS.expressions,
    f"by_site CROSS JOIN page ON page.url = by_site.url {PAGE_RECORDS.joins}",
    "by_site.rowid",
    PageRecord,
)


def _last_by_site(db: View) -> int | None:
    db.execute(_ORDER)
    return _IN_ORDER.last(db)


#: The pages of each host together.
BY_SITE = replace(PAGES, pieces=replace(_IN_ORDER, last=_last_by_site))
