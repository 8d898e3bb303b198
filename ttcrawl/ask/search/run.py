"""`ttcrawl search`: what is printed."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from ttcrawl.ask.search.hits import Hit, hits
from ttcrawl.ask.search.index import Index
from ttcrawl.ask.search.query import Query, parse
from ttcrawl.ask.search.snippet import snippet
from ttcrawl.ask.view.view import view
from ttcrawl.engine.progress import ReadProgress
from ttcrawl.errors import DONE, FAILED, CrawlFailedError
from ttcrawl.store.database import StoreError
from ttcrawl.store.search_db import NAME
from ttcrawl.web.untrusted import escape_untrusted

BOLD, NORMAL = "\x1b[1m", "\x1b[0m"


def search(directory: Path, text: str, form: str, most: int, *, rebuild: bool) -> int:
    """Print the best pages. Returns the exit status: 1 if no page matches. Raises UsageError, NotACrawl."""
    query = parse(text)
    with view(directory) as crawl, ReadProgress() as progress:
        try:
            with closing(Index(directory)) as index:
                if rebuild:
                    index.rebuild()
                index.update(crawl, progress)
                pages = hits(index.db, crawl, query, most)
        except StoreError as error:
            raise CrawlFailedError(f"{directory / NAME}: {error}; delete the file, or free the disk") from None
    return show(pages, query, form)


def show(pages: Sequence[Hit], query: Query, form: str) -> int:
    """Print pages. Returns the exit status: 1 if there are none."""
    if form == "json":
        print(json.dumps([_as_json(hit, query) for hit in pages], indent=2))
    else:
        bold = sys.stdout.isatty()
        print("\n\n".join(_lines(hit, query, bold=bold) for hit in pages) or "no page matches")
    return DONE if pages else FAILED


def _as_json(hit: Hit, query: Query) -> dict[str, object]:
    values = asdict(hit)
    return values | {"text": snippet(hit.text, query.words, str), "score": round(hit.score, 6)}


def _lines(hit: Hit, query: Query, *, bold: bool) -> str:
    plain = escape_untrusted(" ".join(hit.text.split()))
    shown = snippet(plain, query.words, lambda word: f"{BOLD}{word}{NORMAL}" if bold else word)
    facts = [each for each in (hit.date, hit.language, hit.type) if each]
    copies = f", {hit.duplicates:,} similar {'page' if hit.duplicates == 1 else 'pages'}" if hit.duplicates else ""
    lines = [
        escape_untrusted(hit.title.strip() or hit.url),
        f"  {escape_untrusted(hit.url)}",
        f"  {escape_untrusted(', '.join(facts))}{copies}",
        *([f"  {shown}"] if shown else []),
    ]
    return "\n".join(lines)
