"""A cluster as one crawl: what `ttcrawl report DIR` and others read if DIR is the directory of a cluster.

It is a gathered crawl in the directory `joined` of the cluster, made when a command needs it and a ring has changed
since. Its WARC files and saved files are symbolic links to those of the rings. Of a ring that is being crawled, a copy
of its tables is read as they were after one commit.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

from ttcrawl import __version__
from ttcrawl.cluster.gather import beside, opened_rings, write
from ttcrawl.cluster.plan import read_plan
from ttcrawl.cluster.results.at_rings import directories_of_rings
from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.report.cache import state
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.copied_tables import copy_tables
from ttcrawl.store.database import StoreError
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.mailbox import JOINED
from ttcrawl.store.regular import is_regular, replace_file

#: The earlier one until it is deleted.
EARLIER = ".joined.earlier"

#: In it: the state of the rings of which it was made.
STATE = "rings.state"

#: Seconds between two looks whether another command has joined the rings.
PAUSE = 0.2


def joined(directory: Path, progress: Callable[[str, int, int], None]) -> Path:
    """Return the directory of the one crawl.

    Raises UsageError if a ring is not on this machine, NotACrawl if it cannot be read, CrawlFailedError if the crawl
    cannot be written.
    """
    rings = directories_of_rings(directory, read_plan(directory))
    output = directory / JOINED
    now = _state(rings)
    if now and _made_of(output) == now:
        return output
    try:
        with _turn(output) as begun:
            if not now or _made_of(output) != now:  # another command may have joined them meanwhile
                _join(rings, begun, output, now, progress)
    except (StoreError, OSError) as error:
        raise CrawlFailedError(
            f"cannot join the rings in {output}: {plain(error)}; ttcrawl cluster gather {directory} -o OUT joins them"
            " elsewhere"
        ) from error
    return output


def _state(rings: Mapping[int, Path]) -> bytes:
    """Return a digest of the rings; empty while one is being crawled, because it changes all the time."""
    states = []
    for path in rings.values():
        with closing(View(path)) as db, db.damage():
            states.append(state(db, __version__.encode()))
    return blake2b(b"".join(states)).digest() if all(states) else b""


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


def _join(
    rings: Mapping[int, Path], begun: Path, output: Path, now: bytes, progress: Callable[[str, int, int], None]
) -> None:
    """`now`: the state of the rings, as it was read before."""

    def copied(path: Path) -> Path | None:
        """A copy of the tables of a ring that is being crawled."""
        if not crawled_by(path):
            return None
        progress(f"tables of {path.name}", 0, 0)
        return copy_tables(path, begun / path.name)

    with contextlib.ExitStack() as opened:
        write(opened_rings(list(rings.values()), opened, copied), begun, progress, _lead)
    for path in rings.values():
        shutil.rmtree(begun / path.name, ignore_errors=True)
    replace_file(begun / STATE, now)
    earlier = output.with_name(EARLIER)
    shutil.rmtree(earlier, ignore_errors=True)  # left by a command that was killed
    with contextlib.suppress(FileNotFoundError):
        os.rename(output, earlier)
    os.rename(begun, output)
    shutil.rmtree(earlier, ignore_errors=True)


def _lead(source: Path, target: Path, size: int) -> None:
    """Let a file of the crawl lead to the one of a ring, which may still grow."""
    os.symlink(os.path.relpath(source, target.parent), target)
