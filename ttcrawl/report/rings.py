"""The state of a cluster: of the whole, and of each ring. Only reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ttcrawl.output.json_form import json_form
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.status import status
from ttcrawl.store.lock import crawled_by
from ttcrawl.store.regular import is_there


@dataclass(frozen=True, slots=True, kw_only=True)
class RingStatus:
    """A ring at one moment, up to its last commit."""

    ring: int
    state: str  # as of a crawl; "not begun": its directory has no crawl yet
    process: str  # of the running ring, or ""
    seconds: float
    pages: int
    queued: int
    trouble: str  # the last problem, or ""
    standing: str  # "joining", "leaving" or "left" (it owns no hosts), or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RingsStatus:
    """A cluster at one moment."""

    state: str  # running, killed, done, max_pages, interrupted, "failed: ..." ...
    process: str  # of the conductor that runs, or ""
    pages: int
    queued: int
    rings: tuple[RingStatus, ...]
    request: str  # the change of the rings that is requested and has not begun, such as "ring 3 joins", or ""
    split: tuple[str, ...]  # registrable domains whose hosts the rings share


def rings_status(
    directory: Path,
    finished: str,
    rings: Mapping[int, tuple[Path, str]],
    request: str = "",
    split: tuple[str, ...] = (),
    remote: Mapping[int, Mapping[str, Any]] = MappingProxyType({}),
) -> RingsStatus:
    """Return the state of a cluster.

    `finished`: how its crawl has ended; `rings`: crawl directory and standing; `request`: the change of rings that is
    requested, or ""; `split`: registrable domains whose hosts the rings share; `remote`: process, seconds, pages and
    queued of rings that are not on this machine, as they have said last.
    """
    process = crawled_by(directory)
    state = "running" if process else finished or "killed"
    nothing = {"process": "", "seconds": 0.0, "pages": 0, "queued": 0}
    statuses = tuple(
        _ring_status(ring, *each)
        if is_there(each[0] / "crawl.db")
        else RingStatus(
            ring=ring,
            state=state if ring in remote else "not begun",
            trouble="",
            standing=each[1],
            **(remote.get(ring) or nothing),
        )
        for ring, each in rings.items()
    )
    return RingsStatus(
        state=state,
        process=process,
        pages=sum(each.pages for each in statuses),
        queued=sum(each.queued for each in statuses),
        rings=statuses,
        request=request,
        split=split,
    )


def _ring_status(ring: int, path: Path, standing: str) -> RingStatus:
    now = status(path, 0)
    return RingStatus(
        ring=ring,
        state=now.state,
        process=now.process,
        seconds=now.seconds,
        pages=now.pages,
        queued=now.queued,
        trouble=now.trouble,
        standing=standing,
    )


def render(summary: RingsStatus, form: str) -> str:
    """Return the state as text or JSON."""
    if form == "json":
        return json_form(asdict(summary), indent=None)
    process = f" (process {summary.process})" if summary.process else ""
    lines = [f"{summary.state}{process}: {counted(summary.pages, 'page')}, {summary.queued:,} queued"]
    for each in summary.rings:
        process = f" (process {each.process})" if each.process else ""
        standing = f", {'has left' if each.standing == 'left' else f'is {each.standing}'}" if each.standing else ""
        counts = f"{counted(each.pages, 'page')}, {each.queued:,} queued"
        lines.append(f"  ring {each.ring}: {each.state}{process}, {counts}{standing}")
        if each.trouble:
            lines.append(f"    last problem: {each.trouble}")
    if summary.split:
        lines.append(f"  hosts shared by the rings: {', '.join(summary.split)}")
    if summary.request:
        lines.append(f"  requested: {summary.request}")
    return "\n".join(map(escape_untrusted, lines))
