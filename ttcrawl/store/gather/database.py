"""The steps, in their order."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from ttcrawl.store import index
from ttcrawl.store.archive_objects import moved
from ttcrawl.store.database import connect
from ttcrawl.store.gather import growth, keys, patterns, rows, settings, urls
from ttcrawl.store.rows import UrlPath
from ttcrawl.store.sqlite import Store

_NAMES = "CREATE TEMP TABLE name_of_file (ring INTEGER, old TEXT, new TEXT, PRIMARY KEY (ring, old)) WITHOUT ROWID"


def about(directory: Path) -> tuple[dict[str, str], dict[int, str]]:
    """Return table `crawl` of a ring, and ring -> directory (`crawl.incarnation`) of the others that it knows."""
    with closing(sqlite3.connect(_uri(directory / "crawl.db", "ro"), uri=True)) as db:
        facts = dict(db.execute("SELECT name, value FROM crawl"))
        mailed = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'peer'").fetchone()
        return facts, dict(db.execute("SELECT ring, incarnation FROM peer")) if mailed else {}


def files(directory: Path) -> tuple[dict[str, int], list[str], dict[str, str]]:
    """Return WARC file -> its bytes in the tables, the paths of the saved files under files/, and WARC file -> URL in
    object storage, if it was moved."""
    with closing(sqlite3.connect(_uri(directory / "crawl.db", "ro"), uri=True)) as db:
        saved = db.execute("SELECT saved FROM image UNION SELECT saved FROM document")
        paths = [path for (path,) in saved if path]
        return dict(db.execute("SELECT file, size FROM archive")), paths, moved(db)


def interrupted_deletion(directory: Path) -> bool:
    """Whether files of deleted pages are still to be removed."""
    with closing(sqlite3.connect(_uri(directory / "crawl.db", "ro"), uri=True)) as db:
        return db.execute("SELECT 1 FROM leftover WHERE kind != 'record' LIMIT 1").fetchone() is not None


def gather(
    path: Path,
    directories: Mapping[int, Path],
    owner_of: Callable[[str], int],
    names: Mapping[tuple[int, str], str],
    progress: Callable[[str, int, int], None],
) -> None:
    """Write a new crawl.db at `path` from the rings' own: number -> directory, of the present version.

    `owner_of`: host -> ring. `names`: (ring, WARC file) -> its new name. `gathered` completes it.

    Raises sqlite3.Error.
    """
    with closing(Store(path, create=True)) as store:
        store.commit()
    rings = {ring: about(directory)[0] for ring, directory in directories.items()}
    facts = list(rings.values())
    with closing(sqlite3.connect(_uri(path, "rw"), uri=True, isolation_level=None)) as db:
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -65536"):
            db.execute(f"PRAGMA {pragma}")
        db.create_function("owner_of", 1, owner_of, deterministic=True)
        db.execute(_NAMES)
        db.executemany("INSERT INTO name_of_file VALUES (?, ?, ?)", [(*each, new) for each, new in names.items()])
        for statement in (*urls.TEMPORARY, *keys.TEMPORARY):
            db.execute(statement)
        rows.prepare(db)
        samples = {}
        for number, (ring, directory) in enumerate(directories.items()):
            progress("URLs of the rings", number, len(directories))
            with _attached(db, directory):
                urls.collect(db, ring)
                rows.collect(db, ring)
                samples[ring] = growth.read(db, ring, float(rings[ring]["started"]) - settings.began(facts))
        urls.number(db)
        keys.number(db)
        rows.number(db)
        for number, (ring, directory) in enumerate(directories.items()):
            progress("rows of the rings", number, len(directories))
            with _attached(db, directory):
                urls.copy(db, ring)
                rows.copy(db, ring)
                patterns.copy(db, ring)
        progress("URLs of several rings", 0, 0)
        urls.join(db, json.dumps(settings.seeds(facts)))
        patterns.join(db)
        growth.join(db, samples)
        settings.join(db, facts)
        index.rebuild(db)
        urls.note_late(db)


@contextmanager
def gathered(path: Path) -> Iterator[tuple[Store, Iterator[tuple[str, UrlPath]] | None]]:
    """Open what `gather` has written: the store, and the paths that its ledger still has to receive; None: there are
    none. Afterwards the totals are counted, and it is complete.
    """
    db = connect(path)
    with closing(Store(path, db=db)) as store:
        yield store, urls.late_paths(db)
        urls.forget_late(db)
        growth.count(db)
        settings.count(db)


@contextmanager
def _attached(db: sqlite3.Connection, directory: Path) -> Iterator[None]:
    db.execute("ATTACH ? AS ring", (_uri(directory / "crawl.db", "ro"),))
    try:
        yield
    finally:
        db.execute("DETACH ring")


def _uri(path: Path, mode: str) -> str:
    return f"file:{quote(str(path.absolute()))}?mode={mode}"
