"""What a user deleted, and what of it is still on the disk: tables `deletion` and `leftover`.

The rows of a deletion go in one transaction. What cannot be part of it, the files, is noted as left over in the same
transaction and removed afterwards; so a deletion that is killed is completed by a later command.
"""

from __future__ import annotations

from pathlib import Path

from ttcrawl.store.database import Database
from ttcrawl.store.files import is_ours
from ttcrawl.store.regular import is_link, is_regular
from ttcrawl.vocabulary.state import DELETED

TABLES = (
    """-- every deletion, and what it took away of the totals and of table `growth`
CREATE TABLE deletion (
    id    INTEGER PRIMARY KEY,
    time  REAL NOT NULL,
    what  TEXT NOT NULL,                       -- the selection: '--host a.test'
    urls  INTEGER NOT NULL,                    -- URLs that became 'deleted'
    pages INTEGER NOT NULL,                    -- of `urls`: were 'fetched'
    links INTEGER NOT NULL                     -- link occurrences of their pages
)""",
    """-- the data of deleted pages that is still on the disk
CREATE TABLE leftover (
    kind      TEXT NOT NULL,                   -- 'record' in a WARC file; 'warc', 'saved', 'derived': a file;
                                               -- 'purge': the records are to be removed from the WARC files
    file      TEXT NOT NULL,
    offset    INTEGER NOT NULL DEFAULT 0,
    size      INTEGER NOT NULL DEFAULT 0,
    successor TEXT NOT NULL DEFAULT '',        -- WARC-Record-ID of the record that replaces it; '': none
    PRIMARY KEY (kind, file, offset)
) WITHOUT ROWID""",
)

#: Upgrades the states that table `url` takes (https://www.sqlite.org/lang_altertable.html, the last section).
NEW_STATE = (
    "PRAGMA writable_schema = ON",
    f"UPDATE sqlite_schema SET sql = replace(sql, '''refused'')', '''refused'', ''{DELETED}'')') WHERE name = 'url'",
    "PRAGMA writable_schema = RESET",
)

RECORD, WARC, SAVED, DERIVED, PURGE = "record", "warc", "saved", "derived", "purge"

#: Pages and link occurrences that the totals of a crawl count and its tables lack.
PAGES = "(SELECT coalesce(sum(pages), 0) FROM deletion)"
LINKS = "(SELECT coalesce(sum(links), 0) FROM deletion)"

#: Files that are made from crawl.db when they are missing.
MADE_AGAIN = (
    "search.db",
    "search.db-wal",
    "search.db-shm",
    "check.db",
    "check.db-wal",
    "check.db-shm",
    "view.db",
    "view.db-wal",
    "view.db-shm",
    "items.db",
    "items.db-wal",
    "items.db-shm",
    "cache.msgpack",
)

_SAVED = "SELECT 1 FROM image WHERE saved = ?1 UNION ALL SELECT 1 FROM document WHERE saved = ?1"


def sweep(db: Database, directory: Path) -> None:
    """Delete the files that are left over. In a transaction: whatever becomes of it, a repetition does no harm."""
    for kind, name in db.execute("SELECT kind, file FROM leftover WHERE kind IN (?, ?, ?)", (WARC, SAVED, DERIVED)):
        path = _path(db, directory, kind, name)
        if path is not None and is_regular(path):
            path.unlink()
    db.execute("DELETE FROM leftover WHERE kind IN (?, ?, ?)", (WARC, SAVED, DERIVED))


def _path(db: Database, directory: Path, kind: str, name: str) -> Path | None:
    """Return the file; None if it stays, because rows still refer to it, or because no command of ours named it."""
    if not isinstance(name, str) or "\0" in name:
        return None
    if kind == DERIVED:
        return directory / name if name in MADE_AGAIN else None
    if kind == SAVED:
        used = db.execute(_SAVED, (name,)).fetchone() is not None
        path = directory / "files" / name
        linked = is_link(path.parent) or is_link(path.parent.parent)
        return path if is_ours(name) and not used and not linked else None
    used = db.execute("SELECT 1 FROM archive WHERE file = ?", (name,)).fetchone() is not None
    return directory / "warc" / name if Path(name).name == name and not used else None
