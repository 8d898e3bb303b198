"""`ttcrawl cluster gather`: one crawl directory from the ones of all rings, for every command that reads crawls.

Everything is written into a directory beside the output, whose name begins with a dot, and gets its name at the end. If
that is interrupted, the next one begins anew.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ttcrawl.cluster.members import decoded, table_of
from ttcrawl.cluster.messages import Members
from ttcrawl.cluster.plan import PLAN, read_plan, ring_directory
from ttcrawl.cluster.route import Table
from ttcrawl.config import Config, read
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.engine.run import directory as directories
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.frontier.foreign import link_to
from ttcrawl.maintain.stopped_ledger import stopped_ledger
from ttcrawl.ring.position import series_and_number, with_number
from ttcrawl.store import lock
from ttcrawl.store.database import StoreError
from ttcrawl.store.files import is_ours
from ttcrawl.store.gather import database
from ttcrawl.store.private import create_private, is_private
from ttcrawl.store.regular import is_link, sync_directory
from ttcrawl.store.schema import VERSION
from ttcrawl.store.stopped import check
from ttcrawl.store.stored_scope import stored_scope
from ttcrawl.topic.files import DIRECTORY

#: The database until it is complete.
BEGUN = "gathering.db"

#: Lets a file of the crawl have the contents of one of a ring, which has so many bytes: link(source, target, bytes).
Link: TypeAlias = Callable[[Path, Path, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RingDirectory:
    """The directory of a ring, and what it knows of its cluster.

    `tables`: the directory with the tables that are read: `path`, or a copy of them.
    """

    ring: int
    path: Path
    tables: Path
    incarnation: str
    members: Members  # the latest that it knows
    peers: Mapping[int, str]  # ring -> incarnation of its directory
    finished: str


def gather(
    paths: Sequence[Path], output: Path, progress: Callable[[str, int, int], None], say: Callable[[str], None]
) -> int:
    """Write the crawl directory `output`; return the number of rings. `say` gets remarks for the user.

    Raises UsageError before anything is written, CrawlFailedError if a file is missing or cannot be written.
    """
    if os.path.lexists(output):
        raise UsageError(f"{output} exists already: choose another directory with -o")
    directories.must_be_outside(output)
    try:
        with contextlib.ExitStack() as opened:
            rings = opened_rings(list(_expanded(paths)), opened)
            for remark in _remarks(rings):
                say(remark)
            with beside(output) as begun:
                write(rings, begun, progress, _link)
                os.rename(begun, output)
            sync_directory(output.absolute().parent)
    except StoreError as error:
        raise CrawlFailedError(f"cannot gather the rings into {output}: {error}") from error
    return len(rings)


# -- the rings --------------------------------------------------------------------------------------------------------


def _expanded(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the directories of rings; the directory of a cluster stands for all of its own. Raises UsageError."""
    for path in paths:
        if os.path.lexists(path / PLAN):
            plan = read_plan(path)
            rings = {ring: ring_directory(path, ring) for ring in plan.rings}
            away = [own for own in rings.values() if plan.ray and not own.exists()]
            if away:
                raise UsageError(f"{away[0]} is on another machine: copy or mount it here, then gather again")
            yield from rings.values()
        else:
            yield path


def opened_rings(
    paths: Sequence[Path], opened: contextlib.ExitStack, copied: Callable[[Path], Path | None] = lambda path: None
) -> list[RingDirectory]:
    """Return the rings by number, each locked until `opened` is closed. Raises UsageError if it is not a cluster.

    `copied`: directory -> one with a copy of its tables, so that it needs no lock; None: its own are read.
    """
    rings: list[RingDirectory] = []
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("a directory is named twice: name each ring once")
    for path in paths:
        if not path.exists():
            raise UsageError(
                f"the directory {path} does not exist: name the directory of a cluster, or the directories of its rings"
            )
        check(path)
        if (tables := copied(path)) is None:
            opened.enter_context(lock.locked(path))
        rings.append(_ring(path, tables or path))
    rings.sort(key=lambda each: each.ring)
    paths_of = {each.ring: each.path for each in rings}
    for each in rings:
        if paths_of[each.ring] != each.path:
            raise UsageError(f"{each.path} and {paths_of[each.ring]} are both ring {each.ring}: name each ring once")
        for ring, incarnation in each.peers.items():
            other = next((other for other in rings if other.ring == ring), None)
            if other is not None and other.incarnation != incarnation:
                raise UsageError(
                    f"{other.path} is not the ring {ring} that {each.path} knows: is it of another cluster?"
                )
    members = {ring for each in rings for ring in (*each.members.rings, *each.peers)}
    if missing := sorted(members - paths_of.keys()):
        raise UsageError(f"ring {missing[0]} of the cluster is missing: name the directories of all its rings")
    return rings


def _ring(path: Path, tables: Path) -> RingDirectory:
    about, peers = database.about(tables)
    if about["schema_version"] != str(VERSION):
        raise UsageError(f"{path} has tables of version {about['schema_version']}, and a ring has version {VERSION}")
    if "ring" not in about:
        raise UsageError(f"{path} is the directory of a crawl, not of a ring of a cluster: it needs no gathering")
    if database.interrupted_deletion(tables):
        raise UsageError(f"a deletion in {path} was interrupted: the next ttcrawl delete there completes it")
    return RingDirectory(
        ring=int(about["ring"]),
        path=path,
        tables=tables,
        incarnation=about["incarnation"],
        members=decoded(about["members"]),
        peers=peers,
        finished=about.get("finished", ""),
    )


def _remarks(rings: Sequence[RingDirectory]) -> Iterator[str]:
    for each in rings:
        if not each.finished:
            yield f"{each.path} did not end: its last commit counts"
    configurations = {(each.path / "config.ini").read_bytes() for each in rings}
    if len(configurations) > 1:
        yield f"the rings have different configurations: the one of {rings[0].path} is taken"


def _table(rings: Sequence[RingDirectory]) -> Table:
    """Return the latest table of the cluster."""
    return table_of(max((each.members for each in rings), key=lambda each: each.epoch))


# -- the output -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def beside(output: Path) -> Iterator[Path]:
    """A new directory for the files until they are complete. Raises UsageError if another process writes there."""
    begun = output.with_name(f".{output.name}.gathering")
    begun.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(lock.Lock(begun)):
        for path in begun.iterdir():  # left by a process that was killed
            if path.is_dir() and not is_link(path):
                shutil.rmtree(path)
            elif path.name != lock.NAME:
                path.unlink()
        try:
            yield begun
        except BaseException:
            shutil.rmtree(begun, ignore_errors=True)
            raise


def write(rings: Sequence[RingDirectory], begun: Path, progress: Callable[[str, int, int], None], link: Link) -> None:
    """Write the crawl of all rings into a new directory."""
    config = read(rings[0].path / "config.ini")
    directories.write_config(begun, config)
    if (rings[0].path / DIRECTORY).is_dir():
        shutil.copytree(rings[0].path / DIRECTORY, begun / DIRECTORY)
    names, elsewhere = _link_files(rings, begun, progress, link)
    owner_of = _table(rings).ring_of
    if any(is_private(each.path) for each in rings):
        create_private(begun / BEGUN)
    database.gather(begun / BEGUN, {each.ring: each.tables for each in rings}, owner_of, names, progress)
    _complete(begun / BEGUN, config, elsewhere, progress)
    with open(begun / BEGUN, "rb") as file:
        os.fsync(file.fileno())
    (begun / BEGUN).rename(begun / "crawl.db")
    sync_directory(begun)


def _complete(
    path: Path, config: Config, elsewhere: Mapping[str, str], progress: Callable[[str, int, int], None]
) -> None:
    """Note where WARC files were moved, deliver what was on its way between the rings, and find the original of each
    page among the pages of all.
    """
    with database.gathered(path) as (store, late):
        if elsewhere:
            store.answers.archive_objects.add(elsewhere)
        if late is not None:
            about = store.about()
            ledger, now = stopped_ledger(store, config, stored_scope(config, about)), float(about["clock"])
            for url, path_there in late:
                ledger.receive(link_to(url, "", path_there), path_there, now)
            store.commit()
        Originals(store, config.duplicates).mark_anew(lambda done, of: progress("duplicates", done, of))


def _link_files(
    rings: Sequence[RingDirectory], begun: Path, progress: Callable[[str, int, int], None], link: Link
) -> tuple[dict[tuple[int, str], str], dict[str, str]]:
    """Put the WARC files and the saved files of all rings into one directory.

    Return (ring, WARC file) -> its name there: its own, or one with another number where rings have equal names; and
    of those that are in object storage, name -> URL.
    """
    names, taken, elsewhere = dict[tuple[int, str], str](), set[str](), dict[str, str]()
    (begun / "warc").mkdir()
    for number, ring in enumerate(rings):
        progress("files of the rings", number, len(rings))
        sizes, saved, moved = database.files(ring.tables)
        for file, size in sizes.items():
            name = names[ring.ring, file] = _free(file, taken)
            taken.add(name)
            if file in moved:
                elsewhere[name] = moved[file]
                continue
            link(ring.path / "warc" / file, begun / "warc" / name, size)
        for path in filter(is_ours, saved):
            source, target = ring.path / "files" / path, begun / "files" / path
            if source.is_file() and not target.exists():  # a missing one is found by verify
                target.parent.mkdir(parents=True, exist_ok=True)
                link(source, target, source.stat().st_size)
    return names, elsewhere


def _free(file: str, taken: set[str]) -> str:
    """Return the name of a file, with the first free number. Raises CrawlFailedError for a name that is not ours."""
    try:
        _, number = series_and_number(file)
    except ValueError as error:
        raise CrawlFailedError(f"{error}: see ttcrawl verify") from error
    name = file
    while name in taken:
        number += 1
        name = with_number(file, number)
    return name


def _link(source: Path, target: Path, size: int) -> None:
    """Link a file that has this size, else copy as much of it: behind it lies what the tables do not know."""
    if not source.is_file() or source.stat().st_size < size:
        raise CrawlFailedError(
            f"{source} is missing or shorter than the {size} bytes that crawl.db records: restore it"
        )
    if source.stat().st_size == size and not is_link(source):
        with contextlib.suppress(OSError):  # another file system, or one without hard links
            os.link(source, target)
            return
    shutil.copyfile(source, target)
    shutil.copymode(source, target)
    os.truncate(target, size)
