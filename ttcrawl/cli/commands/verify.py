"""`ttcrawl verify`: check, repair, check again."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import crawl_directory, output_form
from ttcrawl.errors import DONE, FAILED

if TYPE_CHECKING:
    from ttcrawl.inspect.verify.findings import Finding
    from ttcrawl.output.steps import Progress
    from ttcrawl.snapshot.snapshot import View

SUMMARY = "check that a crawl is complete and consistent"
IN_HELP = ("Tools", 3)
EXAMPLES = (
    ("is the crawl complete and consistent?", "verify crawl-example.org"),
    ("repair what can be repaired", "verify crawl-example.org --repair"),
)


def options(verify: argparse.ArgumentParser) -> None:
    crawl_directory(verify)
    verify.add_argument("--repair", action="store_true", help="repair what can be repaired without a request")
    output_form(verify, "json")


def run(args: argparse.Namespace) -> int:
    """The exit status is 1 if there is a problem."""
    from ttcrawl.cli.styles import OF_VERIFY
    from ttcrawl.maintain.repair import repair
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.output.terminal import show
    from ttcrawl.snapshot.snapshot import view

    with _unchanging(args.directory, mend=args.repair) as db:
        db.let_go()  # the lock keeps other writers out; the repair needs the file exclusively
        with ReadProgress() as progress:
            problems = _find(db, progress)
        remaining = {each.kind: each for each in problems}
        if problems and args.repair:
            repair(db)
            with view(args.directory) as repaired_db, ReadProgress() as progress:
                remaining = {each.kind: each for each in _find(repaired_db, progress)}
        kinds = {each.kind for each in problems}
        problems += [each for kind, each in remaining.items() if kind not in kinds]
        if args.format == "json":
            print(_json(problems, remaining))
            return FAILED if problems else DONE
        lines = [_line(each, "" if each.kind in remaining else "repaired: ") for each in problems]
        show("\n".join([*lines, _last_line(db, problems, remaining)]), styles=OF_VERIFY)
    return FAILED if problems else DONE


@contextmanager
def _unchanging(directory: Path, *, mend: bool) -> Iterator[View]:
    """Keep other processes from changing the crawl. To check alone needs no right to write."""
    from ttcrawl.snapshot.snapshot import view
    from ttcrawl.store.lock import locked
    from ttcrawl.store.stopped import stopped

    if mend:
        with stopped(directory, ring=True), view(directory) as db:
            yield db
    else:
        with view(directory) as db, locked(directory):
            yield db


def _find(db: View, progress: Progress) -> list[Finding]:
    from ttcrawl.inspect.verify import archive, files, tables, visits
    from ttcrawl.inspect.verify.findings import Findings

    findings = Findings()
    tables.check(db, findings, progress)
    progress("visits", 0, 0)
    visits.check(db, findings)
    archive.check(db, findings, progress)
    progress("saved files", 0, 0)
    files.check(db, findings)
    return findings.all()


def _json(findings: list[Finding], remaining: dict[str, Finding]) -> str:
    import json

    rows = [
        {
            "kind": each.kind,
            "count": each.count,
            "examples": list(each.examples),
            "repaired": each.kind not in remaining,
        }
        for each in findings
    ]
    return json.dumps({"problems": rows}, indent=2, ensure_ascii=False)


def _line(finding: Finding, prefix: str) -> str:
    more = ", ..." if finding.count > len(finding.examples) else ""
    return f"{prefix}{finding.kind}: {finding.count:,} ({', '.join(finding.examples)}{more})"


def _last_line(db: View, findings: list[Finding], remaining: dict[str, Finding]) -> str:
    from ttcrawl.inspect.verify import archive, files
    from ttcrawl.output.number import counted
    from ttcrawl.snapshot.unread import unread, unread_line

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
