"""The graph of the sites of a graph."""

from __future__ import annotations

import numpy as np

from ttcrawl.report.graph.network import Network


def sites(network: Network) -> Network:
    """One node for each host of a node. Weights of links are summed; `own` counts the links inside the host.

    Its ids are the indexes of the hosts in `network.hosts`.
    """
    hosts = len(network.hosts)
    indexes = np.arange(hosts, dtype=np.int32)
    pairs = network.host[network.source].astype(np.int64) * hosts + network.host[network.target]
    order = np.argsort(pairs, kind="stable")
    different, starts = np.unique(pairs[order], return_index=True)
    weight = np.add.reduceat(network.weight[order], starts) if len(starts) else network.weight
    source, target = np.divmod(different, max(hosts, 1))
    loops = source == target
    own = np.bincount(network.host, network.own, minlength=hosts).astype(np.int64)
    np.add.at(own, source[loops], weight[loops])
    reached = network.depth >= 0
    depth = np.full(hosts, np.iinfo(np.int32).max, dtype=np.int32)
    np.minimum.at(depth, network.host[reached], network.depth[reached])
    depth[depth == np.iinfo(np.int32).max] = -1
    return Network(
        ids=indexes,
        labels=network.hosts,
        titles=[""] * hosts,
        host=indexes,
        depth=depth,
        pages=np.bincount(network.host, network.pages, minlength=hosts).astype(np.int64),
        hosts=network.hosts,
        source=source[~loops].astype(np.int32),
        target=target[~loops].astype(np.int32),
        weight=weight[~loops],
        own=own,
        elsewhere=network.elsewhere,
        name="sites",
    )
