"""The state of a crawl and of the program: a digest of everything that decides the figures of a report."""

from __future__ import annotations

import platform
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.lock import crawled_by
from ttcrawl.topic.files import DIRECTORY, NAMES

PACKAGE = Path(__file__).parents[2]
#: Libraries whose results may change with their version.
LIBRARIES = ("numpy", "scipy", "powerlaw")


def state(db: View, program: bytes) -> bytes:
    """The digest for a new view of a crawl; empty while a crawl runs, because its figures change all the time.

    Every commit, and every repair, changes the time of the database or of its log. The rows of table `crawl` tell
    copies apart that have the same times.
    """
    with suppress(OSError):  # a file has just been renamed, or may not be read
        before = _files(db.directory)
        settings = db.settings  # the first read, from which on the snapshot does not change
        if not crawled_by(db.directory) and _files(db.directory) == before:
            return blake2b(repr((program, before, sorted(settings.items()))).encode(), digest_size=32).digest()
    return b""


def _files(directory: Path) -> tuple[object, ...]:
    config, warc = directory / "config.ini", directory / "warc"
    held_back = directory / DIRECTORY / NAMES["held_back"]
    archive = sorted((path.name, path.stat().st_size) for path in warc.iterdir()) if warc.is_dir() else []
    log = _size_and_time(directory / "crawl.db-wal")
    return (
        _size_and_time(directory / "crawl.db"),
        log if log and log[0] else None,  # readers create an empty one
        config.read_bytes() if config.is_file() else None,
        held_back.read_bytes() if held_back.is_file() else None,
        archive,
    )


def _size_and_time(path: Path) -> tuple[int, int] | None:
    with suppress(FileNotFoundError):
        status = path.stat()
        return status.st_size, status.st_mtime_ns
    return None


@cache
def program(package: Path = PACKAGE) -> bytes:
    """A digest of the source code, because a figure may change without a new version, and of its libraries."""
    digest = blake2b(platform.python_version().encode())
    for library in LIBRARIES:
        with suppress(PackageNotFoundError):
            digest.update(f" {library} {version(library)}".encode())
    for path in sorted(package.rglob("*.py")):
        digest.update(f"\n{path.relative_to(package)}\n".encode() + path.read_bytes())
    return digest.digest()
