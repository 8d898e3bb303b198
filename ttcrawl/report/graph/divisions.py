"""The division of a graph into communities, kept for the next map: it takes most of the time of a large one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import numpy as np

from ttcrawl.report.cache import NAME, Cache, program, state
from ttcrawl.report.graph.communities import communities
from ttcrawl.report.graph.matrix import Ints
from ttcrawl.report.graph.network import Network
from ttcrawl.snapshot.snapshot import view

#: The community of each node of a graph, or of the part of it at a path of communities.
Divide: TypeAlias = Callable[[Network, Sequence[int]], Ints]


def divided(network: Network, path: Sequence[int]) -> Ints:
    """The communities, computed each time."""
    return communities(network)


@contextmanager
def kept_divisions(directory: Path, graph: str) -> Iterator[Divide]:
    """Divide parts of a graph of a crawl, and keep it as long as the crawl is the same. `graph`: which one it is."""
    with view(directory) as db:
        cache = Cache(directory / NAME, state(db, program()))

    def divide(network: Network, path: Sequence[int]) -> Ints:
        name = f"communities of {graph}: {'.'.join(map(str, path))}"
        packed = cache.get(name, bytes, lambda: communities(network).astype("<i4").tobytes())
        return np.frombuffer(packed, "<i4").astype(np.int64)

    try:
        yield divide
    finally:
        cache.save()
