"""Figures that an earlier command has computed from the same data: the file cache.msgpack in the crawl directory.

The file begins with a digest of the figures and of the state of the crawl and of the program: of all that decides the
figures. If any of them has changed, or the file is damaged, the digest is wrong and all figures are computed again. So
a figure cannot be out of date, a half-written file does no harm, and two commands may write at once.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.regular import is_regular, replace_file
from ttcrawl.topic.files import DIRECTORY, NAMES

T = TypeVar("T")

NAME = "cache.msgpack"
DIGEST = 32  # bytes
MOST_BYTES = 256 << 20  # a larger file was not written by ttcrawl
PACKAGE = Path(__file__).parents[1]
#: Libraries whose results may change with their version.
LIBRARIES = ("numpy", "scipy", "powerlaw")


class Cache:
    """The figures in the file at `path`, if they belong to `state`. An empty state is unknown: nothing is cached."""

    def __init__(self, path: Path = Path(NAME), state: bytes = b"") -> None:
        self._path = path
        self._state = state
        self._figures = _read(path, state)
        self._fresh: dict[str, bytes] = {}

    def get(self, name: str, kind: Any, compute: Callable[[], T]) -> T:
        """The figures `name`, of the type `kind`; `compute` is called if they are not cached.

        Computed figures take the same way through bytes, so both ways give equal figures.
        """
        with suppress(KeyError, msgspec.DecodeError):
            cached: T = msgspec.msgpack.decode(self._figures[name], type=kind)
            return cached
        packed = self._fresh[name] = msgspec.msgpack.encode(compute())
        fresh: T = msgspec.msgpack.decode(packed, type=kind)
        return fresh

    def save(self) -> None:
        """Write the computed figures beside what others wrote. A directory that cannot be written stays as it is."""
        if self._fresh and self._state:
            figures = msgspec.msgpack.encode(_read(self._path, self._state) | self._fresh)
            with suppress(OSError):
                replace_file(self._path, _digest(self._state, figures) + figures)


def _read(path: Path, state: bytes) -> dict[str, bytes]:
    with suppress(OSError, msgspec.DecodeError):
        if state and is_regular(path) and path.stat().st_size <= MOST_BYTES:
            data = path.read_bytes()
            if data[:DIGEST] == _digest(state, data[DIGEST:]):
                return msgspec.msgpack.decode(data[DIGEST:], type=dict[str, bytes])
    return {}


def _digest(state: bytes, figures: bytes) -> bytes:
    return blake2b(figures, key=state, digest_size=DIGEST).digest()


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
