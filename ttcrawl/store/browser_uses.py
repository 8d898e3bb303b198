"""Tables `browser_use` and `template`: part of the store; works in its transactions.

Rows wait to be written together. Look-ups write them first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, NamedTuple

from ttcrawl.store.batches import Batches
from ttcrawl.store.rows import COLUMNS, Latest, Row
from ttcrawl.vocabulary.state import FETCHED


class BrowserUse(NamedTuple):
    """A row of table `browser_use` (`ttcrawl.store.browser_tables`)."""

    url: int
    way: str
    reason: str
    template: int | None
    seconds: float
    requests: int
    bytes: int
    links: int | None
    words: int | None


class TemplateRow(NamedTuple):
    """A row of table `template`; `read` is its `state`."""

    id: int
    site: int
    pattern: str
    signature: int
    read: str
    pages: int
    rendered: int
    alike: int
    gain: bytes
    gap: int
    wait: int


def _insert(table: str, row: type[Any]) -> str:
    return f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(row._fields))})"


_USE, _TEMPLATE = _insert("browser_use", BrowserUse), _insert("template", TemplateRow)
_LATEST = ", ".join(Latest.__struct_fields__)
_FORGET = "UPDATE browser_use SET template = NULL WHERE url = ?"
_AGAIN = f"""
    SELECT {", ".join(f"url.{name.strip()}" for name in COLUMNS.split(","))}
    FROM template JOIN browser_use AS page ON page.template = template.id JOIN url ON url.id = page.url
    WHERE page.way = 'static' AND page.template NOTNULL AND template.state = ? AND url.state = '{FETCHED}'
    ORDER BY url.id LIMIT ?"""


class BrowserUses:
    def __init__(self, db: sqlite3.Connection, batches: Batches, flush: Callable[[], None]) -> None:
        self._db = db
        self._batches = batches
        self._flush = flush

    def add(self, row: BrowserUse) -> None:
        """Note how the latest answer of a page was read."""
        self._batches.add(_USE, row, row.url)

    def templates(self, site: int) -> list[TemplateRow]:
        """Return what is known of the templates of a host, in the order in which they were discovered."""
        self._flush()
        rows = self._db.execute("SELECT * FROM template WHERE site = ? ORDER BY id", (site,))
        return [TemplateRow(*row) for row in rows]

    def last_template(self) -> int:
        last: int = self._db.execute("SELECT coalesce(max(id), 0) FROM template").fetchone()[0]
        return last

    def save(self, row: TemplateRow) -> None:
        self._batches.add(_TEMPLATE, row, "")

    def again(self, read: str, limit: int) -> list[Row]:
        """Return the first pages that were read statically although their template is now read otherwise."""
        self._flush()
        return [Row(*row) for row in self._db.execute(_AGAIN, (read, limit))]

    def not_again(self, url: int) -> None:
        """Let a page stay as it was read."""
        self._batches.add(_FORGET, (url,), url)

    def latest(self, url: int) -> Latest:
        """Return the latest answer of a URL that has one."""
        self._flush()
        return Latest(*self._db.execute(f"SELECT {_LATEST} FROM page WHERE url = ?", (url,)).fetchone())
