"""What an import has found, in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ttcrawl.archives.run import Outcome
from ttcrawl.errors import DONE, STOPPED
from ttcrawl.output.number import counted


def lines(outcome: Outcome, directory: Path) -> Iterator[str]:
    """Yield the lines that are printed."""
    tally = outcome.tally
    yield f"{directory}: {counted(len(outcome.files), 'file')}, {counted(tally.answers, 'record')} imported"
    counts = {
        "pages": tally.pages,
        "redirects": tally.moved,
        "robots.txt": tally.robots,
        "answers that repeat the one before": tally.unchanged,
        "answers older than the one that is there (only their visits are stored)": tally.older,
        "records that were known": tally.known,
    }
    for name, count in counts.items():
        if count:
            yield f"  {count:>10,}  {name}"
    if tally.wrong:
        yield f"  {tally.wrong.total():>10,}  not imported; table import_damage has their positions:"
    for what, count in tally.wrong.most_common():
        yield f"  {count:>14,}  {what}"
    if outcome.finished != "done":
        yield f"stopped ({outcome.finished}): repeat the command to continue"


def status(outcome: Outcome) -> int:
    return DONE if outcome.finished == "done" else STOPPED
