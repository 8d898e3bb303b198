"""What an import has found, in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ttcrawl.archives.run import Outcome
from ttcrawl.errors import DONE, STOPPED
from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line


def lines(outcome: Outcome, directory: Path) -> Iterator[str]:
    """Yield the lines that are printed."""
    tally = outcome.tally
    yield f"{directory}: {counted(len(outcome.files), 'file')}, {counted(tally.answers, 'record')} imported"
    counts = {
        "pages": tally.pages,
        "redirects": tally.moved,
        "robots.txt": tally.robots,
        "answers that repeat the one before": tally.unchanged,
        "answers older than the latest one of their URL": tally.older,
        "records that were known": tally.known,
        "records about no page (dns, urn and other schemes)": tally.other_schemes,
        "answers to other requests than GET, which are not pages": tally.other_methods,
    }
    width = max(len(f"{count:,}") for count in counts.values())
    for name, count in counts.items():
        if count:
            yield f"  {count:>{width},}  {name}"
    if tally.wrong:
        yield f"  {tally.wrong.total():>{width},}  not imported; table import_damage has their positions:"
    for what, count in tally.wrong.most_common():
        yield f"    {count:>{width},}  {what}"
    if outcome.finished != "done":
        yield f"stopped ({outcome.finished}): repeat the command to continue"
    elif tally.answers:
        resume = command_line("resume", directory)
        yield f"Next: {command_line('report', directory)}; {resume} requests what the archives do not have"


def status(outcome: Outcome) -> int:
    return DONE if outcome.finished == "done" else STOPPED
