"""The layout by forces: its repulsion against the exact sum, its time, and its progress."""

import time

import numpy as np
import pytest

from ttcrawl.report.graph.forces import CELLS, STEPS, forces, repulsion, repulsion_kernel


def test_the_repulsion_is_the_sum_over_all_nodes():
    positions = np.random.default_rng(1).random((400, 2)) * 10
    offset = positions[:, None] - positions[None]
    square = (offset**2).sum(axis=2)
    np.fill_diagonal(square, np.inf)
    exact = (offset / square[:, :, None]).sum(axis=1)
    error = np.linalg.norm(repulsion(positions, repulsion_kernel()) - exact, axis=1)
    assert np.median(error / np.linalg.norm(exact, axis=1)) < 0.02


def test_two_nodes_push_each_other_apart():
    positions = np.array([[0.0, 0.0], [3.0, 4.0]])
    force = repulsion(positions, repulsion_kernel())
    assert np.allclose(force, [[-3 / 25, -4 / 25], [3 / 25, 4 / 25]], rtol=4 / CELLS)


def two_cliques(size):
    first, second = np.triu_indices(size, 1)
    return np.append(np.concatenate([first, first + size]), 0), np.append(np.concatenate([second, second + size]), size)


@pytest.mark.slow
def test_two_cliques_are_two_clusters():
    first, second = two_cliques(20)
    positions = forces(40, first, second)
    one, two = positions[:20], positions[20:]
    between = np.linalg.norm(one.mean(axis=0) - two.mean(axis=0))
    assert between > 2 * max(np.linalg.norm(each - each.mean(axis=0), axis=1).mean() for each in (one, two))


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [1, 2, 3, 50])
def test_graphs_without_links_have_positions(nodes):
    none = np.empty(0, dtype=np.int32)
    assert np.isfinite(forces(nodes, none, none)).all()


@pytest.mark.slow
def test_it_reports_its_steps():
    steps = []
    forces(4, np.array([0, 1, 2]), np.array([1, 2, 3]), lambda step, done, of: steps.append((done, of)))
    assert steps == [(number, STEPS) for number in range(STEPS)]


@pytest.mark.slow
def test_a_million_links_take_less_than_half_a_minute():
    nodes, links = 6600, 1_300_000
    pairs = np.random.default_rng(1).choice(nodes * (nodes - 1) // 2, links, replace=False)
    upper = np.triu_indices(nodes, 1)
    began = time.process_time()
    forces(nodes, upper[0][pairs], upper[1][pairs])
    assert time.process_time() - began < 30
