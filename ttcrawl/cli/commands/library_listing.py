"""`ttcrawl duplicates`: identical and similar pages, as text and as JSON."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from ttcrawl.errors import DONE, FAILED
from ttcrawl.library.crawl import Crawl
from ttcrawl.output import terminal
from ttcrawl.output.display import ReadProgress
from ttcrawl.output.json_form import json_form
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.ring.record import BYTES, NEAR, TEXT
from ttcrawl.snapshot.duplicate_groups import DuplicateGroup
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.rows import Duplicate

#: Printed for a crawl that runs or was killed.
PROVISIONAL = "ttcrawl: marks may still change until a run ends (pages that came out of order: {:,})"

BY = {BYTES: "by bytes", TEXT: "by text", NEAR: "nearly"}


def duplicates(directory: Path, url: str, form: str, limit: int) -> int:
    """Print the group of a URL, or for "" the `limit` largest (0: all). Returns the exit status: 1 without a group."""
    most = limit or None
    with Crawl(directory) as crawl:
        try:
            if unsettled := crawl.unsettled():
                print(PROVISIONAL.format(unsettled), file=sys.stderr)
            with ReadProgress() as progress:
                progress("duplicates", 0, 0)
                groups = [crawl.group(url)] if url else list(islice(crawl.groups(), most))
        except NotThere as error:
            print(f"ttcrawl: {escape_untrusted(str(error.args[0]))}", file=sys.stderr)
            return FAILED
    if form == "json":
        print(json_form([asdict(each) for each in groups]))
    else:
        lines = "\n\n".join("\n".join(text(each, None if url else most)) for each in groups)
        terminal.show(lines or "no page is a duplicate")
    return DONE


def text(group: DuplicateGroup, most: int | None = None) -> Iterator[str]:
    """Lines of a group, with at most `most` copies."""
    counts = Counter(each.same for each in group.copies)
    summary = ", ".join(f"{counts[mark]:,} {words}" for mark, words in BY.items() if counts[mark])
    noun = "duplicate" if len(group.copies) == 1 else "duplicates"
    yield escape_untrusted(group.original)
    yield f"  {len(group.copies):,} {noun}: {summary}"
    yield from _lines(group, group.copies[:most])
    if most is not None and len(group.copies) > most:
        yield f"  and {len(group.copies) - most:,} more"


def _lines(group: DuplicateGroup, copies: Sequence[Duplicate]) -> Iterator[str]:
    for each in copies:
        label = f"{each.same:5}  {'' if each.same != NEAR else f'{each.similarity:.4f}':6}"
        other = f"  (of {each.original})" if each.original != group.original else ""
        yield escape_untrusted(f"  {label}  {each.url}{other}")
