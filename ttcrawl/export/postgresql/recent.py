"""Copy what a running crawl has just done: new rows, and the rows about what was requested, in small steps.

A step costs as little as what it copies, while a round reads the whole crawl. What changes otherwise, such as URLs that
robots.txt refuses, waits for a round.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.engine.reporting.mirror_position import write
from ttcrawl.export.postgresql import checksums
from ttcrawl.export.postgresql.differing_rows import Copy, existing_tables, last_key, note
from ttcrawl.export.postgresql.schemas import TABLES
from ttcrawl.export.postgresql.server import Connection
from ttcrawl.export.postgresql.table import Table
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.tail import Tail
from ttcrawl.web.url import key

VISITS = "ttcrawl.visit"

#: New rows of another table for each request: a page has links to many new URLs.
ROWS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    keys: int  # that were copied
    rest: bool  # whether there is more to copy


class Recent:
    """The position of a copy in the new rows of its crawl, for the life of a connection."""

    def __init__(self, directory: Path, server: Connection, crawl: int) -> None:
        self._directory = directory
        self._server = server
        self._crawl = crawl
        #: Table -> the first key that is not copied yet. Rows with smaller keys may be gone, so PostgreSQL alone does
        #: not know it.
        self._next: dict[str, int] = {}
        self._tail = Tail()

    def step(self, requests: int) -> Step:
        """Copy at most this many requests, in one transaction. Raises NotACrawl, LostConnection, UsageError."""
        count, rest, following = 0, False, dict(self._next)
        with view(self._directory, self._tail) as db:
            existing = existing_tables(db)
            urls, sites = self._requested(db, requests)
            of_key = {"url": urls, "site": sites, "all": {0}}
            for table in TABLES:
                if not existing.issuperset(table.needs):
                    continue
                copy, kinds = Copy(server=self._server, crawl=self._crawl, table=table), table.recent.split()
                keys = {each for kind in kinds for each in of_key.get(kind, ())}
                new: dict[int, int] = {}
                if "appended" in kinds:
                    most = requests if table.name == VISITS else ROWS * requests
                    new = checksums.first(db, table, self._first(table), most)
                    following[table.name] = max(new) + 1 if len(new) == most else last_key(db, table) + 1
                    rest = rest or len(new) == most
                    # the others come in their order: the rows between must not be left out
                    keys = {each for each in keys if each < following[table.name]} - new.keys()
                new |= checksums.of_keys(db, table, keys) if keys else {}
                keys |= new.keys()
                old = copy.blocks({each // checksums.BLOCK for each in keys})
                count += sum(copy.replace(db, old, new, [each for each in keys if old.get(each) != new.get(each)]))
            position = note(db, self._server, self._crawl, following[VISITS] - 1, complete=False)
        self._server.commit()
        write(self._directory, position)
        self._next = following
        return Step(keys=count, rest=rest)

    def _first(self, table: Table) -> int:
        """The first key that is not copied yet."""
        if table.name not in self._next:
            self._next[table.name] = Copy(server=self._server, crawl=self._crawl, table=table).last_key() + 1
        return self._next[table.name]

    def _requested(self, db: View, most: int) -> tuple[Collection[int], Collection[int]]:
        """The ids of the URLs and sites of the next requests."""
        (visits,) = (table for table in TABLES if table.name == VISITS)
        query = "SELECT url, site FROM visit WHERE id >= ? ORDER BY id LIMIT ?"
        rows = db.execute(query, (self._first(visits), most)).fetchall()
        urls = db.of_keys({key(url) for url, _ in rows})
        return {id for id, _ in urls.values()}, {site for _, site in rows}
