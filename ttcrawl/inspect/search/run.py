"""`ttcrawl search`: the best pages, and how they are printed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from ttcrawl.errors import DONE, FAILED, CrawlFailedError, UsageError, plain
from ttcrawl.inspect.search.correction import corrections
from ttcrawl.inspect.search.hits import Hit, hits
from ttcrawl.inspect.search.index import Index
from ttcrawl.inspect.search.query import parse
from ttcrawl.inspect.search.snippet import snippet
from ttcrawl.output import terminal
from ttcrawl.output.display import ReadProgress, tell
from ttcrawl.output.json_form import json_form
from ttcrawl.output.steps import Progress, silent
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.snapshot import view
from ttcrawl.snapshot.unread import unread, unread_line
from ttcrawl.store.database import StoreError
from ttcrawl.store.search_db import NAME

_REMEDY = "free the disk, copy the crawl to a place where you can write, or delete the file"

BOLD, NORMAL = "\x1b[1m", "\x1b[0m"


RANKS = ("bm25", "pagerank")


def search(directory: Path, text: str, form: str, most: int, *, rank: str, rebuild: bool) -> int:
    """Print the best pages. Returns the exit status: 1 if no page matches. Raises what `best_pages` raises."""
    with ReadProgress() as progress:
        pages = best_pages(directory, text, most, rank=rank, rebuild=rebuild, progress=progress)
        for word, near in unknown_words(directory, text):
            hint = f"; did you mean {near}?" if near else ""
            tell(f"no page has {escape_untrusted(word)}{hint}")
    with view(directory) as crawl:
        if count := unread(crawl):
            tell(f"{unread_line(count, shlex.quote(str(directory)))}; until then only their titles are searched")
    return show(pages, form)


def show(pages: Sequence[Hit], form: str) -> int:
    """Print pages. Returns the exit status: 1 if there are none."""
    if form == "json":
        print(json_form([_as_json(hit) for hit in pages]))
    else:
        bold = terminal.takes_escapes(sys.stdout)
        text = "\n\n".join(_lines(hit, bold=bold) for hit in pages)
        terminal.show(text or "no page matches")
    return DONE if pages else FAILED


def best_pages(
    directory: Path, text: str, most: int, *, rank: str = "bm25", rebuild: bool = False, progress: Progress = silent
) -> list[Hit]:
    """Bring the index up to date, and return the best pages. Raises UsageError, NotACrawl, CrawlFailedError."""
    query = parse(text)
    if most < 1:
        raise UsageError(f"limit {most} is not a number of pages: write 1 or more")
    if rank not in RANKS:
        raise UsageError(f"rank {rank!r} is not one of {', '.join(RANKS)}")
    with view(directory) as crawl:
        try:
            with closing(Index(directory)) as index:
                if rebuild:
                    index.rebuild()
                index.update(crawl, progress)
                if rank == "pagerank":
                    from ttcrawl.inspect.search.rank import update_ranks  # imports numpy

                    update_ranks(index.db, crawl, progress)
                return hits(index.db, crawl, query, most, pagerank=rank == "pagerank")
        except (StoreError, OSError) as error:
            raise CrawlFailedError(f"{directory / NAME}: {plain(error)}; {_REMEDY}") from None


def unknown_words(directory: Path, text: str) -> list[tuple[str, str]]:
    """(word of a query that no page of the index has, a word like it that pages have or "")."""
    with closing(Index(directory)) as index:
        return corrections(index.db, parse(text))


def _as_json(hit: Hit) -> dict[str, object]:
    values = asdict(hit)
    del values["words"]
    return values | {"text": hit.snippet(), "score": round(hit.score, 6)}


def _lines(hit: Hit, *, bold: bool) -> str:
    text = escape_untrusted(" ".join(hit.text.split()))
    shown = snippet(text, hit.words, lambda word: f"{BOLD}{word}{NORMAL}" if bold else word)
    facts = [each for each in (hit.date, hit.language, hit.type) if each]
    copies = f", {hit.duplicates:,} similar {'page' if hit.duplicates == 1 else 'pages'}" if hit.duplicates else ""
    lines = [
        escape_untrusted(hit.title.strip() or hit.url),
        f"  {escape_untrusted(hit.url)}",
        f"  {escape_untrusted(', '.join(facts))}{copies}",
        *([f"  {shown}"] if shown else []),
    ]
    return "\n".join(lines)
