"""SIGKILL to all processes of a crawler when it has half of the pages, then its own way to go on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.comparison.peers import Order, Peer
from benchmarks.comparison.running import at_once, by_name, crawl, scratch, table
from tests.support.web.site import Answer, Web, page

HOST, PAGES = "127.0.0.1", 400
PATHS = ("/", *(f"/p/{number}.html" for number in range(1, PAGES)))

#: Seconds that a crawl may take, and its resume.
LIMIT = 150.0

#: What is on each page, and on no other.
TITLE = re.compile(rb"<title>Page (/[p\d/.html]*)</title>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    at_kill: int  # pages that were answered before
    fetched: int  # pages in the end, of PATHS
    again: int  # requests for a page beyond its first
    kept: int | None  # pages in its files in the end; None: it keeps none
    ended: bool


def site() -> dict[tuple[str, str], Answer]:
    """A tree of pages, each with links to three below it, to the one before it and to the first one."""
    answers = {}
    for number, path in enumerate(PATHS):
        links = [*PATHS[3 * number + 1 : 3 * number + 4], PATHS[number - 1], "/"]
        answers[HOST, path] = Answer(body=page(*links, title=f"Page {path}"), delay=0.02)
    return answers


def survived(case: str, name: str) -> Outcome:
    """What a crawler has after a kill and a resume."""
    peer = by_name(name)
    with Web(site(), address=HOST) as web, scratch() as folder:
        order = Order(seeds=(web.url(HOST, "/"),), folder=Path(folder), state=True)
        _kill_at_half(peer, order, web)
        at_kill = len(_pages(web))
        done = crawl(peer, replace(order, resume=True), LIMIT)
        pages = _pages(web)
        kept = kept_pages(Path(folder)) if peer.keeps_pages else None
    return Outcome(
        at_kill=at_kill,
        fetched=len(pages),
        again=pages.total() - len(pages),
        kept=None if kept is None else len(kept & set(PATHS)),
        ended=done.ended,
    )


def _pages(web: Web) -> Counter[str]:
    """How often each page was requested."""
    return Counter(hit.path for hit in web.log() if hit.path in PATHS and hit.method == "GET")


def _kill_at_half(peer: Peer, order: Order, web: Web) -> None:
    environment = {**os.environ, **peer.environment(order)}
    deadline = time.monotonic() + LIMIT
    with open(order.folder / "first-output", "wb") as output:
        process = subprocess.Popen(
            peer.command(order), stdout=output, stderr=output, start_new_session=True, env=environment
        )
        while len(_pages(web)) < PAGES // 2 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def kept_pages(folder: Path) -> set[str]:
    """The paths of the pages in its files: in WARC files too, of which each record is a gzip member."""
    found = set[str]()
    for path in folder.rglob("*"):
        if path.is_file():
            data = b"".join(_members(path.read_bytes())) if path.suffix == ".gz" else path.read_bytes()
            found |= {title.decode() for title in TITLE.findall(data)}
    return found


def _members(data: bytes) -> Iterator[bytes]:
    """The gzip members of a file, whose last one may be cut by a kill."""
    while data:
        member = zlib.decompressobj(wbits=31)
        with suppress(zlib.error):
            yield member.decompress(data)
        data = member.unused_data


def compared(peers: list[Peer]) -> str:
    """The table; crawlers without a resume are left out."""
    able = [peer for peer in peers if peer.resumes]
    outcomes = at_once(survived, [("kill", peer.name) for peer in able])
    head = ["crawler", "goes on by", "pages at the kill", f"requested, of {PAGES}", "requested again", "kept"]
    return table(head, [_row(peer, outcomes["kill", peer.name]) for peer in able], 4)


def _row(peer: Peer, outcome: Outcome) -> list[str]:
    end = "" if outcome.ended else ", no end"
    kept = "-" if outcome.kept is None else f"{outcome.kept:,}"
    figures = [f"{outcome.at_kill:,}", f"{outcome.fetched:,}{end}", f"{outcome.again:,}", kept]
    return [peer.name, peer.resumes, *figures]
