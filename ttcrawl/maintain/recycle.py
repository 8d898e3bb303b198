"""`ttcrawl requeue --recorded`: queue the URLs whose links were only recorded ([links] new = record).

Their rows have the shortest path that a crawl has found, and their place in the queue. So nothing is read again: all of
them are queued in one transaction, and `resume` or `recrawl` requests those that scope and robots.txt allow by then.
"""

from __future__ import annotations

from pathlib import Path

from ttcrawl.errors import DONE
from ttcrawl.output.display import ReadProgress
from ttcrawl.output.json_form import json_form
from ttcrawl.output.number import counted
from ttcrawl.store.mending import mending
from ttcrawl.store.requeue import count_again
from ttcrawl.store.rows import AS_QUEUED
from ttcrawl.store.stopped import stopped
from ttcrawl.vocabulary.reason import UNTIL_RECYCLE

QUEUE = f"UPDATE url SET {AS_QUEUED} WHERE state = 'refused' AND reason = '{UNTIL_RECYCLE}'"


def recycle(directory: Path) -> int:
    """Queue the URLs, and return how many. Raises UsageError while the crawl runs."""
    with stopped(directory), mending(directory / "crawl.db") as db:
        queued: int = db.execute(QUEUE).rowcount
        if queued:
            count_again(db)
    return queued


def run(directory: Path, form: str) -> int:
    """Queue the URLs and print how many. Returns the exit status."""
    with ReadProgress() as progress:
        progress("URLs", 0, 0)
        urls = recycle(directory)
    hint = f"; ttcrawl resume {directory} requests them" if urls else ""
    print(
        json_form({"queued": urls}, indent=None)
        if form == "json"
        else f"{counted(urls, 'URL', 'is', 'are')} queued{hint}"
    )
    return DONE
