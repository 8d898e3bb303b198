"""Nodes of a graph in groups: by directory, and what the states of their pages are together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ttcrawl.output.steps import Progress
from ttcrawl.report.directories import directory_of
from ttcrawl.report.graph.matrix import Ints
from ttcrawl.report.graph.network import Network, grouped, numbered
from ttcrawl.report.graph.read import networks
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.vocabulary.state import FETCHED

ERROR = "error"  # the state of a page with a status of 400 or more, and of a group with such a page

_STATE_OF_URLS = f"""
    SELECT url.id, CASE WHEN page.status >= 400 THEN '{ERROR}' ELSE url.state END
    FROM url LEFT JOIN page ON page.url = url.id"""


def _states(db: View, network: Network) -> list[str]:
    """The state of each node of a graph of pages or URLs."""
    of_url = dict.fromkeys(network.ids.tolist(), FETCHED)
    for url, state in db.execute(_STATE_OF_URLS):
        if url in of_url:
            of_url[url] = state
    return list(of_url.values())


def states_of_groups(states: Sequence[str], group: Ints, groups: int) -> list[str]:
    """The state of each group: an error if one of its nodes has one, else that of most nodes."""
    names, number = np.unique([ERROR, *states], return_inverse=True)
    counts = np.zeros((groups, len(names)), dtype=np.int64)
    np.add.at(counts, (group, number[1:]), 1)
    state = counts.argmax(axis=1)
    state[counts[:, number[0]] > 0] = number[0]
    return [str(names[each]) for each in state.tolist()]


def by_directory(network: Network) -> Network:
    """One node for each directory, at most DEEPEST (ttcrawl.report.directories) deep."""
    return grouped(network, *_directories(network), "directories")


def network_by(
    directory: Path, by: str, links: str, progress: Progress, *, everything: bool
) -> tuple[Network, list[str]]:
    """The graph of a crawl, with the state of each node. `by`: sites, directories or "" (pages, or all URLs).

    `links`: of ttcrawl.vocabulary.region.LINK_CHOICES. Raises NotACrawl.
    """
    progress("link graph", 0, 0)
    with view(directory) as db:
        network = networks(db, everything=everything).of(links)
        states = _states(db, network)
    if not by:
        return network, states
    group, labels = _directories(network) if by == "directories" else (network.host, network.hosts)
    return grouped(network, group, labels, by), states_of_groups(states, group, len(labels))


def _directories(network: Network) -> tuple[Ints, list[str]]:
    """The index of each node's directory, and the directories."""
    return numbered([directory_of(url) for url in network.labels])
