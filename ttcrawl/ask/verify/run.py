"""One run of `ttcrawl verify`: check, repair, check again, and report the findings."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.ask.verify import archive, files, tables, visits
from ttcrawl.ask.verify.findings import Finding, Findings
from ttcrawl.ask.verify.repair import repair
from ttcrawl.ask.view.view import View, view
from ttcrawl.engine.lock import locked
from ttcrawl.errors import DONE, FAILED


def verify(place: Path, *, mend: bool) -> int:
    """Print the problems. Returns the exit status: 0 none, 1 some. Raises NotACrawl, and UsageError while it runs."""
    with view(place) as db, locked(place):
        db.let_go()  # the lock keeps other writers out; the repair needs the file exclusively
        found = _find(db)
        left = {each.kind: each for each in found}
        if found and mend:
            repair(db)
            with view(place) as again:
                left = {each.kind: each for each in _find(again)}
        met = {each.kind for each in found}
        found += [each for kind, each in left.items() if kind not in met]
        for each in found:
            print(_line(each, "" if each.kind in left else "repaired: "))
        print(_closing(db, found, left))
    return FAILED if found else DONE


def _find(db: View) -> list[Finding]:
    findings = Findings()
    for check in (tables.check, visits.check, archive.check, files.check):
        check(db, findings)
    return findings.all()


def _line(finding: Finding, prefix: str) -> str:
    more = ", ..." if finding.count > len(finding.examples) else ""
    return f"{prefix}{finding.kind}: {finding.count:,} ({', '.join(finding.examples)}{more})"


def _closing(db: View, found: list[Finding], left: dict[str, Finding]) -> str:
    place = db.directory
    if found:
        repaired = sum(each.kind not in left for each in found)
        hint = f"; ttcrawl resume {place} fetches the queued URLs" if repaired else ""
        problems = f"{len(found)} problem{'s' if len(found) > 1 else ''} found"
        return f"{place}: {problems}, {repaired} repaired{hint}"
    urls, pages, warcs = db.execute(
        "SELECT (SELECT count(*) FROM url), (SELECT count(*) FROM page), (SELECT count(*) FROM archive)"
    ).fetchone()
    alone = files.without_row(db)
    extra = f", {alone:,} files without a row, of a crawl that was killed" if alone else ""
    strange = archive.foreign(place)
    extra += f", {strange:,} files in warc/ from elsewhere" if strange else ""
    return f"{place}: nothing is wrong ({urls:,} URLs, {pages:,} answers, {warcs:,} WARC files{extra})"
