"""The crawls that a command line names, each with a name of its own; behind a cluster, its rings."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.cluster.plan import read_plan, ring_directory
from ttcrawl.store.mailbox import CLUSTER


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A crawl, or a cluster, which has rings instead of pages of its own."""

    name: str  # letters, digits, _ - and .
    directory: Path
    rings: tuple[str, ...] = ()  # names of the rings of a cluster
    cluster: str = ""  # the name of the cluster that a ring is of


def named(directories: Sequence[Path], taken: Collection[str] = ()) -> dict[str, Named]:
    """Name -> crawl, in the order of the command line. A directory that is no crawl stands for the crawls in it, such
    as those of `ttcrawl demo`. `taken`: names that none gets. Raises UsageError for a damaged cluster.

    >>> list(named([Path("a/news"), Path("b/news"), Path("b/what now?")]))
    ['news', 'news-2', 'what-now']
    """
    crawls: dict[str, Named] = {}
    for directory in (each for outer in directories for each in _crawls_in(outer)):
        name = _unique(directory.resolve().name, [*crawls, *taken])
        if not (directory / CLUSTER).is_file():
            crawls[name] = Named(name=name, directory=directory)
            continue
        inside = [ring_directory(directory, ring) for ring in read_plan(directory).rings]
        rings = {f"{name}-{each.name}": each for each in inside}
        crawls[name] = Named(name=name, directory=directory, rings=tuple(rings))
        crawls |= {ring: Named(name=ring, directory=each, cluster=name) for ring, each in rings.items()}
    return crawls


def _crawls_in(directory: Path) -> list[Path]:
    inside = sorted(path.parent for path in directory.glob("*/crawl.db"))
    itself = any((directory / name).exists() for name in ("crawl.db", CLUSTER))
    return [directory] if itself or not inside else inside


def _unique(text: str, others: Sequence[str]) -> str:
    name = re.sub(r"[^\w.-]+", "-", text, flags=re.ASCII).strip("-.") or "crawl"
    names = [name, *(f"{name}-{number}" for number in range(2, len(others) + 3))]
    return next(each for each in names if each not in others)
