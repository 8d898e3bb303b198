"""The crawls that a window shows: each has a name in addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request

from ttcrawl.cluster.plan import read_plan, ring_directory
from ttcrawl.snapshot.limited import limited_view
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.mailbox import CLUSTER

#: Seconds that the queries of a page may take.
SECONDS = 2.0

#: First segments of addresses that are no crawls.
TAKEN = ("static",)


class UnknownCrawl(KeyError):
    """No crawl of the window has the name in an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewed:
    """A crawl of the window, or a cluster, which has rings instead of pages of its own."""

    name: str  # in addresses
    directory: Path
    rings: tuple[str, ...] = ()  # names of the rings of a cluster
    cluster: str = ""  # the name of the cluster that a ring is of

    def reading(self, seconds: float = SECONDS) -> AbstractContextManager[View]:
        """A snapshot of the crawl. Raises NotACrawl, CrawlFailedError, and TooSlow after so many seconds."""
        return limited_view(self.directory, seconds)


def viewed(directories: Sequence[Path]) -> dict[str, Viewed]:
    """Name -> crawl, in the order of the command line; behind a cluster, its rings. A directory that is
    no crawl stands for the crawls in it. Raises UsageError for a damaged
    cluster.

    >>> list(viewed([Path("a/news"), Path("b/news"), Path("b/what now?")]))
    ['news', 'news-2', 'what-now']
    """
    crawls: dict[str, Viewed] = {}
    for directory in (each for outer in directories for each in _crawls_in(outer)):
        name = _unique(directory.resolve().name, crawls)
        if not (directory / CLUSTER).is_file():
            crawls[name] = Viewed(name=name, directory=directory)
            continue
        inside = [ring_directory(directory, ring) for ring in read_plan(directory).rings]
        rings = {f"{name}-{each.name}": each for each in inside}
        crawls[name] = Viewed(name=name, directory=directory, rings=tuple(rings))
        crawls |= {ring: Viewed(name=ring, directory=each, cluster=name) for ring, each in rings.items()}
    return crawls


def _crawls_in(directory: Path) -> list[Path]:
    """The directory itself, or the crawls in it, such as those of `ttcrawl demo`."""
    inside = sorted(path.parent for path in directory.glob("*/crawl.db"))
    itself = any((directory / name).exists() for name in ("crawl.db", CLUSTER))
    return [directory] if itself or not inside else inside


def _unique(text: str, others: dict[str, Viewed]) -> str:
    name = re.sub(r"[^\w.-]+", "-", text, flags=re.ASCII).strip("-.") or "crawl"
    names = [name, *(f"{name}-{number}" for number in range(2, len(others) + 3))]
    return next(each for each in names if each not in others and each not in TAKEN)


def crawl_of(request: Request) -> Viewed:
    """The crawl that the address names. Raises UnknownCrawl."""
    name = request.path_params["crawl"]
    crawls: dict[str, Viewed] = request.app.state.crawls
    if name not in crawls:
        raise UnknownCrawl(name)
    return crawls[name]
