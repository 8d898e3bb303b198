"""`ttcrawl verify`: check, repair, check again; of a crawl, or at a ring of a cluster."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, msgpack

from ttcrawl.inspect.verify import archive, files, tables, visits
from ttcrawl.inspect.verify.findings import Finding, Findings
from ttcrawl.maintain.repair import repair
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress, silent
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.unread import unread, unread_line
from ttcrawl.store.lock import locked
from ttcrawl.store.mailbox import command_to_continue
from ttcrawl.store.stopped import stopped


class Verified(Struct, frozen=True, kw_only=True):
    """The problems of a crawl; the kinds of those that are left after a repair; a line about all of it."""

    problems: list[Finding]
    remaining: list[str]
    summary: str


def verify(directory: Path, progress: Progress, *, mend: bool) -> Verified:
    """Check a crawl that does not run, and repair it if asked. Raises NotACrawl, UsageError."""
    with _unchanging(directory, mend=mend) as db:
        db.let_go()  # the lock keeps other writers out; the repair needs the file exclusively
        problems = _find(db, progress)
        remaining = {each.kind: each for each in problems}
        if problems and mend:
            repair(db)
            with view(directory) as repaired_db:
                remaining = {each.kind: each for each in _find(repaired_db, progress)}
        kinds = {each.kind for each in problems}
        problems += [each for kind, each in remaining.items() if kind not in kinds]
        return Verified(problems=problems, remaining=list(remaining), summary=_summary(db, problems, remaining.keys()))


def verify_at_ring(ring: Path, argument: bytes) -> bytes:
    """The same for a ring; the argument is empty unless it is to be repaired."""
    return msgpack.encode(verify(ring, silent, mend=bool(argument)))


@contextmanager
def _unchanging(directory: Path, *, mend: bool) -> Iterator[View]:
    """Keep other processes from changing the crawl. To check alone needs no right to write."""
    if mend:
        with stopped(directory, ring=True), view(directory) as db:
            yield db
    else:
        with view(directory) as db, locked(directory):
            yield db


def _find(db: View, progress: Progress) -> list[Finding]:
    findings = Findings()
    tables.check(db, findings, progress)
    progress("visits", 0, 0)
    visits.check(db, findings)
    archive.check(db, findings, progress)
    progress("saved files", 0, 0)
    files.check(db, findings)
    return findings.all()


def _summary(db: View, findings: Sequence[Finding], remaining: Collection[str]) -> str:
    directory = db.directory
    if findings:
        repaired = sum(each.kind not in remaining for each in findings)
        resumed = directory.parent if "ring" in db.settings else directory
        hint = f"; {command_to_continue(resumed)} fetches the queued URLs" if repaired else ""
        problems = f"{counted(len(findings), 'problem')} found"
        return f"{directory}: {problems}, {repaired} repaired{hint}"
    urls, pages, warcs = db.execute(
        "SELECT (SELECT count(*) FROM url), (SELECT count(*) FROM page), (SELECT count(*) FROM archive)"
    ).fetchone()
    alone = files.without_row(db)
    extra = f", {counted(alone, 'file')} without a row, of a crawl that was killed" if alone else ""
    count = unread(db)
    extra += f", {unread_line(count, directory)}" if count else ""
    strange = archive.foreign(directory)
    extra += f", {counted(strange, 'file')} in warc/ from elsewhere" if strange else ""
    counts = f"{counted(urls, 'URL')}, {counted(pages, 'answer')}, {counted(warcs, 'WARC file')}"
    return f"{directory}: nothing is wrong ({counts}{extra})"
