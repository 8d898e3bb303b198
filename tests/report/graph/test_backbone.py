"""The strongest links of every node, against a plain sort of each node's links."""

import numpy as np
import pytest

from ttcrawl.report.graph.backbone import backbone


def plain(pairs, nodes, most):
    if len(pairs) <= most:
        return pairs
    degree = np.bincount(np.array(pairs).ravel(), minlength=nodes)
    ranks = [len(pairs)] * len(pairs)
    for end in (0, 1):
        for node in range(nodes):
            links = [index for index, pair in enumerate(pairs) if pair[end] == node]
            links.sort(key=lambda index: (degree[pairs[index][1 - end]], index))
            for rank, index in enumerate(links):
                ranks[index] = min(ranks[index], rank)
    per_node = max((n for n in range(len(pairs)) if sum(rank < n for rank in ranks) <= most), default=0)
    return [pair for pair, rank in zip(pairs, ranks, strict=True) if rank < max(per_node, 1)]


@pytest.mark.parametrize("most", [0, 1, 30, 60, 1000])
@pytest.mark.parametrize("seed", [1, 2])
def test_as_a_plain_sort(seed, most):
    rng = np.random.default_rng(seed)
    ends = (rng.random((2, 200)) ** 2 * 25).astype(np.int32)  # the first nodes get most of the links
    pairs = sorted({(one, other) for one, other in ends.T.tolist() if one != other})
    source, target = np.array(pairs, dtype=np.int32).T
    strong = backbone(source, target, 25, most)
    found = [pair for pair, marked in zip(pairs, strong.tolist(), strict=True) if marked]
    assert found == plain(pairs, 25, most)
    assert {node for pair in found for node in pair} == {node for pair in pairs for node in pair}


def test_without_links():
    none = np.empty(0, dtype=np.int32)
    assert len(backbone(none, none, 3, 0)) == 0
