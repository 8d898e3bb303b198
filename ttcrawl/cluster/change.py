"""A ring that joins or leaves on request: `ttcrawl cluster join` and `ttcrawl cluster leave`.

While the crawl runs, the command puts its request into a file beside the plan, which the conductor takes up in its next
wave. Otherwise it changes the plan, and the next resume moves the hosts. There is one change at a time.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import msgspec

from ttcrawl.cluster.members import joined, left
from ttcrawl.cluster.messages import Members
from ttcrawl.cluster.plan import Plan, existing, read_plan, write_plan
from ttcrawl.cluster.remote_rings import must_conduct
from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.store.lock import crawled_by

#: The file with the request of a command.
REQUEST = "change.json"

#: What a command says before it waits.
WAITS = "the rings move their hosts; Ctrl-C ends only the waiting"

#: Seconds between two looks of a command that waits.
LOOK = 0.1


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A ring is to join or to leave. A number is given to one ring only, so the members tell whether that is done."""

    ring: int
    joins: bool

    def is_open(self, members: Members) -> bool:
        """Whether the change has not begun."""
        return self.ring not in members.processes if self.joins else self.ring in members.rings

    def members_after(self, members: Members) -> Members:
        """Return the next epoch. Raises ValueError if the change is not possible."""
        return joined(members, self.ring) if self.joins else left(members, self.ring)


#: The present members -> the request of a command.
Wanted: TypeAlias = Callable[[Members], Request]


def joining(members: Members) -> Request:
    """Return the request that one more ring joins."""
    return Request(ring=max(members.processes) + 1, joins=True)


def leaving(ring: int) -> Wanted:
    """Return what requests that a ring leaves."""
    return lambda members: Request(ring=ring, joins=False)


def change(directory: Path, wanted: Wanted, say: Callable[[str], None]) -> tuple[int, bool]:
    """Make a change of the members, or request it and wait; return its ring, and whether the hosts have moved.

    `say` is called before it waits. Raises UsageError without a cluster, or if the change is not possible, or the last
    one is not done, CrawlFailedError if the directory cannot be written.
    """
    try:
        if not crawled_by(directory):
            with existing(directory) as plan:
                must_conduct(directory, plan)
                request, members = _possible(directory, plan, wanted)
                write_plan(directory, replace(plan, members=members))
                return request.ring, False
        request = put(directory, wanted)
    except OSError as error:
        raise CrawlFailedError(f"cannot write {directory}: {plain(error)}") from error
    say(WAITS)
    return request.ring, awaited(request, lambda: (bool(crawled_by(directory)), read_plan(directory)))


def put(directory: Path, wanted: Wanted) -> Request:
    """Request a change of a crawl that runs; return it. Raises UsageError, OSError."""
    request, _ = _possible(directory, read_plan(directory), wanted)
    _write(directory, request)
    return request


def _possible(directory: Path, plan: Plan, wanted: Wanted) -> tuple[Request, Members]:
    """Return a request, and the members after it."""
    if not plan.settled or requested(directory, plan):
        raise UsageError(f"the last change of the rings of {directory} is not done: wait for it, or resume the crawl")
    request = wanted(plan.members)
    try:
        return request, request.members_after(plan.members)
    except ValueError as error:
        raise UsageError(f"{directory}: {error}") from error


def _write(directory: Path, request: Request) -> None:
    """Write the request, as a whole. Raises UsageError if another command was faster."""
    path = directory / REQUEST
    with contextlib.suppress(FileNotFoundError):
        path.unlink()  # an old one: a new one was refused
    begun = path.with_name(f".{REQUEST}.{os.getpid()}")
    begun.write_bytes(msgspec.json.encode(request))
    try:
        os.link(begun, path)
    except FileExistsError:
        raise UsageError(f"another change of the rings of {directory} was requested just now: wait for it") from None
    finally:
        begun.unlink()


def awaited(request: Request, look: Callable[[], tuple[bool, Plan | None]]) -> bool:
    """Wait until the hosts have moved; return whether they have before the crawl stopped.

    `look()`: whether it runs, and its plan, None if that cannot be seen now.
    """
    while True:
        running, plan = look()
        if plan is not None and plan.settled and not request.is_open(plan.members):
            return True
        if not running:
            return False
        time.sleep(LOOK)


def requested(directory: Path, plan: Plan) -> Request | None:
    """Return the request of a command that has not begun, None without one."""
    try:
        request = msgspec.json.decode((directory / REQUEST).read_bytes(), type=Request)
        request.members_after(plan.members)
    except (OSError, msgspec.DecodeError, ValueError):
        return None
    return request if request.is_open(plan.members) else None


def request_of(directory: Path, plan: Plan) -> str:
    """Return the request that the conductor has not taken up, such as "ring 3 joins"; "": there is none."""
    request = requested(directory, plan)
    return f"ring {request.ring} {'joins' if request.joins else 'leaves'}" if request is not None else ""


def taken_up(directory: Path) -> None:
    """Remove the request, which is in the plan now."""
    with contextlib.suppress(OSError):  # an old one is not open any more
        (directory / REQUEST).unlink()
