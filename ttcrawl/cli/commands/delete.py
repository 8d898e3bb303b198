"""`ttcrawl delete`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import between, condition, crawl_directory, group, output_form
from ttcrawl.errors import DONE, UsageError
from ttcrawl.output.shell import command_line

if TYPE_CHECKING:
    from ttcrawl.maintain.delete.deleted_rows import Counts
    from ttcrawl.maintain.delete.deletion import Deleted

SUMMARY = "delete what was stored of URLs"
IN_HELP = ("Change", 2)
EXAMPLES = (
    ("how much is stored of a host", "delete crawl-example.org --host private.example.org --dry-run"),
    ("delete it, from the archive too", "delete crawl-example.org --host private.example.org --purge --yes"),
)


def options(delete: argparse.ArgumentParser) -> None:
    crawl_directory(delete)
    which = group(delete, "which URLs")
    condition(which, "host", "URLs of this host and of hosts below it; * stands for any characters")
    condition(which, "path", "URLs with this path and query; * stands for any characters")
    condition(which, "digest", "URLs with this digest of the body, as ttcrawl page prints it")
    condition(which, "url", "this URL; * stands for any characters")
    condition(which, "id", "the URL with this id in table url", type=between(1, (1 << 63) - 1))
    add = group(delete, "what is done").add_argument
    about = "also remove the records from the WARC files, and all bytes of deleted pages from the directory"
    add("--purge", action="store_true", help=about)
    add("--dry-run", action="store_true", help="only say what would be deleted")
    add("--yes", action="store_true", help="delete without a question")
    output_form(delete, "json")


def run(args: argparse.Namespace) -> int:
    """Say what is selected, ask on a terminal, delete."""
    from dataclasses import asdict, replace

    from ttcrawl.cluster.maintain import delete_in_one, delete_in_rings, is_unfinished_in_rings, preview_in_rings
    from ttcrawl.cluster.stopped_rings import complete_in_rings
    from ttcrawl.maintain.delete.deletion import is_unfinished, preview
    from ttcrawl.maintain.delete.selection import Which
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.output.json_form import json_form
    from ttcrawl.snapshot.named_url import complete
    from ttcrawl.store.mailbox import is_cluster

    cluster = is_cluster(args.directory)
    if cluster and args.ids:
        raise UsageError("--id is a row in the directory of one ring: name that directory")
    which = Which(hosts=args.hosts, paths=args.paths, digests=args.digests, ids=args.ids, urls=args.urls)
    which = replace(which, urls=(complete_in_rings if cluster else complete)(args.directory, args.urls))
    if not which and not args.purge and not (is_unfinished_in_rings if cluster else is_unfinished)(args.directory):
        raise UsageError("name what to delete: --host, --path, --digest, --id or --url")
    with ReadProgress() as progress:
        progress("URLs", 0, 0)
        counts = (preview_in_rings if cluster else preview)(args.directory, which)
    if args.format == "text":
        print("\n".join(_selected(counts)) if which else "Completes what earlier deletions left over")
    if args.dry_run:
        if args.format == "json":
            print(json_form({"selected": asdict(counts)}))
        return DONE
    if which and counts.urls and not args.yes:
        _confirm(args.directory)
    with ReadProgress() as progress:
        deleted = (delete_in_rings if cluster else delete_in_one)(args.directory, which, progress, purge_too=args.purge)
    print(_as_json(deleted) if args.format == "json" else _result(args.directory, deleted, purge=args.purge))
    return DONE


def _confirm(directory: Path) -> None:
    """Raises UsageError unless the user agrees."""
    if not sys.stdin.isatty():
        raise UsageError("nothing was deleted: add --yes to delete without a question, or --dry-run to see the numbers")
    print(f"Delete them from {directory}? This cannot be undone. [y/N] ", end="", flush=True, file=sys.stderr)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("nothing was deleted")


def _selected(counts: Counts) -> list[str]:
    from ttcrawl.output.number import counted

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
    from ttcrawl.output.number import counted

    lines = [f"{counted(deleted.counts.urls, 'URL', 'is', 'are')} deleted"] if deleted.counts.urls or not purge else []
    if deleted.purged or purge:
        lines.append(f"{counted(deleted.purged, 'record', 'is', 'are')} removed from the WARC files")
    if deleted.remaining:
        verb, them = ("is", "it") if deleted.remaining == 1 else ("are", "them")
        lines.append(
            f"{counted(deleted.remaining, 'record')} of deleted pages {verb} still in warc/:"
            f" {command_line('delete', directory, '--purge')} removes {them}"
        )
    if deleted.imported:
        verb = "is" if deleted.imported == 1 else "are"
        lines.append(
            f"{counted(deleted.imported, 'record')} of deleted pages {verb} in imported files, which stay as they are:"
            " see table imported"
        )
    return "\n".join(lines)


def _as_json(deleted: Deleted) -> str:
    from dataclasses import asdict

    from ttcrawl.output.json_form import json_form

    numbers = {"purged": deleted.purged, "remaining": deleted.remaining, "imported": deleted.imported}
    return json_form({"deleted": asdict(deleted.counts), **numbers})
