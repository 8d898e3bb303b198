"""The crawls that a window shows, and what an address says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from starlette.requests import Request

from ttcrawl.cluster.named import Named, named
from ttcrawl.errors import UsageError
from ttcrawl.snapshot.limited import limited_view
from ttcrawl.snapshot.snapshot import View

#: Seconds that the queries of a page may take.
SECONDS = 2.0

#: First segments of addresses that are no crawls.
TAKEN = ("static",)


class UnknownCrawl(KeyError):
    """No crawl of the window has the name in an address."""


def viewed(directories: Sequence[Path]) -> dict[str, Named]:
    """Name -> crawl. Raises UsageError for a damaged cluster."""
    return named(directories, TAKEN)


def crawl_of(request: Request) -> Named:
    """The crawl that the address names. Raises UnknownCrawl."""
    return crawl_named(request, request.path_params["crawl"])


def crawl_named(request: Request, name: str) -> Named:
    """Raises UnknownCrawl."""
    crawls: Mapping[str, Named] = request.app.state.crawls
    if name not in crawls:
        raise UnknownCrawl(name)
    return crawls[name]


def reading(crawl: Named, seconds: float = SECONDS) -> AbstractContextManager[View]:
    """A snapshot of a crawl. Raises NotACrawl, CrawlFailedError, and TooSlow after so many seconds."""
    return limited_view(crawl.directory, seconds)


def number(request: Request, name: str) -> int:
    """A number in the address; 0 if there is none. Raises UsageError."""
    text = request.query_params.get(name, "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 18):
        raise UsageError(f"{name}={text}: write a number")
    return int(text or 0)
