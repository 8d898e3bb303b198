"""Positions of the nodes in a picture by forces, with numpy and scipy alone.

Linked nodes attract each other like springs; all nodes repel each other by 1 / distance (Fruchterman and Reingold,
Graph drawing by force-directed placement, 1991). The repulsion of all nodes at once is a convolution on a grid (Hockney
and Eastwood, Computer simulation using particles, 1988, chapter 5), so that a step takes time linear in nodes and
links. The lengths of the steps adapt as in Hu, Efficient and high quality force-directed graph drawing, 2005. The start
is smoothed towards the first eigenvectors of the graph (Koren, Drawing graphs by eigenvectors, 2005). The same graph
gives the same positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ttcrawl.output.steps import Progress, silent

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from ttcrawl.report.graph.matrix import Floats, Ints

SEED = 1
SMOOTHING, STEPS = 30, 250
CELLS = 256  # of the grid, along each axis
FEW = 200  # nodes of which each pair is reckoned: that takes less time than the grid
GRAVITY = 0.6  # towards the centre, as a share of the mean repulsion; it keeps components together
COOLING, PATIENCE = 0.93, 5  # Hu, section 3.3
#: Repulsion relative to attraction, which sets the scale of the drawing.
REPULSION = 0.2
WEAKEST = 0.2  # pull of a link that is the only one of a page, so that a page of a hub does not drift away


def forces(nodes: int, first: Ints, second: Ints, progress: Progress = silent) -> Floats:
    """Coordinates of the nodes, shape (nodes, 2). `first` and `second` are the ends of each link, each pair once."""
    springs = _springs(nodes, first, second)
    positions = _start(springs)
    kernel = repulsion_kernel() if nodes > FEW else None
    strength = np.asarray(springs.sum(axis=1))[:, None]
    length, improved, energy = 0.1, 0, np.inf
    for step in range(STEPS):
        progress("layout", step, STEPS)
        push = pairwise_repulsion(positions) if kernel is None else repulsion(positions, kernel)
        force = REPULSION * push / max(nodes, 1) * _mean_strength(strength)
        distance = np.linalg.norm(positions, axis=1)[:, None]
        force -= GRAVITY * REPULSION * _mean_strength(strength) * positions / (1 + distance)
        force += springs @ positions - strength * positions
        size = np.linalg.norm(force, axis=1)[:, None]
        positions = positions + length * force / np.maximum(size, 1e-12) * np.minimum(1, size / np.mean(size + 1e-12))
        positions -= positions.mean(axis=0)
        before, energy = energy, float((size**2).sum())
        improved = improved + 1 if energy < before else 0
        if improved >= PATIENCE:
            improved, length = 0, length / COOLING
        elif energy >= before or step > STEPS // 2:
            length *= COOLING
    return positions


def _mean_strength(strength: Floats) -> float:
    return float(strength.mean()) or 1.0


def _springs(nodes: int, first: Ints, second: Ints) -> csr_array:
    """Symmetric: a link of two hubs, as in a menu, pulls less than the only link of a page."""
    from scipy.sparse import csr_array

    degree = np.bincount(first, minlength=nodes) + np.bincount(second, minlength=nodes)
    least, most = np.minimum(degree[first], degree[second]), np.maximum(degree[first], degree[second])
    pull = np.maximum(1 / np.sqrt(least.astype(np.float64) * most), WEAKEST / least)
    ends = np.concatenate([first, second]), np.concatenate([second, first])
    return csr_array((np.concatenate([pull, pull]), ends), shape=(nodes, nodes))


def _start(springs: csr_array) -> Floats:
    """Random positions, smoothed: each node moves repeatedly to the mean of itself and its neighbours."""
    nodes: int = springs.shape[0]
    positions = np.random.default_rng(SEED).standard_normal((nodes, 2))
    strength = np.maximum(np.asarray(springs.sum(axis=1)), 1e-12)[:, None]
    for _ in range(SMOOTHING):
        positions = (positions + (springs @ positions) / strength) / 2
        positions -= positions.mean(axis=0)
        positions /= max(float(positions.std()), 1e-12)
    # nodes with the same neighbours would stay at one point
    return positions + 0.01 * np.random.default_rng(SEED).standard_normal((nodes, 2))


def pairwise_repulsion(positions: Floats) -> Floats:
    """The sum of d / |d|^2 over all other nodes; nodes at one point do not repel each other."""
    apart = positions[:, None] - positions[None]
    square = (apart**2).sum(axis=2)
    pushes: Floats = (apart / np.where(square, square, np.inf)[:, :, None]).sum(axis=1)
    return pushes


def repulsion_kernel() -> Any:
    """The transforms of the two components of d / |d|^2, with d in cells, for a grid padded to twice its size."""
    from scipy.fft import rfft2

    offset = np.fft.fftfreq(2 * CELLS, 1 / (2 * CELLS))
    x, y = np.meshgrid(offset, offset, indexing="ij")
    square = x**2 + y**2
    square[0, 0] = np.inf  # a node does not repel itself
    return rfft2(np.stack([x / square, y / square]), axes=(1, 2))


def repulsion(positions: Floats, kernel: Any) -> Floats:
    """The sum of d / |d|^2 over all other nodes. Each node is spread over the four cells around it."""
    from scipy.fft import irfft2, rfft2

    low = positions.min(axis=0)
    cell = max(float(np.ptp(positions, axis=0).max()), 1e-9) / (CELLS - 2)
    scaled = (positions - low) / cell
    corner = np.minimum(scaled.astype(np.int64), CELLS - 2)
    share = scaled - corner
    size = 2 * CELLS
    weights = [
        ((corner[:, 0] + i) * size + corner[:, 1] + j, np.abs(1 - i - share[:, 0]) * np.abs(1 - j - share[:, 1]))
        for i in (0, 1)
        for j in (0, 1)
    ]
    mass = np.zeros(size * size)
    for index, weight in weights:
        mass += np.bincount(index, weight, minlength=size * size)
    field = irfft2(rfft2(mass.reshape(size, size)) * kernel, s=(size, size), axes=(1, 2)).reshape(2, -1)
    return np.stack([sum(weight * each[index] for index, weight in weights) for each in field], axis=1) / cell
