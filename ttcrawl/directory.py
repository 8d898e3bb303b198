"""The crawl directory: made, locked, and put in order before a crawl goes on."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from ttcrawl.config import Config, example, proxy
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.store.files import remove_parts
from ttcrawl.store.position import Position, position_of
from ttcrawl.store.schema import VERSION
from ttcrawl.store.sqlite import Store

#: What is made in a crawl directory at once.
OURS = ("config.ini", "warc", "files", "lock", "seen.bloom")

#: Seconds that processes of a crawl that was killed may take to end.
LINGER = 10.0


def must_be_free(directory: Path) -> None:
    """Raises UsageError where there is a crawl already."""
    if (directory / "crawl.db").exists():
        raise UsageError(f"{directory} already holds a crawl: go on with ttcrawl resume, or choose another with -d")
    for name in OURS:
        if (directory / name).exists():
            raise UsageError(f"{directory} already holds something called {name}; choose another directory with -d")


@contextlib.contextmanager
def fresh(directory: Path, config: Config, about: Mapping[str, object]) -> Iterator[Store]:
    """Make the directory and its crawl.db; what was made is removed again when that fails."""
    existed = directory.exists()
    try:
        (directory / "warc").mkdir(parents=True)
        write_config(directory, config)
        store = Store(directory / "crawl.db", create=True, power=config.store.durability == "power")
        store.set(**about)
        store.commit()
    except (OSError, sqlite3.Error) as error:
        _remove(directory, existed)
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise CrawlFailedError(
            f"cannot write the crawl directory {directory}: {why}; choose another with -d"
        ) from error
    with contextlib.closing(_Lock(directory)), _abandoned_at_last(store):
        yield store


def write_config(directory: Path, config: Config) -> None:
    """The config.ini of a crawl, which nobody else may read when there is a password in it."""
    path, through = directory / "config.ini", proxy(config.fetch.proxy)
    fresh = directory / "config.ini.new"
    fresh.unlink(missing_ok=True)
    secret = bool(config.fetch.login or (through and through.login))
    fresh.touch(mode=0o600 if secret else 0o666)
    if path.exists() and not secret:
        fresh.chmod(path.stat().st_mode & 0o777)
    with open(fresh, "w", encoding="utf-8") as file:
        file.write(example(config))
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)  # a kill leaves the old one or the new one


@contextlib.contextmanager
def existing(directory: Path, config: Config) -> Iterator[Store]:
    """Open the crawl.db of a crawl that nobody is carrying on."""
    check(directory)
    with contextlib.closing(_Lock(directory)):
        try:
            store = Store(directory / "crawl.db", power=config.store.durability == "power")
        except sqlite3.Error as error:
            raise CrawlFailedError(f"cannot open {directory / 'crawl.db'}: {error}") from error
        with _abandoned_at_last(store):
            yield store


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Nobody carries the crawl on meanwhile. Raises UsageError where somebody does."""
    if os.access(directory, os.W_OK):
        with contextlib.closing(_Lock(directory)):
            yield
        return
    holder = crawled_by(directory)  # we can only look: a crawl that begins now would not see us
    if holder:
        raise UsageError(f"{directory} is being crawled by process {holder}; wait for it, or stop it")
    yield


def crawled_by(directory: Path) -> str:
    """The process that carries the crawl on, "" when none does."""
    try:
        with open(directory / "lock") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return file.read().strip() or "?"
    except OSError:
        pass  # never crawled by anybody here
    return ""


@contextlib.contextmanager
def _abandoned_at_last(store: Store) -> Iterator[None]:
    """What was not committed when nobody closed the store is not kept."""
    try:
        yield
    finally:
        store.abandon()


def check(directory: Path) -> None:
    """Raises UsageError unless this is a crawl directory whose tables we know."""
    path = directory / "crawl.db"
    if not path.is_file():
        raise UsageError(f"{directory} holds no crawl (no crawl.db); name the directory that was given to -d")
    try:
        with contextlib.closing(sqlite3.connect(path)) as db:
            (version,) = db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone() or ("0",)
    except sqlite3.Error as error:
        raise UsageError(f"{path} is no crawl database: {error}") from error
    if version != str(VERSION):
        raise UsageError(f"{directory} has tables of version {version}, this ttcrawl writes {VERSION}: use its version")


def cut(directory: Path, known: Mapping[str, int]) -> None:
    """Cut every WARC file to what the tables speak of, as `known` says for each: what follows is torn, or not known."""
    for path in sorted((directory / "warc").glob("*.warc.gz")):
        _cut(path, known.get(path.name, 0))
    remove_parts(directory / "files")  # nobody writes any more
    for name in known:
        if not (directory / "warc" / name).exists():
            raise CrawlFailedError(f"{directory / 'warc' / name} is missing: restore the file")


def positions(known: Mapping[str, int], series: int) -> list[Position]:
    """Where each of so many series of WARC files goes on."""
    last = {n: Position(series=n) for n in range(series)}
    for name, size in sorted(known.items()):
        position = position_of(name, size)
        last[position.series] = position
    return [last[n] for n in range(series)]


def _cut(path: Path, size: int) -> None:
    with open(path, "r+b") as file:
        _wait_for(file.fileno(), path)
        if os.fstat(file.fileno()).st_size < size:
            raise CrawlFailedError(f"{path} is shorter than the {size} bytes that crawl.db speaks of: restore the file")
        file.truncate(size)
    if size == 0:
        path.unlink()


def _wait_for(file: int, path: Path) -> None:
    """A parse process that outlived its killed crawl process has the lock of its file until it ends."""
    end = time.monotonic() + LINGER
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                raise CrawlFailedError(f"another process is still writing {path}: end it, then resume") from None
            time.sleep(0.05)


class _Lock:
    """Held as long as the crawl process lives, and gone with it however it ends."""

    def __init__(self, directory: Path) -> None:
        self._file = open(directory / "lock", "a+")  # noqa: SIM115 held until close
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            holder = self._file.read().strip()
            self._file.close()
            raise UsageError(f"{directory} is being crawled by process {holder}; wait for it, or stop it") from None
        self._file.truncate(0)
        self._file.write(f"{os.getpid()}\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _remove(directory: Path, existed: bool) -> None:
    if not existed:
        shutil.rmtree(directory, ignore_errors=True)
        return
    for name in ("crawl.db", "crawl.db-wal", "crawl.db-shm", "crawl.db-journal", "config.ini", "config.ini.new"):
        with contextlib.suppress(OSError):
            (directory / name).unlink()
    with contextlib.suppress(OSError):
        (directory / "warc").rmdir()
