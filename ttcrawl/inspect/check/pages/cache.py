"""What earlier checks have read of pages that have not changed since, in check.db.

Facts of a page hold as long as its bytes, its headers, and what decides how it is read: the program, and the
configuration of URLs. A crawl directory that can only be read keeps nothing.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Set
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
import xxhash

from ttcrawl import __version__
from ttcrawl.config import Config
from ttcrawl.inspect.check.kinds import Problem, name_of
from ttcrawl.inspect.check.pages.archive import PageRow
from ttcrawl.inspect.check.pages.facts import KINDS, PageFacts
from ttcrawl.store.check_db import NAME, open_check
from ttcrawl.store.database import StoreError
from ttcrawl.store.side_database import SideDatabase

_T = TypeVar("_T")

#: Raised with each change of what is read of a page, or how.
FORM = 2

#: Pages between two commits.
BATCH = 500

#: Name of a problem -> line and column.
ByName = dict[str, tuple[int, int]]


class FactsCache:
    """`db`: None: nothing is kept. `kinds`: those that are looked for. `of_folder`: headers are our own server's."""

    def __init__(self, db: SideDatabase | None, config: Config, kinds: Set[str], *, of_folder: bool) -> None:
        self._db, self.of_folder = db, of_folder
        self._context = f"{FORM} {__version__} {config.url}".encode()
        self._kinds = kinds & KINDS
        self._uncommitted = 0

    def facts(self, row: PageRow) -> PageFacts | None:
        """None: the page has to be read."""
        if self._db is None or not row.state:
            return None
        stored = self._db.execute("SELECT state, kinds, facts FROM facts WHERE key = ?", (row.key,)).fetchone()
        if stored is None or stored[0] != self._state(row) or not self._kinds <= set(stored[1].split()):
            return None
        return _unpacked(stored[2], PageFacts)

    def keep(self, row: PageRow, facts: PageFacts) -> None:
        values = (row.key, self._state(row), " ".join(sorted(self._kinds)), _packed(facts))
        self._write(row, "INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", values)

    def positions(self, row: PageRow) -> ByName:
        """The positions of problems that an earlier check has looked for."""
        if self._db is None or not row.state:
            return {}
        stored = self._db.execute("SELECT state, positions FROM positions WHERE key = ?", (row.key,)).fetchone()
        if stored is None or stored[0] != self._state(row):
            return {}
        return _unpacked(stored[1], ByName) or {}

    def keep_positions(self, row: PageRow, problems: Iterable[Problem]) -> None:
        positions = self.positions(row) | {name_of(each): (each.line, each.column) for each in problems}
        if positions:
            values = (row.key, self._state(row), _packed(positions))
            self._write(row, "INSERT OR REPLACE INTO positions VALUES (?, ?, ?)", values)

    def _write(self, row: PageRow, statement: str, values: tuple[object, ...]) -> None:
        if self._db is None or not row.state:
            return
        if not self._uncommitted:
            self._db.execute("BEGIN IMMEDIATE")
        self._db.execute(statement, values)
        self._uncommitted += 1
        if self._uncommitted >= BATCH:
            self.commit()

    def commit(self) -> None:
        if self._db is not None and self._uncommitted:
            self._db.execute("COMMIT")
            self._uncommitted = 0

    def _state(self, row: PageRow) -> bytes:
        return xxhash.xxh3_128_digest(self._context + row.state)


@contextmanager
def opened_cache(directory: Path, config: Config, kinds: Set[str], *, of_folder: bool) -> Iterator[FactsCache]:
    """What the check.db of a crawl directory has. Raises UsageError if it is a link, or not ours."""
    try:
        db = open_check(directory / NAME)
    except (OSError, StoreError):
        yield FactsCache(None, config, kinds, of_folder=of_folder)
        return
    with closing(db):
        cache = FactsCache(db, config, kinds, of_folder=of_folder)
        yield cache
        cache.commit()


def _packed(value: object) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(value), 1)


def _unpacked(packed: bytes, type_: type[_T]) -> _T | None:
    """None: the row is damaged, so what it had is read again."""
    try:
        return msgspec.msgpack.decode(zlib.decompress(packed), type=type_)
    except (zlib.error, msgspec.DecodeError):
        return None
