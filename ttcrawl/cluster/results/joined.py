"""A cluster as one crawl: what `ttcrawl report DIR` and others read if DIR is the directory of a cluster.

It is a gathered crawl in the directory `joined` of the cluster, made when a command needs it and a ring has changed
since. Its WARC files and saved files are symbolic links to those of the rings. Of a ring that is being crawled, a copy
of its tables is read as they were after one commit.

Of rings on other machines the tables are copied here, and WARC files are read where they are, record by record. Files
that were saved beside the archive are not: their rows are there without them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from hashlib import blake2b
from pathlib import Path

from ttcrawl import __version__
from ttcrawl.cluster.gather import RingDirectory, beside, opened_rings, write
from ttcrawl.cluster.plan import Plan, read_plan, ring_directory
from ttcrawl.cluster.results.archive_at_rings import read_by_url, url_of
from ttcrawl.cluster.results.at_rings import Work, are_elsewhere, at_rings, directories_of_rings
from ttcrawl.cluster.results.distant_tables import fetch_tables
from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.inspect.check.links.external import crawls
from ttcrawl.output.shell import command_line
from ttcrawl.output.steps import Progress
from ttcrawl.report.cache import state
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.check_db import NAME as CHECKED
from ttcrawl.store.copied_tables import copy_tables, note_archive
from ttcrawl.store.database import StoreError
from ttcrawl.store.deletions import MADE_AGAIN
from ttcrawl.store.gather.items import carry_items
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.mailbox import JOINED
from ttcrawl.store.regular import is_link, is_regular, is_there, replace_file
from ttcrawl.store.stopped import DATABASE

#: The earlier one until it is deleted.
EARLIER = ".joined.earlier"

#: In it: the state of the rings of which it was made.
STATE = "rings.state"

#: Seconds between two looks whether another command has joined the rings.
PAUSE = 0.2


def joined(directory: Path, progress: Progress) -> Path:
    """Return the directory of the one crawl.

    Raises UsageError if a ring has not begun or its machine is not there, NotACrawl if it cannot be read,
    CrawlFailedError if the crawl cannot be written, or a machine is lost.
    """
    rings, output = _rings(directory), directory / JOINED
    now = _digest(rings.call(state_at_ring, b""))
    if now and _made_of(output) == now:
        return output
    try:
        with _turn(output) as begun:
            if not now or _made_of(output) != now:  # another command may have joined them meanwhile
                _join(rings, begun, output, now, progress)
    except (StoreError, OSError) as error:
        elsewhere = command_line("cluster", "gather", directory, "-o", "OUT")
        raise CrawlFailedError(
            f"cannot join the rings in {output}: {plain(error)}; {elsewhere} joins them elsewhere"
        ) from error
    return output


def forget_pages(directory: Path) -> None:
    """Delete what the one crawl has of pages; it is joined again when a command reads it. Raises OSError."""
    output = directory / JOINED
    if is_link(output) or not is_regular(output / STATE):
        return
    for name in (STATE, *DATABASE, *MADE_AGAIN):
        (output / name).unlink(missing_ok=True)
    shutil.rmtree(output.with_name(EARLIER), ignore_errors=True)


def at_each_ring(directory: Path, work: Work, argument: bytes) -> dict[int, bytes]:
    """Return what a function says of each ring of a cluster. Raises as `joined`."""
    return _rings(directory).call(work, argument)


def _rings(directory: Path) -> _Here | _Elsewhere:
    plan = read_plan(directory)
    return _Elsewhere(directory, plan) if are_elsewhere(directory, plan) else _Here(directory, plan)


class _Here:
    """Rings whose directories are on this machine."""

    def __init__(self, directory: Path, plan: Plan) -> None:
        self._paths = directories_of_rings(directory, plan)

    def call(self, work: Work, argument: bytes) -> dict[int, bytes]:
        """Return what a function says of each ring."""
        return {ring: work(path, argument) for ring, path in self._paths.items()}

    def opened(self, begun: Path, opened: contextlib.ExitStack, progress: Progress) -> list[RingDirectory]:
        """Return the rings as they are gathered; what is copied for that is below `begun`."""

        def copied(path: Path) -> Path | None:
            """A copy of the tables of a ring that is being crawled."""
            if not crawled_by(path):
                return None
            progress(f"tables of {path.name}", 0, 0)
            return copy_tables(path, begun / path.name)

        return opened_rings(list(self._paths.values()), opened, copied)


class _Elsewhere:
    """Rings on the machines of a Ray cluster. From now on this process reads their archives too."""

    def __init__(self, directory: Path, plan: Plan) -> None:
        self._directory, self._plan = directory.absolute(), plan
        read_by_url()

    def call(self, work: Work, argument: bytes) -> dict[int, bytes]:
        return at_rings(self._directory, self._plan, work, argument)

    def opened(self, begun: Path, opened: contextlib.ExitStack, progress: Progress) -> list[RingDirectory]:
        copies = {ring: ring_directory(begun, ring) for ring in self._plan.rings}
        fetch_tables(self.call, copies, progress)
        for ring, copy in copies.items():
            warc = ring_directory(self._directory, ring) / "warc"
            note_archive(copy, partial(url_of, self._plan.ray, ring, warc))
        return opened_rings(list(copies.values()), opened, lambda path: path)


def state_at_ring(ring: Path, argument: bytes) -> bytes:
    """Return a digest of a ring; empty while it is being crawled, because it changes all the time.

    Raises UsageError if it has not begun, NotACrawl if it cannot be read.
    """
    if not is_there(ring / "crawl.db"):
        raise UsageError(f"{ring.name} has not begun: {command_line('cluster', 'resume', ring.parent)} begins it")
    with closing(View(ring)) as db, db.damage():
        return state(db, __version__.encode())


def _digest(states: Mapping[int, bytes]) -> bytes:
    """Return a digest of all rings; empty if the state of one is unknown."""
    return blake2b(b"".join(states[ring] for ring in sorted(states))).digest() if all(states.values()) else b""


def _made_of(output: Path) -> bytes:
    path = output / STATE
    return path.read_bytes() if is_regular(path) else b""


@contextlib.contextmanager
def _turn(output: Path) -> Iterator[Path]:
    """The directory for a new crawl, once no other command is making one."""
    while True:
        with contextlib.ExitStack() as opened:
            try:
                begun = opened.enter_context(beside(output))
            except UsageError:  # another command is joining them
                time.sleep(PAUSE)
                continue
            yield begun
            return


def _join(rings: _Here | _Elsewhere, begun: Path, output: Path, now: bytes, progress: Progress) -> None:
    """`now`: the state of the rings, as it was read before."""
    with contextlib.ExitStack() as opened:
        sources = rings.opened(begun, opened, progress)
        write(sources, begun, progress, _lead)
    for ring in sources:
        shutil.rmtree(begun / ring.tables.name, ignore_errors=True)
    replace_file(begun / STATE, now)
    carry_items(output, begun)
    earlier = output.with_name(EARLIER)
    shutil.rmtree(earlier, ignore_errors=True)  # left by a command that was killed
    for path in (output / CHECKED, *crawls(output)):  # what checks have requested and found, by URL
        with contextlib.suppress(FileNotFoundError):
            os.rename(path, begun / path.name)
    with contextlib.suppress(FileNotFoundError):
        os.rename(output, earlier)
    os.rename(begun, output)
    shutil.rmtree(earlier, ignore_errors=True)


def _lead(source: Path, target: Path, size: int) -> None:
    """Let a file of the crawl lead to the one of a ring, which may still grow."""
    os.symlink(os.path.relpath(source, target.parent), target)
