"""The options of `ttcrawl delete`."""

from __future__ import annotations

import argparse
from pathlib import Path


def delete_options(delete: argparse.ArgumentParser) -> None:
    add = delete.add_argument
    add("directory", metavar="DIR", type=Path)
    for name, which in (
        ("host", "URLs of this host and of hosts below it; * stands for any characters"),
        ("path", "URLs with this path and query; * stands for any characters"),
        ("digest", "URLs with this digest of the body, as ttcrawl page prints it"),
        ("url", "this URL; * stands for any characters"),
    ):
        about = f"{which} (repeatable)"
        add(f"--{name}", dest=f"{name}s", metavar=name.upper(), action="append", default=[], help=about)
    about = "the URL with this id in table url (repeatable)"
    add("--id", dest="ids", metavar="ID", type=int, action="append", default=[], help=about)
    about = "also remove the records from the WARC files, and all bytes of deleted pages from the directory"
    add("--purge", action="store_true", help=about)
    add("--dry-run", action="store_true", help="only say what would be deleted")
    add("--yes", action="store_true", help="delete without a question")
    add("--format", default="text", choices=("text", "json"))
