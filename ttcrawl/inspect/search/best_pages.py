"""The best pages for a query, from the index of a crawl."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ttcrawl.errors import CrawlFailedError, UsageError, plain, require
from ttcrawl.inspect.search.correction import corrections
from ttcrawl.inspect.search.hits import Hit, hits
from ttcrawl.inspect.search.index import Index
from ttcrawl.inspect.search.query import parse
from ttcrawl.output.steps import Progress, silent
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.store.database import StoreError
from ttcrawl.store.search_db import NAME

_REMEDY = "free the disk, copy the crawl to a place where you can write, or delete the file"

RANKS = ("bm25", "pagerank")


def best_pages(
    directory: Path, text: str, most: int, *, rank: str = "bm25", rebuild: bool = False, progress: Progress = silent
) -> list[Hit]:
    """Bring the index up to date, and return the best pages. Raises UsageError, NotACrawl, CrawlFailedError."""
    query = parse(text)
    if most < 1:
        raise UsageError(f"limit {most} is not a number of pages: write 1 or more")
    if rank not in RANKS:
        raise UsageError(f"rank {rank!r} is not one of {', '.join(RANKS)}")
    if rank == "pagerank":
        require("numpy")
    with _updated(directory, rebuild=rebuild, progress=progress) as (index, crawl):
        if rank == "pagerank":
            from ttcrawl.inspect.search.rank import update_ranks  # imports numpy

            update_ranks(index.db, crawl, progress)
        return hits(index.db, crawl, query, most, pagerank=rank == "pagerank")


def update_index(directory: Path, progress: Progress = silent) -> None:
    """Bring the index up to date, or make it. Raises NotACrawl, CrawlFailedError."""
    with _updated(directory, rebuild=False, progress=progress):
        pass


@contextmanager
def _updated(directory: Path, *, rebuild: bool, progress: Progress) -> Iterator[tuple[Index, View]]:
    with view(directory) as crawl:
        try:
            with closing(Index(directory)) as index:
                if rebuild:
                    index.rebuild()
                index.update(crawl, progress)
                yield index, crawl
        except (StoreError, OSError) as error:
            raise CrawlFailedError(f"{directory / NAME}: {plain(error)}; {_REMEDY}") from None


def unknown_words(directory: Path, text: str) -> list[tuple[str, str]]:
    """(word of a query that no page of the index has, a word like it that pages have or "")."""
    with closing(Index(directory)) as index:
        return corrections(index.db, parse(text))
