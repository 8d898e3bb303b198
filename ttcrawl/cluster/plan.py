"""The directory of a cluster: cluster.json, config.ini, and one crawl directory for each ring."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ttcrawl.cluster.members import table_of
from ttcrawl.cluster.messages import Members
from ttcrawl.cluster.route import Table
from ttcrawl.config import Config
from ttcrawl.engine.run.directory import must_be_free, write_config
from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.store.lock import Lock, crawled_by
from ttcrawl.store.mailbox import CLUSTER
from ttcrawl.store.regular import is_there, replace_file

#: The files of a cluster.
PLAN, CONFIG = CLUSTER, "config.ini"

#: The file with the clocks of hosts that scripts request something from, for all rings of a machine.
HOST_CLOCKS = "host-clocks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revisits:
    """How the rings visit URLs again (see ttcrawl.engine.recrawl.recrawls)."""

    once: bool
    known: bool
    shares: dict[int, float]  # ring -> its share of the budget: as many pages as it has


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What all processes of a cluster must agree about."""

    members: Members  # `before` is () once all hosts have moved
    seeds: tuple[str, ...]  # canonical
    allowed: tuple[tuple[str, str], ...]  # non-public addresses that may be contacted: host, address
    begun: float = 0.0  # when this run was, time.time(); another conductor may continue it
    id: str = ""  # the same on all machines, and of no other crawl; "": begun by an earlier version
    ray: str = ""  # HOST:PORT of the Ray cluster on whose machines the rings are; "": all are on this machine
    revisits: Revisits | None = None  # None: URLs are not visited again
    finished: str = ""  # "" while it runs or was killed, "done", a limit, "interrupted", "failed: why"

    @property
    def rings(self) -> tuple[int, ...]:
        """All rings that there are, also those that have left."""
        return self.members.processes

    @property
    def settled(self) -> bool:
        """Whether all hosts are at their owners."""
        return not self.members.before

    def table(self) -> Table:
        """Return the table of buckets."""
        return table_of(self.members)


def new_id() -> str:
    """Return the id of a crawl that begins."""
    return secrets.token_hex(8)


def ring_directory(directory: Path, ring: int) -> Path:
    """Return the crawl directory of a ring."""
    return directory / f"ring-{ring}"


def wait_for_earlier(own: Path, seconds: float) -> None:
    """Wait for the ring of a conductor that was killed before that ring had begun: it ends by itself."""
    end = time.monotonic() + seconds
    while crawled_by(own) and time.monotonic() < end:
        time.sleep(0.1)


def read_plan(directory: Path) -> Plan:
    """Return the plan of a cluster. Raises UsageError if the directory has none."""
    path = directory / PLAN
    try:
        return msgspec.json.decode(path.read_bytes(), type=Plan)
    except OSError as error:
        raise UsageError(
            f"{directory} contains no cluster ({PLAN}: {error.strerror}); name the directory that was given to -d"
        ) from error
    except msgspec.DecodeError as error:
        raise UsageError(f"{path} was not written by this ttcrawl: {error}") from error


def handed_over(directory: Path) -> dict[str, bytes]:
    """Return the files that a ring on another machine needs: name -> contents."""
    return {name: (directory / name).read_bytes() for name in (PLAN, CONFIG)}


def receive_files(directory: Path, ring: int, files: Mapping[str, bytes]) -> None:
    """Write the files of a cluster on the machine of a ring. On the machine of the conductor they are there.

    Raises OSError, or UsageError if another cluster is in the directory.
    """
    if crawled_by(directory):
        return
    if is_there(directory / PLAN) and not _same(read_plan(directory), msgspec.json.decode(files[PLAN], type=Plan)):
        raise UsageError(f"{directory} on {socket.gethostname()} contains another cluster: move it away")
    directory.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        replace_file(directory / name, data, 0o600)
    own = ring_directory(directory, ring)
    if is_there(own / "crawl.db"):
        replace_file(own / CONFIG, files[CONFIG], 0o600)


def _same(one: Plan, other: Plan) -> bool:
    """Whether two plans are of one crawl. Earlier versions gave it no id; seeds are added at the end."""
    return one.id == other.id if one.id else one.seeds[0] == other.seeds[0]


def write_plan(directory: Path, plan: Plan) -> None:
    """Replace the plan of a cluster."""
    replace_file(directory / PLAN, msgspec.json.format(msgspec.json.encode(plan)) + b"\n", sync=True)


@contextlib.contextmanager
def fresh(directory: Path, plan: Plan, config: Config) -> Iterator[None]:
    """Create the directory of a cluster, and lock it.

    Raises UsageError if there is a crawl or a cluster, CrawlFailedError if the directory cannot be written.
    """
    must_be_without_cluster(directory, plan.rings)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        locked = Lock(directory)
    except OSError as error:
        raise CrawlFailedError(f"cannot write the directory {directory}: {plain(error)}; choose another with -d") from (
            error
        )
    with contextlib.closing(locked):
        must_be_without_cluster(directory, plan.rings)
        try:
            write_config(directory, config)
            write_plan(directory, plan)
        except OSError as error:
            raise CrawlFailedError(f"cannot write {directory}: {plain(error)}; choose another with -d") from error
        yield


def must_be_without_cluster(directory: Path, rings: Iterable[int]) -> None:
    """Raises UsageError if there is a crawl or a cluster, or another file has one of the names that are used."""
    if os.path.lexists(directory / PLAN):
        raise UsageError(
            f"{directory} already contains a cluster: continue it with ttcrawl cluster resume, or choose another one"
            " with -d"
        )
    must_be_free(directory)
    for path in (ring_directory(directory, ring) for ring in rings):
        if os.path.lexists(path):
            raise UsageError(f"{directory} already contains {path.name}; choose another directory with -d")


@contextlib.contextmanager
def existing(directory: Path) -> Iterator[Plan]:
    """Lock the directory of a cluster that is not running. Raises UsageError if there is none, or it is running."""
    read_plan(directory)
    with contextlib.closing(Lock(directory)):
        yield read_plan(directory)
