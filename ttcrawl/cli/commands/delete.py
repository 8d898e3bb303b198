"""`ttcrawl delete`: what is printed and asked."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path

from ttcrawl.errors import DONE, UsageError
from ttcrawl.maintain.delete.deletion import Deleted, delete, is_unfinished, preview
from ttcrawl.maintain.delete.rows import Counts
from ttcrawl.maintain.delete.selection import Which
from ttcrawl.output.display import ReadProgress
from ttcrawl.output.json_form import json_form
from ttcrawl.output.number import counted
from ttcrawl.snapshot.named_url import complete
from ttcrawl.snapshot.snapshot import view

NAME = "name what to delete: --host, --path, --digest, --id or --url"


def run(directory: Path, which: Which, form: str, *, purge: bool, dry_run: bool, yes: bool) -> int:
    """Print what is selected, ask on a terminal, delete. Returns the exit status. Raises UsageError, NotACrawl."""
    which = replace(which, urls=complete(directory, which.urls))
    if not which and not purge:
        with view(directory) as db:
            if not is_unfinished(db):
                raise UsageError(NAME)
    with ReadProgress() as progress:
        progress("URLs", 0, 0)
        counts = preview(directory, which)
    if form == "text":
        print("\n".join(_selected(counts)) if which else "Completes what earlier deletions left over")
    if dry_run:
        if form == "json":
            print(json_form({"selected": asdict(counts)}))
        return DONE
    if which and counts.urls and not yes:
        _confirm(directory)
    with ReadProgress() as progress:
        deleted = delete(directory, which, progress, purge_too=purge)
    print(_as_json(deleted) if form == "json" else _result(directory, deleted, purge=purge))
    return DONE


def _confirm(directory: Path) -> None:
    """Raises UsageError unless the user agrees."""
    if not sys.stdin.isatty():
        raise UsageError("nothing was deleted: add --yes to delete without a question, or --dry-run to see the numbers")
    print(f"Delete them from {directory}? This cannot be undone. [y/N] ", end="", flush=True, file=sys.stderr)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("nothing was deleted")


def _selected(counts: Counts) -> list[str]:
    lines = [
        f"{counts.urls:>9,}  {'URL' if counts.urls == 1 else 'URLs'}: {counted(counts.pages, 'page')},"
        f" {counts.queued:,} queued, {counts.urls - counts.pages - counts.queued:,} redirects and others",
        f"{counts.records:>9,}  {'record' if counts.records == 1 else 'records'} in WARC files",
    ]
    if counts.same:
        others = "other page with the same content is" if counts.same == 1 else "other pages with the same content are"
        lines.append(f"{counts.same:>9,}  {others} not selected: see ttcrawl duplicates")
    return lines


def _result(directory: Path, deleted: Deleted, *, purge: bool) -> str:
    lines = [f"{counted(deleted.counts.urls, 'URL', 'is', 'are')} deleted"] if deleted.counts.urls or not purge else []
    if deleted.purged or purge:
        lines.append(f"{counted(deleted.purged, 'record', 'is', 'are')} removed from the WARC files")
    if deleted.remaining:
        verb, them = ("is", "it") if deleted.remaining == 1 else ("are", "them")
        lines.append(
            f"{counted(deleted.remaining, 'record')} of deleted pages {verb} still in warc/:"
            f" ttcrawl delete {directory} --purge removes {them}"
        )
    return "\n".join(lines)


def _as_json(deleted: Deleted) -> str:
    return json_form({"deleted": asdict(deleted.counts), "purged": deleted.purged, "remaining": deleted.remaining})
