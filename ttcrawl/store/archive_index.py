"""What stands in the files of an import, in a database of its own, so that the memory does not follow their number.

Several processes fill it, each from other files. The import reads it in the order of time, and deletes it at its end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct, structs

#: Its name in the crawl directory.
NAME = "import.db"

#: Types of records that have the answer of a server; a resource is an answer without its head.
RESPONSE, REVISIT, RESOURCE = "response", "revisit", "resource"

#: Other types: what was requested, what is known of an archive as a whole, and of an answer.
REQUEST, INFORMATION, METADATA = "request", "warcinfo", "metadata"

#: Seconds that a process waits for others to write.
PATIENCE = 600.0

TABLES = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = OFF;
    CREATE TABLE file (id INTEGER PRIMARY KEY, size INTEGER, done INTEGER NOT NULL DEFAULT 0,
        paged INTEGER NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '');
    CREATE TABLE entry (file INTEGER, offset INTEGER, length INTEGER, type TEXT, id TEXT, url TEXT,
        time REAL, size INTEGER, payload TEXT, refers_id TEXT, refers_url TEXT, refers_time REAL, profile TEXT,
        concurrent TEXT, resource_type TEXT, address TEXT, truncated TEXT, text TEXT,
        PRIMARY KEY (file, offset)) WITHOUT ROWID;
    CREATE TABLE page (file INTEGER, url TEXT, PRIMARY KEY (file, url)) WITHOUT ROWID;
    CREATE TABLE damage (file INTEGER, offset INTEGER, what TEXT);
"""
#: For the questions of the import; made once everything is there.
INDEXES = """
    CREATE INDEX by_time ON entry (time, file, offset);
    CREATE INDEX by_id ON entry (id);
    CREATE INDEX by_concurrent ON entry (concurrent) WHERE concurrent != '';
    CREATE INDEX by_url ON entry (url, time) WHERE type IN ('response', 'resource');
    CREATE INDEX by_payload ON entry (payload, time) WHERE type IN ('response', 'resource') AND payload != '';
"""

#: The answers to other requests than GET get another type. Programs name the answer in the request, or the reverse.
OTHER_METHODS = """
    UPDATE entry SET type = entry.type || ' to ' || sent.text FROM entry AS sent
    WHERE sent.type = 'request' AND sent.text NOT IN ('', 'GET') AND entry.type IN ('response', 'revisit')
    AND {}"""
_CONCURRENT = ("entry.id = sent.concurrent", "entry.concurrent = sent.id AND entry.concurrent != ''")

_ANSWERS = f"type IN ('{RESPONSE}', '{REVISIT}', '{RESOURCE}')"


class Entry(Struct, frozen=True, kw_only=True):
    """A record, in the member of `length` bytes at `offset`. `time`: seconds since the epoch."""

    offset: int
    length: int
    type: str
    id: str
    url: str
    time: float
    size: int  # bytes of the block
    payload: str = ""  # its digest, as the record says
    refers_id: str = ""
    refers_url: str = ""
    refers_time: float | None = None
    profile: str = ""
    concurrent: str = ""  # the id of another record of the same request
    resource_type: str = ""  # what a browser has requested it as: document, image ...
    address: str = ""
    truncated: str = ""
    text: str = ""  # a warcinfo record; the method of a request; the URL that led to an answer, in a metadata record


class Damage(Struct, frozen=True, kw_only=True):
    """What is wrong with a record, or with the bytes at a position."""

    offset: int
    what: str


_COLUMNS = ", ".join(("file", *Entry.__struct_fields__))
_INSERT = f"INSERT OR REPLACE INTO entry ({_COLUMNS}) VALUES ({', '.join('?' * (len(Entry.__struct_fields__) + 1))})"


class Indexed(Struct, frozen=True):
    """A record, and the number of its file."""

    file: int
    entry: Entry


class ArchiveIndex:
    """A connection to the database at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        self._has_sources = False

    def close(self) -> None:
        self._db.close()

    # -- filling --------------------------------------------------------------------------------------------------

    def create(self, sizes: Iterable[tuple[int, int]]) -> None:
        """Create the tables, with the number and the bytes of each file."""
        self._db.executescript(TABLES)
        self._db.executemany("INSERT INTO file (id, size) VALUES (?, ?)", sizes)

    def add(self, file: int, some: Iterable[Entry | Damage], position: int) -> None:
        """Add records up to a position, in one transaction."""
        some = tuple(some)
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(_INSERT, [(file, *structs.astuple(each)) for each in some if isinstance(each, Entry)])
        damages = [(file, each.offset, each.what) for each in some if isinstance(each, Damage)]
        self._db.executemany("INSERT INTO damage VALUES (?, ?, ?)", damages)
        self._db.execute("UPDATE file SET done = ? WHERE id = ?", (position, file))
        self._db.execute("COMMIT")

    def add_pages(self, file: int, urls: Iterable[str]) -> None:
        """Add the URLs of the pages of a file that tells them from what they show, in one transaction."""
        rows = [(file, url) for url in urls]
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("UPDATE file SET paged = 1 WHERE id = ?", (file,))
        self._db.executemany("INSERT OR IGNORE INTO page VALUES (?, ?)", rows)
        self._db.execute("COMMIT")

    def end(self, file: int, error: str = "") -> None:
        """Note that a file is complete, or why it cannot be read."""
        self._db.execute("UPDATE file SET done = size, error = ? WHERE id = ?", (error, file))

    def position(self) -> int:
        """Return the bytes that were read of all files."""
        position: int = self._db.execute("SELECT coalesce(sum(done), 0) FROM file").fetchone()[0]
        return position

    def complete(self) -> None:
        """Make the indexes, and tell the answers to other requests than GET from pages."""
        self._db.executescript(INDEXES)
        for condition in _CONCURRENT:
            self._db.execute(OTHER_METHODS.format(condition))
        query = f"SELECT 1 FROM entry WHERE type = '{METADATA}' AND text != '' LIMIT 1"
        self._has_sources = self._db.execute(query).fetchone() is not None

    # -- asking ---------------------------------------------------------------------------------------------------

    def answers(self) -> Iterator[Indexed]:
        """Yield the records with answers of servers in the order of their times."""
        query = f"SELECT {_COLUMNS} FROM entry WHERE {_ANSWERS} ORDER BY time, file, offset"
        return map(_indexed, self._db.execute(query))

    def source(self, answer: Entry) -> str:
        """Return the URL whose page led to an answer, as the archive says it; "": it does not."""
        if not self._has_sources:
            return ""
        query = f"SELECT text FROM entry WHERE concurrent = ? AND concurrent != '' AND type = '{METADATA}'"
        row = self._db.execute(query, (answer.id,)).fetchone()
        return row[0] if row else ""

    def original(self, revisit: Entry) -> Indexed | None:
        """Return the response whose body a revisit record has: by its id, its URL and time, or its digest."""
        queries: list[tuple[str, tuple[object, ...]]] = []
        if revisit.refers_id:
            queries.append(("id = ?", (revisit.refers_id,)))
        if revisit.refers_url and revisit.refers_time is not None:
            second = (revisit.refers_url, revisit.refers_time - 1, revisit.refers_time + 1, revisit.refers_time)
            queries.append(("url = ? AND time BETWEEN ? AND ? ORDER BY abs(time - ?)", second))
        if revisit.payload:
            by_digest = "payload != '' AND payload = ? AND time <= ? ORDER BY time DESC"
            queries.append((by_digest, (revisit.payload, revisit.time)))
        for condition, values in queries:
            query = f"SELECT {_COLUMNS} FROM entry WHERE type IN ('response', 'resource') AND {condition} LIMIT 1"
            if (row := self._db.execute(query, values).fetchone()) is not None:
                return _indexed(row)
        return None

    def pages(self) -> dict[int, set[str]]:
        """Return the number of a file that tells pages from what they show -> the URLs of its pages."""
        pages = {file: set[str]() for (file,) in self._db.execute("SELECT id FROM file WHERE paged")}
        for file, url in self._db.execute("SELECT file, url FROM page"):
            pages[file].add(url)
        return pages

    def count(self) -> int:
        """Return the number of records with answers."""
        query = f"SELECT count(*) FROM entry WHERE {_ANSWERS}"
        number: int = self._db.execute(query).fetchone()[0]
        return number

    def count_other_methods(self) -> int:
        """Return the number of answers to other requests than GET."""
        number: int = self._db.execute("SELECT count(*) FROM entry WHERE type LIKE '% to %'").fetchone()[0]
        return number

    def information(self) -> dict[int, str]:
        """Return the number of a file -> its warcinfo records."""
        query = f"SELECT file, group_concat(text, char(10)) FROM entry WHERE type = '{INFORMATION}' GROUP BY file"
        return dict(self._db.execute(query))

    def damages(self) -> Iterator[tuple[int, int, str]]:
        """Yield (file, offset, what is wrong)."""
        yield from self._db.execute("SELECT file, offset, what FROM damage ORDER BY file, offset")
        yield from self._db.execute("SELECT id, done, error FROM file WHERE error != ''")

    def types(self) -> dict[int, dict[str, int]]:
        """Return the number of a file -> the number of its records by type."""
        types: dict[int, dict[str, int]] = {}
        for file, kind, number in self._db.execute(
            "SELECT file, type, count(*) FROM entry GROUP BY 1, 2 ORDER BY 1, 3 DESC"
        ):
            types.setdefault(file, {})[kind] = number
        return types


def _indexed(row: tuple[object, ...]) -> Indexed:
    return Indexed(row[0], Entry(**dict(zip(Entry.__struct_fields__, row[1:], strict=True))))  # type: ignore[arg-type]
