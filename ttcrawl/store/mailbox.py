"""What a ring of a cluster sends to others and receives from them, in the transaction of the pages.

Its tables exist in the crawl.db of a ring alone. A carrier may lose batches, double them and change their order: a
batch stays in `outbox` until its receiver has committed it, and `inbox` knows what was received.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from ttcrawl.output.shell import command_line
from ttcrawl.store.database import PATIENCE, Database

#: The file in the directory of a cluster, below which its rings are.
CLUSTER = "cluster.json"

#: The crawl in this directory that is made of the rings when a command reads the whole.
JOINED = "joined"

TABLES = (
    """CREATE TABLE IF NOT EXISTS outbox (      -- batches without an acknowledgement
    ring   INTEGER NOT NULL,                   -- the receiver
    number INTEGER NOT NULL,                   -- counted for each receiver, from 1 on
    batch  BLOB NOT NULL,
    PRIMARY KEY (ring, number)
) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS posted (      -- the number of the last batch for each receiver
    ring   INTEGER PRIMARY KEY,
    number INTEGER NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS inbox (       -- received batches behind a gap
    sender TEXT NOT NULL,                      -- the crawl directory that sent it (`crawl.incarnation`)
    number INTEGER NOT NULL,
    PRIMARY KEY (sender, number)
) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS received (    -- up to this number all batches were received
    sender TEXT PRIMARY KEY,
    number INTEGER NOT NULL
) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS peer (        -- the present directory of each other ring
    ring        INTEGER PRIMARY KEY,
    incarnation TEXT NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS replay (      -- rings with a new directory, to which all their URLs are sent again
    ring INTEGER PRIMARY KEY,
    next INTEGER NOT NULL,                     -- the first id in table `url` that was not looked at
    last INTEGER NOT NULL                      -- later URLs are sent as always
)""",
    """CREATE TABLE IF NOT EXISTS held (        -- URLs of ours that an earlier owner of their host has processed
    url  INTEGER PRIMARY KEY,
    ring INTEGER NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS awaited (     -- rings that have not yet sent all adoptions of this epoch
    ring INTEGER PRIMARY KEY
)""",
    """CREATE TABLE IF NOT EXISTS adoption (    -- what they have sent
    ring  INTEGER NOT NULL,
    batch BLOB NOT NULL
)""",
)


class Mailbox:
    """Part of the store; works in its transactions. Creates its tables if they do not exist."""

    def __init__(self, db: sqlite3.Connection | Database) -> None:
        self._db = db
        for statement in TABLES:
            db.execute(statement)

    # -- out ------------------------------------------------------------------------------------------------------

    def post(self, ring: int, batch: bytes) -> int:
        """Keep a batch for a ring; return its number."""
        (number,) = self._db.execute(
            "INSERT INTO posted VALUES (?, 1) ON CONFLICT DO UPDATE SET number = number + 1 RETURNING number", (ring,)
        ).fetchone()
        self._db.execute("INSERT INTO outbox VALUES (?, ?, ?)", (ring, number, batch))
        return int(number)

    def unacknowledged(self) -> list[tuple[int, int, int]]:
        """Return (ring, number, bytes) of all batches that are kept."""
        return self._db.execute("SELECT ring, number, length(batch) FROM outbox ORDER BY ring, number").fetchall()

    def batch(self, ring: int, number: int) -> bytes:
        """Return a batch that is kept."""
        (batch,) = self._db.execute("SELECT batch FROM outbox WHERE (ring, number) = (?, ?)", (ring, number)).fetchone()
        return bytes(batch)

    def acknowledge(self, ring: int, number: int) -> None:
        """Delete a batch that its receiver has committed."""
        self._db.execute("DELETE FROM outbox WHERE (ring, number) = (?, ?)", (ring, number))

    def peer(self, ring: int, incarnation: str) -> str:
        """Note the directory of a ring; return the one that was known before, "" if there was none."""
        row = self._db.execute("SELECT incarnation FROM peer WHERE ring = ?", (ring,)).fetchone()
        self._db.execute("INSERT OR REPLACE INTO peer VALUES (?, ?)", (ring, incarnation))
        return row[0] if row else ""

    def directory_of(self, ring: int) -> str:
        """Return the present directory of a ring that has told it."""
        (incarnation,) = self._db.execute("SELECT incarnation FROM peer WHERE ring = ?", (ring,)).fetchone()
        return str(incarnation)

    def replays(self) -> list[tuple[int, int, int]]:
        """Return (ring, next id, last id) of all rings to which URLs are sent again."""
        return self._db.execute("SELECT ring, next, last FROM replay ORDER BY ring").fetchall()

    def replay(self, ring: int, next: int, last: int) -> None:
        """Note which URLs are to be sent to a ring again."""
        self._db.execute("INSERT OR REPLACE INTO replay VALUES (?, ?, ?)", (ring, next, last))

    def end_replay(self, ring: int) -> None:
        """Note that all were posted."""
        self._db.execute("DELETE FROM replay WHERE ring = ?", (ring,))

    # -- in -------------------------------------------------------------------------------------------------------

    def receive(self, sender: str, number: int) -> bool:
        """Note that a batch is received; return whether it is new."""
        row = self._db.execute("SELECT number FROM received WHERE sender = ?", (sender,)).fetchone()
        last = row[0] if row else 0
        if number <= last or self._has(sender, number):
            return False
        if number > last + 1:
            self._db.execute("INSERT INTO inbox VALUES (?, ?)", (sender, number))
            return True
        last = number
        while self._has(sender, last + 1):
            last += 1
        self._db.execute("DELETE FROM inbox WHERE sender = ? AND number <= ?", (sender, last))
        self._db.execute("INSERT OR REPLACE INTO received VALUES (?, ?)", (sender, last))
        return True

    def _has(self, sender: str, number: int) -> bool:
        query = "SELECT 1 FROM inbox WHERE (sender, number) = (?, ?)"
        return self._db.execute(query, (sender, number)).fetchone() is not None

    # -- hosts that move ------------------------------------------------------------------------------------------

    def hold(self, url: int, ring: int) -> None:
        """Note which ring has processed a URL."""
        self._db.execute("INSERT OR REPLACE INTO held VALUES (?, ?)", (url, ring))

    def holder(self, url: int) -> int:
        """Return the ring that has processed a URL, 0 if no other is known to have."""
        row = self._db.execute("SELECT ring FROM held WHERE url = ?", (url,)).fetchone()
        return row[0] if row else 0

    def release(self, ring: int) -> list[int]:
        """Forget which URLs a ring has processed; return them."""
        urls = [url for (url,) in self._db.execute("SELECT url FROM held WHERE ring = ? ORDER BY url", (ring,))]
        self._db.execute("DELETE FROM held WHERE ring = ?", (ring,))
        return urls

    def release_next(self, most: int) -> list[int]:
        """Forget that other rings have processed URLs, at most so many; return them."""
        urls = [url for (url,) in self._db.execute("SELECT url FROM held ORDER BY url LIMIT ?", (most,))]
        self._db.executemany("DELETE FROM held WHERE url = ?", [(url,) for url in urls])
        return urls

    def forget_holder(self, ring: int, urls: Sequence[str]) -> None:
        """Forget that a ring has processed these URLs."""
        self._db.execute(
            "DELETE FROM held WHERE ring = ?"
            " AND url IN (SELECT id FROM url WHERE url IN (SELECT value FROM json_each(?)))",
            (ring, json.dumps(urls)),
        )

    def wait_for(self, rings: Iterable[int]) -> None:
        """Await the adoptions of these rings."""
        self._db.executemany("INSERT INTO awaited VALUES (?)", [(ring,) for ring in rings])

    def awaited(self) -> frozenset[int]:
        """Return the rings whose adoptions are awaited."""
        return frozenset(ring for (ring,) in self._db.execute("SELECT ring FROM awaited"))

    def add_adoption(self, ring: int, adoption: bytes) -> int:
        """Keep an adoption until all of a ring are there; return how many there are."""
        self._db.execute("INSERT INTO adoption VALUES (?, ?)", (ring, adoption))
        count: int = self._db.execute("SELECT count(*) FROM adoption WHERE ring = ?", (ring,)).fetchone()[0]
        return count

    def next_adoptions(self, ring: int, most: int) -> list[bytes]:
        """Remove adoptions of a ring, at most so many, and return them; with the last one it is awaited no longer."""
        rows = self._db.execute("SELECT rowid, batch FROM adoption WHERE ring = ? LIMIT ?", (ring, most)).fetchall()
        self._db.executemany("DELETE FROM adoption WHERE rowid = ?", [(row,) for row, _ in rows])
        if len(rows) < most:
            self._db.execute("DELETE FROM awaited WHERE ring = ?", (ring,))
        return [batch for _, batch in rows]


def is_cluster(directory: Path) -> bool:
    """Whether this is the directory of a cluster, below which its rings are."""
    return (directory / CLUSTER).exists()


def to_change(directory: Path) -> Path:
    """Return the directory that commands take which change a crawl: of joined rings, that of their cluster."""
    cluster = directory.parent
    return cluster if directory.name == JOINED and is_cluster(cluster) else directory


def command_to_continue(directory: Path, verb: str = "resume") -> str:
    """Return the command that continues a crawl, a cluster, or that of a ring, as a shell reads it.

    `verb`: resume or recrawl.
    """
    for each in (directory, directory.parent):
        if is_cluster(each):
            return command_line("cluster", verb, each)
    return command_line(verb, directory)


def cluster_in(directory: Path) -> str:
    """Return what to do with the directory of a cluster, which contains no crawl itself; "" if it is none."""
    if not is_cluster(directory):
        return ""
    resume, status, gather = (command_line("cluster", each, directory) for each in ("resume", "status", "gather"))
    return (
        f"it is the directory of a cluster: {resume} or recrawl continues it, {status} shows it, and {gather} -o OUT"
        " makes one crawl of it"
    )


def ring_of(path: Path) -> str:
    """Return the number of the ring whose crawl.db this is, "" if it is a complete crawl."""
    with closing(sqlite3.connect(path, timeout=PATIENCE)) as db:
        (ring,) = db.execute("SELECT value FROM crawl WHERE name = 'ring'").fetchone() or ("",)
    return str(ring)


def has_work(directory: Path) -> bool:
    """Whether a ring that is not running has queued URLs, or some for others."""
    with closing(sqlite3.connect(directory / "crawl.db", timeout=PATIENCE)) as db:
        (queued,) = db.execute("SELECT value FROM crawl WHERE name = 'total_queued'").fetchone() or (0,)
        return int(queued) > 0 or db.execute("SELECT 1 FROM outbox LIMIT 1").fetchone() is not None
