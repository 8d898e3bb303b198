"""The stored answers of URLs: which there are, and what is compared of each.

In tables of a version before 13, only pages among the earlier answers have an index by URL and time. For these,
`Contents` makes one of the positions of their rows in a temporary table when the first earlier answer is read: of one
URL, or of all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ttcrawl.parse.compared import page_without
from ttcrawl.recrawl.visible import counted
from ttcrawl.ring.messages import Head
from ttcrawl.snapshot.comparison import Content
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.page_text import unpacked
from ttcrawl.snapshot.responses import stored_response
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.kind import REDIRECT
from ttcrawl.web.coding.decode import CodingError
from ttcrawl.web.ignored import NOTHING, Ignored, compile_ignored

_POSITIONS = (
    "CREATE TEMP TABLE position_{0} (url, time, row, PRIMARY KEY (url, time)) WITHOUT ROWID",
    "INSERT OR REPLACE INTO position_{0} SELECT {1}, time, rowid FROM earlier_{0} WHERE ?1 IS NULL OR {1} = ?1",
)
_BY_POSITION = "rowid = (SELECT row FROM position_{0} WHERE url = ? AND time = ?)"
_KEYS = {"text": "url", "outlinks": "source"}


@dataclass(frozen=True, slots=True)
class Stored:
    """An answer: the latest one of the URL with this id, or an earlier one at `time`, seconds since the epoch."""

    id: int
    time: float
    earlier: bool


class Contents:
    """Reads what is compared of answers: of one URL, or of any (None)."""

    def __init__(self, db: View, url_id: int | None = None, ignored: Ignored = NOTHING) -> None:
        """`ignored`: what does not count as a change."""
        self._db, self._url_id = db, url_id
        self._ignored = ignored
        self._positions: set[str] = set()

    def content(self, answer: Stored) -> Content:
        """Raises LookupError if the answer is not there, and ValueError for damaged rows."""
        table = "earlier_page" if answer.earlier else "page"
        row = self._db.execute(
            f"SELECT status, title, digest FROM {table} WHERE url = ? AND time = ?", (answer.id, answer.time)
        ).fetchone()
        if row is None:
            raise LookupError(f"URL {answer.id} has no answer of {answer.time}")
        status, title, digest = row
        return Content(
            status=status,
            title=counted(str(title), self._ignored),
            digest=digest,
            text=self.text(answer),
            targets=self.targets(answer),
            without=self._without(answer, table) if self._ignored.selector else None,
        )

    def text(self, answer: Stored) -> str | None:
        """The main text, as far as its changes count; None: the answer has none, or was not read."""
        row = self._row("text", "size, text, main_size, main", answer)
        return counted(unpacked(row, f"URL {answer.id}", main=True), self._ignored) if row else None

    def _without(self, answer: Stored, table: str) -> str | None:
        """The main text without the elements that do not count, from the archive; None: it is not there."""
        query = (
            f"SELECT url.url, file, offset, size, payload, digest FROM {table} JOIN url ON url.id = {table}.url"
            f" WHERE url.id = ? AND {table}.time = ? AND file != '' AND status BETWEEN 200 AND 299 AND url.id NOT IN"
            " (SELECT url FROM browser_use WHERE way = 'browser')"  # their text comes from a document made by scripts
        )
        row = self._db.execute(query, (answer.id, answer.time)).fetchone()
        if row is None:
            return None
        try:
            response = stored_response(self._db, *row)
            head = Head(status=response.status, phrase="", version="", headers=response.headers, address="")
            page = page_without(self._ignored.selector, row[0], head, response.body, self._db.config.fetch)
        except (NotThere, CodingError):
            return None
        return counted(page[1], self._ignored) if page is not None and not response.truncated else None

    def targets(self, answer: Stored) -> str:
        """The keys of the links, a JSON array, or ""."""
        row = self._row("outlinks", "targets", answer)
        return row[0] if row else ""

    def redirect(self, answer: Stored) -> int | None:
        """The key of the URL to which it leads; None: it is not a redirect, or leads to no URL."""
        row = self._row("outlinks", "targets, kinds", answer)
        return json.loads(row[0])[0] if row and row[1] == REDIRECT.letter.encode() else None

    def _row(self, table: str, columns: str, answer: Stored) -> tuple[Any, ...] | None:
        if not answer.earlier:
            query = f"SELECT {columns} FROM {table} WHERE {_KEYS[table]} = ?"
            row: tuple[Any, ...] | None = self._db.execute(query, (answer.id,)).fetchone()
            return row
        query = f"SELECT {columns} FROM earlier_{table} WHERE {self._condition(table)}"
        row = self._db.execute(query, (answer.id, answer.time)).fetchone()
        return row

    def _condition(self, table: str) -> str:
        """SQL that holds for the row of an earlier answer, with the id of the URL and the time."""
        if self._indexed:
            return f"{_KEYS[table]} = ? AND time = ?"
        if table not in self._positions:
            create, fill = _POSITIONS
            self._db.execute(f"DROP TABLE IF EXISTS temp.position_{table}")
            self._db.execute(create.format(table))
            self._db.execute(fill.format(table, _KEYS[table]), (self._url_id,))
            self._positions.add(table)
        return _BY_POSITION.format(table)

    @cached_property
    def _indexed(self) -> bool:
        names = {name for (name,) in self._db.execute("SELECT name FROM main.sqlite_schema WHERE type = 'index'")}
        return all(f"earlier_{table}_answer" in names for table in _KEYS)


def ignored_in(*crawls: View) -> Ignored:
    """What does not count as a change in any of these crawls."""
    return compile_ignored([line for each in crawls for line in each.config_or_defaults.revisit.ignore])


def urls_of(db: View, keys: Iterable[int]) -> tuple[str, ...]:
    """The URLs with these keys in alphabetical order, those that the crawl has."""
    query = f"SELECT url FROM url WHERE id IN (SELECT {db.id_of('value')} FROM json_each(?)) ORDER BY url"
    return tuple(url for (url,) in db.execute(query, (json.dumps([*keys]),)))
