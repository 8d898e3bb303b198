"""One run of `ttcrawl verify`: check, mend, check again, and say what was found."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from ttcrawl.ask.report.opening import open_crawl
from ttcrawl.ask.verify import archive, files, tables, visits
from ttcrawl.ask.verify.findings import Finding, Findings
from ttcrawl.ask.verify.repair import repair
from ttcrawl.engine.lock import locked
from ttcrawl.errors import DONE, FAILED


def verify(place: Path, *, mend: bool) -> int:
    """Print what is wrong; the exit status: 0 nothing, 1 something. Raises NotACrawl, and UsageError while it runs."""
    with closing(open_crawl(place)) as db, locked(place):
        found = _find(db, place)
        left = {each.kind: each for each in found}
        if found and mend:
            repair(db, place, _given(db))
            with closing(open_crawl(place)) as again:
                left = {each.kind: each for each in _find(again, place)}
        met = {each.kind for each in found}
        found += [each for kind, each in left.items() if kind not in met]
        for each in found:
            print(_line(each, "" if each.kind in left else "repaired: "))
        print(_closing(db, place, found, left))
    return FAILED if found else DONE


def _find(db: sqlite3.Connection, place: Path) -> list[Finding]:
    """Nobody writes meanwhile (`locked`), so no transaction is needed to see all at one moment."""
    findings = Findings()
    given = _given(db)
    tables.check(db, given, findings)
    visits.check(db, place, given, findings)
    archive.check(db, place, findings)
    files.check(db, place, findings)
    return findings.all()


def _given(db: sqlite3.Connection) -> dict[str, str]:
    return dict(db.execute("SELECT name, value FROM crawl"))


def _line(finding: Finding, prefix: str) -> str:
    more = ", ..." if finding.count > len(finding.examples) else ""
    return f"{prefix}{finding.kind}: {finding.count:,} ({', '.join(finding.examples)}{more})"


def _closing(db: sqlite3.Connection, place: Path, found: list[Finding], left: dict[str, Finding]) -> str:
    if found:
        repaired = sum(each.kind not in left for each in found)
        hint = f"; ttcrawl resume {place} fetches what is queued again" if repaired else ""
        problems = f"{len(found)} problem{'s' if len(found) > 1 else ''} found"
        return f"{place}: {problems}, {repaired} repaired{hint}"
    urls, pages, warcs = db.execute(
        "SELECT (SELECT count(*) FROM url), (SELECT count(*) FROM page), (SELECT count(*) FROM archive)"
    ).fetchone()
    alone = files.without_row(db, place)
    extra = f", {alone:,} files of a crawl that was killed, without a row" if alone else ""
    strange = archive.foreign(place)
    extra += f", {strange:,} files in warc/ that are not of this crawl" if strange else ""
    return f"{place}: nothing is wrong ({urls:,} URLs, {pages:,} answers, {warcs:,} WARC files{extra})"
