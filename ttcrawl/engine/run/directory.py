"""The crawl directory: created, opened again, and put in order before a crawl continues.

A crawl exists from the moment that crawl.db has its name; an empty one was made by a reader that came too early.
Everything before that is in a directory of its own, which the next process may delete. Steps that are missing after
that are completed when the crawl is resumed. Only the process that has the lock writes here.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ttcrawl import __version__, core
from ttcrawl.config import Config, Override, example, read_own
from ttcrawl.config.public import has_credentials, shows_secrets
from ttcrawl.engine.topic.copies import write_copies
from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.output.shell import command_line
from ttcrawl.ring.position import Position, Run, series_and_number
from ttcrawl.store import lock, staged
from ttcrawl.store.damage import sound
from ttcrawl.store.database import StoreError, why
from ttcrawl.store.lock import Lock, is_lock
from ttcrawl.store.mailbox import CLUSTER
from ttcrawl.store.private import create_private, make_private
from ttcrawl.store.regular import is_there, replace_file, sync_directory
from ttcrawl.store.seeds import REDIRECTS
from ttcrawl.store.sqlite import Store
from ttcrawl.store.stopped import BEGINNING, DATABASE, OURS, complete, failing, stopped
from ttcrawl.store.trim import trim_archive
from ttcrawl.topic.files import DIRECTORY
from ttcrawl.web.address import Pairs
from ttcrawl.web.filename import file_name
from ttcrawl.web.url import host


def must_be_free(directory: Path) -> None:
    """Raises UsageError if a crawl exists already, or another file has one of the names that ttcrawl uses."""
    if is_there(directory / "crawl.db"):
        again = command_line("resume", directory)
        raise UsageError(f"{directory} already contains a crawl: continue it with {again}, or choose another with -d")
    for name in (*OURS, lock.NAME):
        path = directory / name
        if os.path.lexists(path) and not (name == lock.NAME and is_lock(path)):
            raise UsageError(f"{directory} already contains {name}; choose another directory with -d")


def nothing_queued(path: Path, about: Mapping[str, str], config: Config) -> str:
    """Return that nothing is queued, and what to do then; "" if something is, or if no page was ever fetched."""
    if int(about.get("total_queued", 0)) or about.get("finished", "").startswith("failed: "):
        return ""
    visit, queue, count = (command_line(each, path) for each in ("recrawl", "requeue", "why"))
    recorded = ", with --recorded those whose links were only recorded" * (config.links.new == "record")
    return (
        f"nothing is queued, so nothing is requested: {visit} visits pages again; {queue}"
        f" queues URLs that have failed or were refused{recorded}; {count} --summary counts the reasons"
    )


def usual_directory(seed: str) -> Path:
    """Return the directory of a crawl that is named by the host of its first seed, a canonical URL."""
    readable = host(seed).translate(str.maketrans(":[]", "-__"))
    return Path(file_name(f"crawl-{readable[:200]}"))  # leaves room for a number behind it


def new_directory(seed: str) -> Path:
    """Return such a directory that does not exist yet."""
    return free(str(usual_directory(seed)))


def free(name: str) -> Path:
    """Return a directory of this name in the current one, with a number behind it if the name exists."""
    number = 1
    while (path := Path(name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return path


@contextlib.contextmanager
def fresh(
    directory: Path, config: Config, about: Mapping[str, object], topic_files: Mapping[str, bytes] | None = None
) -> Iterator[Store]:
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
            cause = error.strerror if isinstance(error, OSError) else why(error)
            raise CrawlFailedError(
                f"cannot write the crawl directory {directory}: {cause}; choose another with -d"
            ) from error
        undo.pop_all()
        with failing(directory):
            yield store


def _begun(
    directory: Path,
    config: Config,
    about: Mapping[str, object],
    topic_files: Mapping[str, bytes],
    undo: contextlib.ExitStack,
) -> Store:
    beginning, power = directory / BEGINNING, config.store.durability == "power"
    undo.callback(shutil.rmtree, beginning, ignore_errors=True)
    if beginning.exists():
        shutil.rmtree(beginning)  # left by a process that was killed while it created a crawl
    beginning.mkdir()
    write_config(beginning, config)
    write_copies(beginning, topic_files)
    if shows_secrets(config):
        create_private(beginning / "crawl.db")
    store = Store(beginning / "crawl.db", create=True, power=power)
    with _abandoning(store):
        store.set(**about)
        store.commit()
        store.close()
    undo.callback(_unlink, *(directory / name for name in (*DATABASE, "config.ini")))
    undo.callback(_remove_empty, [directory / "warc"])
    undo.callback(shutil.rmtree, directory / DIRECTORY, ignore_errors=True)
    os.rename(beginning / "crawl.db", directory / "crawl.db")
    complete(directory)
    if power:
        sync_directory(directory)
    return Store(directory / "crawl.db", power=power)


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
) -> Iterator[tuple[Store, Config]]:
    """Open the crawl.db of a crawl that is not running, and read its config.ini, which stays as it is.

    `ring`: it may be the one of a ring of a cluster.

    Raises UsageError if there is none or a process is crawling, CrawlFailedError if it cannot be opened or written.
    """
    with stopped(directory, ring=ring):
        config = read_own(directory, overrides)
        try:
            store = Store(directory / "crawl.db", power=config.store.durability == "power")
        except StoreError as error:
            raise CrawlFailedError(f"cannot open {directory / 'crawl.db'}: {why(error)}") from error
        with _abandoning(store), failing(directory), sound(directory / "crawl.db", f"use {directory}"):
            store.sweep()
            yield store, config


def keep_private(directory: Path, config: Config) -> None:
    """Keep others from a crawl that shows secrets. Raises OSError."""
    if shows_secrets(config):
        make_private(directory)


def trimmed(directory: Path, store: Store) -> list[str]:
    """Cut the archive to what the tables have, and return the files in warc/ that do not belong to the crawl."""
    imported = store.answers.imports.names()
    return [each for each in trim_archive(directory, store) if each not in imported]


def trouble(directory: Path, error: Exception) -> str:
    """Return the message of an error for users; one of the database names the file."""
    return f"{directory / 'crawl.db'}: {error}" if isinstance(error, StoreError) else plain(error)


@contextlib.contextmanager
def _abandoning(store: Store) -> Iterator[Store]:
    """Discard uncommitted data if the store was not closed."""
    try:
        yield store
    finally:
        store.abandon()


def must_be_outside(directory: Path) -> None:
    """Raises UsageError for a new directory among the files of a cluster or of another crawl."""
    for outer in directory.absolute().parents:
        inside = directory.absolute().relative_to(outer).parts[0]
        if (outer / CLUSTER).exists() or (inside in OURS and is_there(outer / "crawl.db")):
            raise UsageError(
                f"{directory} is among the files of the crawl in {outer}: choose a directory outside of it"
            )


def positions(files: Iterable[str], series: int, run: Run) -> list[Position]:
    """Return the position at which each of `series` series begins in this run: a new file, behind all of its files."""
    following = dict.fromkeys(range(series), 0)
    for name in files:
        each, number = series_and_number(name)
        following[each] = max(following.get(each, 0), number + 1)
    return [Position(series=each, number=following[each], run=run) for each in range(series)]


def about_new(config: Config, seeds: Sequence[str], granted: Pairs) -> dict[str, object]:
    """Return what table `crawl` says of a new crawl. `granted`: non-public addresses that may be contacted."""
    begun = {"started": round(time.time(), 3), "seconds": 0.0, "finished": "", "seeds": "\n".join(seeds)}
    begun |= {"allowed": json.dumps(sorted(granted)), REDIRECTS: "[]"}
    return begun | about_run(config)


def about_run(config: Config) -> dict[str, object]:
    """Return what it says of a run, with the settings that the report shows."""
    return {
        "run": uuid.uuid4().urn,  # its WARC files have it
        "ttcrawl_version": __version__,
        "reader": core.reader(),
        "scope": config.scope.scope,
        "redirected_seeds": config.scope.redirected_seeds,
        "parser": config.links.parser,
        "obey_delay": "yes" if config.politeness.obey_delay else "no",
        "delay": config.politeness.delay,
        "content_start": config.links.content_start,
        "follow": config.links.follow if config.links.content_start else "all",
        "seen_error_rate": config.seen.error_rate,
        "events": "yes" if config.hooks.events or config.hooks.outcome else "",
    }
