"""The crawl directory: created, opened again, and put in order before a crawl continues.

A crawl exists from the moment that crawl.db has its name; an empty one was made by a reader that came too early.
Everything before that is in a directory of its own, which the next process may delete. Steps that are missing after
that are completed when the crawl is resumed. Only the process that has the lock writes here.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ttcrawl.config import Config, Override, example, read
from ttcrawl.config.public import has_credentials, shows_secrets
from ttcrawl.engine import lock, topic
from ttcrawl.engine.lock import Lock, is_lock
from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.ring.position import Position, Run, series_and_number
from ttcrawl.store import staged, versions
from ttcrawl.store.damage import sound
from ttcrawl.store.database import StoreError, is_damage, why
from ttcrawl.store.mailbox import CLUSTER, cluster_in, ring_of
from ttcrawl.store.private import create_private
from ttcrawl.store.regular import is_link, is_there, replace_file, sync_directory
from ttcrawl.store.schema import VERSION
from ttcrawl.store.sqlite import SqliteStore
from ttcrawl.topic.files import DIRECTORY, NAMES
from ttcrawl.web.filename import file_name
from ttcrawl.web.url import host

#: Names that ttcrawl creates in a crawl directory, at once or later.
OURS = ("config.ini", "warc", "files", "seen.bloom", "events.position", "outcome.position", DIRECTORY)

#: crawl.db and the files that SQLite may put beside it.
DATABASE = ("crawl.db", "crawl.db-wal", "crawl.db-shm", "crawl.db-journal")

#: The files that change together with crawl.db.
CHANGING = ("config.ini", *(f"{DIRECTORY}/{name}" for name in NAMES.values()))

#: The directory of a crawl before crawl.db has its name.
BEGINNING = ".ttcrawl-new"


def must_be_free(directory: Path) -> None:
    """Raises UsageError if a crawl exists already, or another file has one of the names that ttcrawl uses."""
    if is_there(directory / "crawl.db"):
        raise UsageError(
            f"{directory} already contains a crawl: continue it with ttcrawl resume, or choose another with -d"
        )
    for name in (*OURS, lock.NAME):
        path = directory / name
        if os.path.lexists(path) and not (name == lock.NAME and is_lock(path)):
            raise UsageError(f"{directory} already contains {name}; choose another directory with -d")


def new_directory(seed: str) -> Path:
    """Return a directory for a crawl, named by the host of its first seed, a canonical URL."""
    readable = host(seed).translate(str.maketrans(":[]", "-__"))
    return free(file_name(f"crawl-{readable[:200]}"))  # leaves room for a number behind it


def free(name: str) -> Path:
    """Return a directory of this name in the current one, with a number behind it if the name exists."""
    number = 1
    while (path := Path(name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return path


@contextlib.contextmanager
def fresh(
    directory: Path, config: Config, about: Mapping[str, object], topic_files: Mapping[str, bytes] | None = None
) -> Iterator[SqliteStore]:
    """Create a crawl: the directory and its crawl.db. After an error, remove what this process has created.

    `topic_files`: copies of the files of [topic].

    Raises UsageError if another process was faster, CrawlFailedError if the directory or, later, crawl.db cannot be
    written.
    """
    with contextlib.ExitStack() as resources, contextlib.ExitStack() as undo:  # undone before others get the lock
        try:
            undo.callback(_remove_empty, _create_missing(directory))
            mine = resources.enter_context(contextlib.closing(Lock(directory)))
            if mine.new:
                undo.callback(mine.remove)
            must_be_free(directory)
            store = resources.enter_context(_abandoning(_begun(directory, config, about, topic_files or {}, undo)))
        except (OSError, StoreError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise CrawlFailedError(
                f"cannot write the crawl directory {directory}: {why}; choose another with -d"
            ) from error
        undo.pop_all()
        with _failing(directory):
            yield store


def _begun(
    directory: Path,
    config: Config,
    about: Mapping[str, object],
    topic_files: Mapping[str, bytes],
    undo: contextlib.ExitStack,
) -> SqliteStore:
    beginning, power = directory / BEGINNING, config.store.durability == "power"
    undo.callback(shutil.rmtree, beginning, ignore_errors=True)
    if beginning.exists():
        shutil.rmtree(beginning)  # left by a process that was killed while it created a crawl
    beginning.mkdir()
    write_config(beginning, config)
    topic.write(beginning, topic_files)
    if shows_secrets(config):
        create_private(beginning / "crawl.db")
    store = SqliteStore(beginning / "crawl.db", create=True, power=power)
    with _abandoning(store):
        store.set(**about)
        store.commit()
        store.close()
    undo.callback(_unlink, *(directory / name for name in (*DATABASE, "config.ini")))
    undo.callback(_remove_empty, [directory / "warc"])
    undo.callback(shutil.rmtree, directory / DIRECTORY, ignore_errors=True)
    os.rename(beginning / "crawl.db", directory / "crawl.db")
    _complete(directory)
    if power:
        sync_directory(directory)
    return SqliteStore(directory / "crawl.db", power=power)


def _complete(directory: Path) -> None:
    """Complete the directory once crawl.db exists."""
    beginning = directory / BEGINNING
    if beginning.is_dir() and not is_link(beginning):
        if not os.path.lexists(directory / "config.ini"):
            if (beginning / DIRECTORY).exists():
                os.rename(beginning / DIRECTORY, directory / DIRECTORY)
            os.rename(beginning / "config.ini", directory / "config.ini")
        (directory / "warc").mkdir(exist_ok=True)
        shutil.rmtree(beginning)


def _create_missing(directory: Path) -> list[Path]:
    """Create a directory with its parents; return the ones that did not exist, the innermost first."""
    missing = []
    for path in (directory, *directory.parents):
        if os.path.lexists(path):
            break
        missing.append(path)
    directory.mkdir(parents=True, exist_ok=True)
    return missing


def _remove_empty(directories: Sequence[Path]) -> None:
    with contextlib.suppress(OSError):  # another process has put something into it
        for each in directories:
            each.rmdir()


def _unlink(*paths: Path) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def write_config(directory: Path, config: Config) -> None:
    """Write the config.ini of a new directory."""
    file = config_file(directory, config)
    replace_file(directory / "config.ini", file.data, file.mode, sync=True)


def config_file(directory: Path, config: Config) -> staged.File:
    """Return the config.ini of a crawl, which only the owner may read if it has a password."""
    path, mode = directory / "config.ini", 0o666
    if has_credentials(config):
        mode = 0o600
    elif path.exists():
        mode = path.stat().st_mode & 0o777
    return staged.File(data=example(config).encode(), mode=mode)


@contextlib.contextmanager
def existing(
    directory: Path, overrides: Sequence[Override] = (), *, ring: bool = False
) -> Iterator[tuple[SqliteStore, Config]]:
    """Open the crawl.db of a crawl that is not running, and read its config.ini, which stays as it is.

    `ring`: it may be the one of a ring of a cluster.

    Raises UsageError if there is none or a process is crawling, CrawlFailedError if it cannot be opened or written.
    """
    with changing(directory, ring=ring):
        config = read(directory / "config.ini", overrides)
        try:
            store = SqliteStore(directory / "crawl.db", power=config.store.durability == "power")
        except StoreError as error:
            raise CrawlFailedError(f"cannot open {directory / 'crawl.db'}: {why(error)}") from error
        with _abandoning(store), _failing(directory), sound(directory / "crawl.db", f"use {directory}"):
            store.sweep()
            yield store, config


@contextlib.contextmanager
def changing(directory: Path, *, ring: bool = False) -> Iterator[None]:
    """Keep other processes from a crawl that is not running, after completing what an interrupted one has begun.

    `ring`: it may be the one of a ring of a cluster. Raises UsageError if there is none or a process is crawling.
    """
    check(directory)
    if not ring:
        must_be_complete(directory)
    with contextlib.closing(Lock(directory)):
        check(directory)  # another process may have replaced it
        _complete(directory)
        with _failing(directory), sound(directory / "crawl.db", f"use {directory}"):
            staged.complete(directory, CHANGING)
        yield


def trouble(directory: Path, error: Exception) -> str:
    """Return the message of an error for users; one of the database names the file."""
    return f"{directory / 'crawl.db'}: {error}" if isinstance(error, StoreError) else plain(error)


@contextlib.contextmanager
def _failing(directory: Path) -> Iterator[None]:
    """Raises CrawlFailedError for errors of the database inside the block."""
    try:
        yield
    except StoreError as error:
        raise CrawlFailedError(f"cannot use {directory / 'crawl.db'}: {why(error)}") from error


@contextlib.contextmanager
def _abandoning(store: SqliteStore) -> Iterator[SqliteStore]:
    """Discard uncommitted data if the store was not closed."""
    try:
        yield store
    finally:
        store.abandon()


def check(directory: Path) -> None:
    """Raises UsageError unless this is a crawl directory with tables of a known version, CrawlFailedError if crawl.db
    cannot be read now."""
    path = directory / "crawl.db"
    if is_link(path):
        raise UsageError(f"{path} is a symbolic link, which is not followed: name the directory that contains the file")
    if path.is_file() and path.stat().st_nlink > 1:  # https://www.sqlite.org/howtocorrupt.html section 2.5
        raise UsageError(f"{path} is a hard link, so another file would change too: put a copy in its place")
    if not path.is_file() or not is_there(path):
        missing = "crawl.db is empty" if path.is_file() else "no crawl.db"
        raise UsageError(f"{directory} contains no crawl ({missing}); {_instead(directory)}")
    try:
        version = versions.version_of(path)
    except StoreError as error:
        if not is_damage(error):
            raise CrawlFailedError(f"cannot open {path}: {why(error)}") from error
        raise UsageError(f"{path} is not a crawl database: {error}") from error
    if not versions.known(version):
        raise UsageError(
            f"{directory} has tables of version {version}, this ttcrawl writes {VERSION}: use the other ttcrawl"
        )


def must_be_complete(directory: Path) -> None:
    """Raises UsageError for the directory of a ring: what it has is a part of a crawl."""
    if ring := ring_of(directory / "crawl.db"):
        cluster = directory.parent if directory.name not in ("", "..") else directory.resolve().parent
        raise UsageError(
            f"{directory} is ring {ring} of a cluster, so a part of a crawl: continue the whole with"
            f" ttcrawl cluster resume {cluster}, or change one crawl of all rings:"
            f" ttcrawl cluster gather {cluster} -o OUT"
        )


def must_be_outside(directory: Path) -> None:
    """Raises UsageError for a new directory among the files of a cluster or of another crawl."""
    for outer in directory.absolute().parents:
        inside = directory.absolute().relative_to(outer).parts[0]
        if (outer / CLUSTER).exists() or (inside in OURS and is_there(outer / "crawl.db")):
            raise UsageError(
                f"{directory} is among the files of the crawl in {outer}: choose a directory outside of it"
            )


def _instead(directory: Path) -> str:
    if instead := cluster_in(directory):
        return instead
    if (directory / BEGINNING).is_dir() or (is_lock(directory / lock.NAME) and not (directory / "warc").exists()):
        return f"a crawl was begun but not created: ttcrawl crawl SEED -d {directory} begins again"
    return "name the directory that was given to -d"


def positions(files: Iterable[str], series: int, run: Run) -> list[Position]:
    """Return the position at which each of `series` series begins in this run: a new file, behind all of its files."""
    following = dict.fromkeys(range(series), 0)
    for name in files:
        each, number = series_and_number(name)
        following[each] = max(following.get(each, 0), number + 1)
    return [Position(series=each, number=following[each], run=run) for each in range(series)]
