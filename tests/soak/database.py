"""The PostgreSQL into which the crawl is copied. What an earlier soak has left that was killed is ended."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.crawls.postgresql import INITDB, Postgresql, postgresql
from tests.support.faults.killing import until


@contextmanager
def database(directory: Path) -> Iterator[Postgresql | None]:
    """None: PostgreSQL is not installed. A file in the directory of the soak has the path of that of the server."""
    if not INITDB:
        yield None
        return
    note = directory / "postgresql"
    if note.exists():
        _end(Path(note.read_text()))
    with postgresql() as server:
        note.write_text(str(server.folder))
        yield server
    note.unlink()


def _end(folder: Path) -> None:
    with suppress(OSError, ValueError, IndexError):
        pid = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        own = Path(f"/proc/{pid}/cmdline")
        if str(folder).encode() in own.read_bytes():  # after a power failure another process may have its number
            os.kill(pid, signal.SIGQUIT)
            until(lambda: not own.exists())
    shutil.rmtree(folder, ignore_errors=True)
