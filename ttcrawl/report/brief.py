"""What a crawl prints at its end: at most twelve lines, its growth as a sparkline, and three commands to go on with.

What is wrong always has a line: failed hosts, traps, pages that could not be read, a process that died, a full disk.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ttcrawl.frozen import frozen
from ttcrawl.output.number import byte_text, counted
from ttcrawl.output.shell import command_line
from ttcrawl.output.sparkline import sparkline
from ttcrawl.output.terminal import columns, shortened
from ttcrawl.output.timespan import timespan
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.report.summary import Summary
from ttcrawl.snapshot.snapshot import view
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import family

#: Lines without the sparkline and the commands.
MOST_LINES = 12
#: Columns of labels, and of a sparkline at most.
LABEL, SPARKLINE = 19, 40
#: Columns of a line in a file or a pipe.
WIDE = 160
#: The line that is left out if all others exist.
MOVED = "Moved (redirects)"
NAMED_HOSTS = 5
LONGEST_HOST = 40

NO_RESPONSE = """
    SELECT host, max(iif(state = 'failed', reason, '')), count(*) OVER () FROM url JOIN site ON site.id = url.site
    GROUP BY site.id HAVING sum(state = 'failed') > 0 AND sum(state IN ('fetched', 'moved')) = 0
    ORDER BY sum(state = 'failed') DESC, site.id LIMIT ?"""


@frozen
class Outcome:
    """What the end of a crawl says beside its figures."""

    failed_hosts: tuple[tuple[str, str], ...]  # host and reason, the hosts with the most URLs first
    hosts_failed: int  # with those that are not named
    trouble: str  # the last problem of a process, or ""
    has_text: bool
    disk_used: int  # bytes of the archive
    disk_left: int
    visits: int = 0  # by ttcrawl recrawl


def outcome(directory: Path, summary: Summary) -> Outcome:
    """Raises NotACrawl."""
    with view(directory) as db:
        rows = db.execute(NO_RESPONSE, (NAMED_HOSTS,)).fetchall()
        return Outcome(
            failed_hosts=tuple((host, reason) for host, reason, _ in rows),
            hosts_failed=rows[0][2] if rows else 0,
            trouble=db.settings.get("trouble", ""),
            has_text=db.execute("SELECT 1 FROM text LIMIT 1").fetchone() is not None,
            disk_used=summary.archive_bytes,
            disk_left=shutil.disk_usage(directory).free,
            visits=db.execute("SELECT coalesce(sum(visits), 0) FROM revisit").fetchone()[0],
        )


def render(directory: Path, summary: Summary, end: Outcome, width: int | None, *, blocks: bool) -> str:
    """The lines, none of them wider than `width` (None: a file or a pipe). Without `blocks` they are ASCII."""
    rows = list(_lines(summary, end))
    if len(rows) > MOST_LINES:
        rows = [row for row in rows if row[0] != MOVED]
    lines = [_line(label, head, parts, width or WIDE, ascii_only=not blocks) for label, head, parts in rows]
    if blocks and width is not None:
        lines += _growth(summary, width)
    return "\n".join([*lines, "", *_next(directory, summary, end, width or WIDE)])


def _lines(summary: Summary, end: Outcome) -> Iterator[tuple[str, str, list[str]]]:
    """(label, figure, details) of each line."""
    rate = summary.pages_per_second if summary.pages and not end.visits else None  # time of visits again is no rate
    speed = "" if rate is None else f" at {rate:,.1f}/s"
    complete = summary.finished in ("done", "visited")
    state = summary.finished if complete else f"stopped ({summary.finished or 'killed'})"
    yield "State", f"{state} after {timespan(summary.seconds)}", []
    yield "Pages crawled", f"{summary.pages:,}{speed}", _uses(summary, end)
    if any(status != 200 for status in summary.statuses):
        yield "  status", "", _counts(summary.statuses)
    if summary.moved:
        yield MOVED, f"{summary.moved:,}", []
    yield "Failed", f"{sum(summary.failed.values()):,}", _counts(summary.failed)
    if end.hosts_failed:
        named = [f"{_short(host)} ({reason})" for host, reason in end.failed_hosts]
        yield "  hosts that failed", f"{end.hosts_failed:,}", named
    unrecorded = [f"{counted(summary.unrecorded, 'link')} not recorded"] if summary.unrecorded else []
    yield "Refused", f"{sum(summary.refused.values()):,}", unrecorded + _counts(summary.refused)
    yield from _wrong(summary, end)
    yield "Still queued", f"{summary.queued:,}", []
    yield "All URLs discovered", f"{summary.urls:,}", [counted(summary.found.total, "link")]
    yield "Disk", f"{byte_text(end.disk_used)} of archive, {byte_text(end.disk_left)} left", []


def _uses(summary: Summary, end: Outcome) -> list[str]:
    uses = [counted(summary.linking, "HTML or document")] if summary.linking else []
    if summary.requisites:
        uses.append(f"{summary.requisites:,} page requisite{'s' * (summary.requisites != 1)}")
    if summary.other_pages:
        uses.append(counted(summary.other_pages, "other file"))
    relevant = [] if summary.relevant is None else [f"{summary.relevant:,} relevant"]
    again = [f"{counted(end.visits, 'visit')} again"] if end.visits else []
    return (uses if len(uses) > 1 or summary.pages != summary.linking else []) + relevant + again


def _wrong(summary: Summary, end: Outcome) -> Iterator[tuple[str, str, list[str]]]:
    """Lines that exist only where something else is wrong."""
    traps = {reason: count for reason, count in summary.refused.items() if family(reason) is Family.TRAP}
    if traps:
        yield "  links into traps", f"{sum(traps.values()):,}", _counts(traps)
    if summary.parse_errors:
        yield "Parse errors", f"{summary.parse_errors:,}", []
    if end.trouble:
        yield "Trouble", end.trouble, []


def _counts(counts: Mapping[str, int] | Mapping[int, int]) -> list[str]:
    return [f"{name} {count:,}" if isinstance(name, str) else f"{count:,} x {name}" for name, count in counts.items()]


def _line(label: str, head: str, details: Iterable[str], width: int, *, ascii_only: bool) -> str:
    """As many details as fit, and how many others there are."""

    def plain(text: str) -> str:
        safe = escape_untrusted(text)  # what a terminal cannot print takes more columns
        return safe.encode("ascii", "backslashreplace").decode() if ascii_only else safe

    line = f"{label:<{LABEL}}  {plain(head)}"
    parts = [plain(each) for each in details]
    text = line
    for shown in range(len(parts), 0, -1):
        more = f", and {len(parts) - shown:,} more" if shown < len(parts) else ""
        text = f"{line}{': ' * bool(head)}{', '.join(parts[:shown])}{more}"
        if columns(text) <= width:
            return text
    return shortened(text, width, "..." if ascii_only else "…")


def _short(host: str) -> str:
    return host if len(host) <= LONGEST_HOST else f"{host[:LONGEST_HOST]}..."


def _growth(summary: Summary, width: int) -> list[str]:
    growth = summary.growth
    about = "" if summary.saturation is None else f"  last new URL at page {summary.saturation:,}"
    room = min(SPARKLINE, width - LABEL - 2 - len(about))
    line = sparkline(growth.pages, growth.distinct_urls, room)
    return [f"{'Growth':<{LABEL}}  {line}{about}"] if line else []


def _next(directory: Path, summary: Summary, end: Outcome, width: int) -> list[str]:
    """Three commands that suit this crawl, with what they show where there is room."""
    if summary.fetch_errors:
        problems = (command_line("check", directory), "broken links and other problems")
    else:
        problems = (command_line("why", directory, "URL"), "why a URL was fetched, or not")
    if end.has_text:
        contents = (command_line("search", directory, "WORDS"), "full-text search")
    else:
        contents = (command_line("graph", directory), "the link graph")
    pairs = [(command_line("report", directory), "all tables and laws (--format html)"), problems, contents]
    longest = max(len(command) for command, _ in pairs)
    starts = ("Next: ", "      ", "      ")
    full = [f"{start}{command:<{longest}}   {about}" for start, (command, about) in zip(starts, pairs, strict=True)]
    if max(map(columns, full)) <= width:
        return full
    return [f"{start}{command}" for start, (command, _) in zip(starts, pairs, strict=True)]
