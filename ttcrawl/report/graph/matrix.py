"""The links of a graph as a sparse matrix of numpy alone, where scipy is not installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

Ints: TypeAlias = "NDArray[np.integer[Any]]"
Floats: TypeAlias = "NDArray[np.float64]"
Matrix: TypeAlias = "csr_array | LinkMatrix"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkMatrix:
    """The operations of scipy's sparse arrays that the measures of a graph use; several times slower."""

    rows: Ints
    columns: Ints
    data: Floats
    nodes: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.nodes, self.nodes

    @property
    def nnz(self) -> int:
        return len(self.data)

    @property
    def T(self) -> LinkMatrix:
        return LinkMatrix(rows=self.columns, columns=self.rows, data=self.data, nodes=self.nodes)

    def __matmul__(self, vector: Floats) -> Floats:
        return _sums(self.rows, self.data * vector[self.columns], self.nodes)

    def sum(self, axis: int) -> Floats:
        """The sums of the rows (axis 1) or of the columns (axis 0)."""
        return _sums(self.rows if axis else self.columns, self.data, self.nodes)

    def toarray(self) -> Floats:
        dense = np.zeros(self.shape)
        dense[self.rows, self.columns] = self.data
        return dense


def _sums(indexes: Ints, data: Floats, nodes: int) -> Floats:
    return np.bincount(indexes, data, minlength=nodes).astype(np.float64, copy=False)  # of no data: integers


def component_sizes(matrix: LinkMatrix, connection: str) -> Ints:
    """The numbers of nodes of the weakly or strongly (`connection`) connected components."""
    rows, columns = matrix.rows, matrix.columns
    if connection == "weak":  # strongly connected once every link leads back
        rows, columns = np.concatenate([rows, columns]), np.concatenate([columns, rows])
    order = np.argsort(rows, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=matrix.nodes))])
    return np.array(_strong_components(starts.tolist(), columns[order].tolist()), dtype=np.int64)


def _strong_components(starts: list[int], targets: list[int]) -> list[int]:
    """R. Tarjan, Depth-first search and linear graph algorithms, 1972, without recursion: paths may be long.

    `targets[starts[n] : starts[n + 1]]` are the nodes that node n links to. Returns the size of each component.
    """
    nodes = len(starts) - 1
    order, low, complete = [0] * nodes, [0] * nodes, [False] * nodes
    following = starts[:-1]  # the next link of each node
    sizes: list[int] = []
    open_nodes: list[int] = []
    count = 0
    for root in range(nodes):
        path = [] if order[root] else [root]
        while path:
            node = path[-1]
            if not order[node]:
                count += 1
                order[node] = low[node] = count
                open_nodes.append(node)
            if following[node] < starts[node + 1]:
                target = targets[following[node]]
                following[node] += 1
                if not order[target]:
                    path.append(target)
                elif not complete[target]:
                    low[node] = min(low[node], order[target])
                continue
            path.pop()
            if path:
                low[path[-1]] = min(low[path[-1]], low[node])
            if low[node] == order[node]:
                before = len(open_nodes)
                while not complete[node]:
                    complete[open_nodes.pop()] = True
                sizes.append(before - len(open_nodes))
    return sizes
