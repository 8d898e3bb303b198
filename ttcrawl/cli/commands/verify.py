"""One run of `ttcrawl verify`: check, repair, check again, and report the findings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttcrawl.errors import DONE, FAILED
from ttcrawl.inspect.verify import archive, files, tables, visits
from ttcrawl.inspect.verify.findings import Finding, Findings
from ttcrawl.maintain.repair import repair
from ttcrawl.output.display import ReadProgress
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.unread import unread, unread_line
from ttcrawl.store.lock import locked
from ttcrawl.store.stopped import stopped


def verify(directory: Path, *, mend: bool) -> int:
    """Print the problems. Returns the exit status: 0 none, 1 some. Raises NotACrawl, and UsageError while it runs."""
    with _unchanging(directory, mend=mend) as db:
        db.let_go()  # the lock keeps other writers out; the repair needs the file exclusively
        with ReadProgress() as progress:
            problems = _find(db, progress)
        remaining = {each.kind: each for each in problems}
        if problems and mend:
            repair(db)
            with view(directory) as repaired_db, ReadProgress() as progress:
                remaining = {each.kind: each for each in _find(repaired_db, progress)}
        kinds = {each.kind for each in problems}
        problems += [each for kind, each in remaining.items() if kind not in kinds]
        for each in problems:
            print(_line(each, "" if each.kind in remaining else "repaired: "))
        print(_last_line(db, problems, remaining))
    return FAILED if problems else DONE


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


def _line(finding: Finding, prefix: str) -> str:
    more = ", ..." if finding.count > len(finding.examples) else ""
    return f"{prefix}{finding.kind}: {finding.count:,} ({', '.join(finding.examples)}{more})"


def _last_line(db: View, findings: list[Finding], remaining: dict[str, Finding]) -> str:
    directory = db.directory
    if findings:
        repaired = sum(each.kind not in remaining for each in findings)
        hint = f"; ttcrawl resume {directory} fetches the queued URLs" if repaired else ""
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
