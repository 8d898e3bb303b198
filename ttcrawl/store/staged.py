"""Files of a crawl directory that change together with crawl.db, in one step.

They are written under other names first. The transaction that changes crawl.db notes their digests in table `crawl`;
once it is committed, they get their names. After an interruption the next command completes the step: a file that
crawl.db notes gets its name, any other one is removed. So config.ini never has a rule that crawl.db lacks.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct

from ttcrawl.store.database import PATIENCE
from ttcrawl.store.regular import is_regular, replace_file, sync_directory

#: The row of table `crawl` with the digests: file -> hexadecimal digest, as JSON.
ROW = "staged"

#: The end of the name of a file until the step is complete.
END = ".next"

#: For a caller with a transaction of its own.
NOTE = f"INSERT OR REPLACE INTO crawl VALUES ('{ROW}', ?)"


class File(Struct, frozen=True, kw_only=True):
    data: bytes
    mode: int = 0o666


@contextmanager
def step(directory: Path, files: Mapping[str, File]) -> Iterator[str]:
    """Write files (their names in the directory), and yield the value of their row, to be committed inside.

    Afterwards they have their names, or are removed if it was not committed. Raises OSError.
    """
    try:
        for name, file in files.items():
            replace_file(staged(directory / name), file.data, file.mode, sync=True)
        for parent in {(directory / name).parent for name in files}:
            sync_directory(parent)
        yield json.dumps({name: _digest(file.data) for name, file in files.items()})
    finally:
        with suppress(sqlite3.Error):  # the next command completes the step
            complete(directory, files)


def complete(directory: Path, names: Iterable[str]) -> None:
    """Complete a step with some of these files that was interrupted, if there is one. Only who has the lock may.

    Raises sqlite3.Error if crawl.db cannot be read; then the files stay as they are.
    """
    present = [name for name in names if os.path.lexists(staged(directory / name))]
    if not present:
        return
    noted = _noted(directory / "crawl.db")
    for name in present:
        path = staged(directory / name)
        if is_regular(path) and noted.get(name) == _digest(path.read_bytes()):
            os.replace(path, directory / name)
        else:
            path.unlink()


def staged(path: Path) -> Path:
    """Return the name of a file until the step is complete."""
    return path.with_name(path.name + END)


def current(path: Path, row: str) -> Path:
    """Return the file that goes with the committed rows: the staged one if `row` notes it, else `path`."""
    fresh = staged(path)
    with suppress(OSError):
        if row and is_regular(fresh) and json.loads(row).get(path.name) == _digest(fresh.read_bytes()):
            return fresh
    return path


def _noted(database: Path) -> dict[str, str]:
    """Return the digests in crawl.db by file."""
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as db:
        row = db.execute(f"SELECT value FROM crawl WHERE name = '{ROW}'").fetchone()
    return json.loads(row[0]) if row else {}


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
