"""A ring that joins or leaves on request: `ttcrawl cluster join` and `ttcrawl cluster leave`.

While the crawl runs, the command puts the next members into a file beside the plan, which the conductor takes up in
its next wave. Otherwise it changes the plan, and the next resume moves the hosts. There is one change at a time.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec

from ttcrawl.cluster.messages import Members
from ttcrawl.cluster.plan import Plan, existing, read_plan, write_plan
from ttcrawl.cluster.remote_rings import must_conduct
from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.store.lock import crawled_by

#: The file with the members that a command asks for.
REQUEST = "change.json"

#: Seconds between two looks of a command that waits.
LOOK = 0.1


def change(directory: Path, later: Callable[[Members], Members], say: Callable[[str], None]) -> tuple[Members, bool]:
    """Make a change of the members, or request it and wait; return them, and whether the hosts have moved.

    `say` is called before it waits. Raises UsageError without a cluster, or if the change is not possible, or the last
    one is not done, CrawlFailedError if the directory cannot be written.
    """
    try:
        if not crawled_by(directory):
            with existing(directory) as plan:
                must_conduct(directory, plan)
                members = _later(directory, plan, later)
                write_plan(directory, replace(plan, members=members))
                return members, False
        members = _later(directory, read_plan(directory), later)
        _request(directory, members)
    except OSError as error:
        raise CrawlFailedError(f"cannot write {directory}: {plain(error)}") from error
    say("the rings move their hosts; Ctrl-C ends only the waiting")
    return members, _awaited(directory, members)


def _later(directory: Path, plan: Plan, later: Callable[[Members], Members]) -> Members:
    request = requested(directory)
    if not plan.settled or (request is not None and follows(plan, request)):
        raise UsageError(f"the last change of the rings of {directory} is not done: wait for it, or resume the crawl")
    try:
        return later(plan.members)
    except ValueError as error:
        raise UsageError(f"{directory}: {error}") from error


def _request(directory: Path, members: Members) -> None:
    """Write the request, as a whole. Raises UsageError if another command was faster."""
    path = directory / REQUEST
    with contextlib.suppress(FileNotFoundError):
        path.unlink()  # an old one: a new one was refused
    begun = path.with_name(f".{REQUEST}.{os.getpid()}")
    begun.write_bytes(msgspec.json.encode(members))
    try:
        os.link(begun, path)
    except FileExistsError:
        raise UsageError(f"another change of the rings of {directory} was requested just now: wait for it") from None
    finally:
        begun.unlink()


def _awaited(directory: Path, members: Members) -> bool:
    """Wait until the hosts have moved; return whether they have before the crawl stopped."""
    while True:
        running = crawled_by(directory)
        plan = read_plan(directory)
        if plan.members.epoch >= members.epoch and plan.settled:
            return True
        if not running:
            return False
        time.sleep(LOOK)


def requested(directory: Path) -> Members | None:
    """Return the members that a command asks for, None without a request."""
    try:
        return msgspec.json.decode((directory / REQUEST).read_bytes(), type=Members)
    except (OSError, msgspec.DecodeError):
        return None


def request_of(directory: Path, plan: Plan) -> str:
    """Return the request that the conductor has not taken up, such as "ring 3 joins"; "": there is none."""
    members = requested(directory)
    if members is None or not follows(plan, members):
        return ""
    changes = [f"ring {ring} joins" for ring in members.rings if ring not in plan.members.rings]
    changes += [f"ring {ring} leaves" for ring in plan.members.rings if ring not in members.rings]
    return ", ".join(changes)


def taken_up(directory: Path) -> None:
    """Remove the request, which is in the plan now."""
    with contextlib.suppress(OSError):  # an old one is refused by its epoch
        (directory / REQUEST).unlink()


def follows(plan: Plan, members: Members) -> bool:
    """Whether the members belong to the next epoch; else the request is done, or too late."""
    return (members.epoch, members.before) == (plan.members.epoch + 1, plan.members.rings)
