"""Measures of a graph. Pure; time and memory grow linearly with nodes and links.

A link counts as often as it occurs: a reader who follows a random link of a page takes a repeated link more often.
networkx.pagerank and networkx.hits do the same with the exported graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ttcrawl.errors import installed
from ttcrawl.report.graph.matrix import Floats, Ints, LinkMatrix, Matrix, component_sizes
from ttcrawl.report.graph.network import codes_of

if TYPE_CHECKING:
    from ttcrawl.report.graph.network import Network

DAMPING = 0.85  # Brin and Page, The anatomy of a large-scale hypertextual web search engine, 1998, section 2.1.1
CHANGE = 1e-12  # summed over all nodes, in the last step of PageRank; the remaining error is below 6 times this
STEPS = 1000  # at most; DAMPING shrinks PageRank's change in each step, to CHANGE in 170 steps
FIRST_STEPS = 20  # of HITS; if some singular values are equal, ARPACK would find any of their vectors
SMALL = 100  # nodes up to which all singular vectors are computed at once
BLOCK = 500_000  # links that are looked up together: 16 MB


def adjacency(network: Network) -> Matrix:
    """Weights as float64: row source, column target. The links are already sorted."""
    data = network.weight.astype(np.float64)
    if not installed("scipy"):
        return LinkMatrix(rows=network.source, columns=network.target, data=data, nodes=network.nodes)
    from scipy.sparse import csr_array

    starts = np.concatenate([[0], np.cumsum(network.out_degree())])
    return csr_array((data, network.target, starts), shape=(network.nodes, network.nodes))


def pagerank(matrix: Matrix) -> Floats:
    """The stationary distribution of the random surfer, sum 1. A page without links leads to all pages."""
    nodes = matrix.shape[0]
    if not nodes:
        return np.empty(0)
    out = matrix.sum(axis=1)
    dangling = out == 0
    share = DAMPING / np.where(dangling, 1.0, out)
    backwards: Any = matrix.T
    rank = np.full(nodes, 1 / nodes)
    for _ in range(STEPS):
        after = backwards @ (rank * share)
        after += (1 - DAMPING + DAMPING * rank[dangling].sum()) / nodes
        change = np.abs(after - rank).sum()
        rank = after
        if change < CHANGE:
            break
    total: float = rank.sum()  # 1, except for rounding
    return np.asarray(rank / total)


def hits(matrix: Matrix) -> tuple[Floats, Floats]:
    """(hubs, authorities), each with sum 1 (Kleinberg, Authoritative sources in a hyperlinked environment, 1999).

    They are the first left and right singular vectors. Unconnected parts of a graph may share the first singular value;
    then the result is the combination nearest to equal weights for all nodes.
    """
    nodes = matrix.shape[0]
    if not matrix.nnz:
        return np.zeros(nodes), np.zeros(nodes)
    authorities, converged = _iterate(matrix, np.full(nodes, 1 / nodes), FIRST_STEPS)
    if not converged and nodes <= SMALL:
        authorities = _first_right(matrix.toarray())
    elif not converged:
        authorities = _first_right_of_large(matrix, authorities)
    authorities = np.abs(authorities)
    return _normalise(matrix @ authorities), _normalise(authorities)


def _iterate(matrix: Matrix, authorities: Floats, steps: int) -> tuple[Floats, bool]:
    """Kleinberg's own iteration, and whether it has converged."""
    backwards: Any = matrix.T
    for _ in range(steps):
        after = _normalise(backwards @ (matrix @ authorities))
        change, authorities = np.abs(after - authorities).sum(), after
        if change < CHANGE / 10:
            return authorities, True
    return authorities, False


def _first_right(matrix: Floats) -> Floats:
    _, values, vectors = np.linalg.svd(matrix)
    first = vectors[values > values[0] * (1 - 1e-12)]
    projected: Floats = first.T @ first.sum(axis=1)
    return projected


def _first_right_of_large(matrix: Matrix, start: Floats) -> Floats:
    if isinstance(matrix, LinkMatrix):
        return _iterate(matrix, start, STEPS)[0]
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, svds

    # of a matrix, svds would make a copy that leads back
    both_ways = LinearOperator(matrix.shape, matvec=matrix.__matmul__, rmatvec=matrix.T.__matmul__, dtype=np.float64)
    try:
        _, _, (vector,) = svds(both_ways, k=1, v0=start, ncv=12, tol=0, maxiter=STEPS, solver="arpack")
    except ArpackNoConvergence:  # the first two singular values are nearly equal
        return _iterate(matrix, start, STEPS)[0]
    return np.asarray(vector)


def _normalise(values: Floats) -> Floats:
    total = values.sum()
    return values / total if total else values


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Components or communities."""

    number: int
    largest: int  # nodes
    share: float  # of all nodes


def components(matrix: Matrix, connection: str) -> Components:
    """Weakly or strongly (`connection`) connected components. A node without links is a component."""
    nodes = matrix.shape[0]
    if not nodes:
        return Components(number=0, largest=0, share=0.0)
    sizes = _component_sizes(matrix, connection)
    largest = int(sizes.max())
    return Components(number=len(sizes), largest=largest, share=largest / nodes)


def _component_sizes(matrix: Matrix, connection: str) -> Ints:
    if isinstance(matrix, LinkMatrix):
        return component_sizes(matrix, connection)
    from scipy.sparse.csgraph import connected_components

    return np.bincount(connected_components(matrix, directed=True, connection=connection)[1])


def reciprocity(network: Network) -> float | None:
    """The share of links with a reverse link; None without links."""
    if not network.links:
        return None
    forth = codes_of(network.source, network.target, network.nodes)
    back = codes_of(network.target, network.source, network.nodes)
    back.sort()
    both = 0
    for start in range(0, network.links, BLOCK):
        part = back[start : start + BLOCK]
        indexes = np.searchsorted(forth, part)
        indexes[indexes == len(forth)] = 0
        both += int(np.count_nonzero(forth[indexes] == part))
    return both / network.links


def top(values: Ints | Floats, most: int) -> Ints:
    """The indexes of the largest values above 0, largest first; equal values by index."""
    order = np.argsort(-values, kind="stable")[:most]
    return order[values[order] > 0]
