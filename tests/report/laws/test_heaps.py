from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.report.laws.heaps import Heaps, fit, spread

CURVES = [(100, 0.4), (44, 0.49), (1, 1.0), (10, 0.7), (3.5, 0.05), (0.2, 1.3)]


@pytest.mark.parametrize("k, beta", CURVES)
@pytest.mark.parametrize("count", [3, 50, 5000])
def test_exact_curve(k: float, beta: float, count: int) -> None:
    n = [37 * i for i in range(1, count + 1)]
    found = fit(n, [k * x**beta for x in n])
    assert found is not None
    assert found.k == pytest.approx(k, rel=1e-5)
    assert found.beta == pytest.approx(beta, abs=1e-6)
    assert found.rmse < 1e-4 * k * n[-1] ** beta
    assert found.points == min(count, 200)


@pytest.mark.parametrize("k, beta", CURVES[:4])
def test_noisy_curve(k: float, beta: float) -> None:
    rng = random.Random(7)
    n = [100 * i for i in range(1, 2001)]
    found = fit(n, [k * x**beta * rng.gauss(1, 0.02) for x in n])
    assert found is not None
    assert found.beta == pytest.approx(beta, abs=0.02)
    assert found.at(n[-1]) == pytest.approx(k * n[-1] ** beta, rel=0.01)
    assert found.rmse > 0


def test_whole_numbers_of_a_short_series() -> None:
    """What a database holds: counts, rounded, from 0 on."""
    n = range(0, 60, 2)
    found = fit(n, [round(5 * x**0.6) for x in n])
    assert found is not None
    assert (found.k, found.beta) == (pytest.approx(5, rel=0.05), pytest.approx(0.6, abs=0.01))


def test_finite_site_bends_the_curve_down() -> None:
    """Once every URL is known V stays where it is: beta falls and the law no longer fits."""
    n = range(1, 10_001)
    free, ended = fit(n, [10 * x**0.7 for x in n]), fit(n, [min(10 * x**0.7, 2000) for x in n])
    assert free is not None and ended is not None
    assert ended.beta < 0.4 < free.beta
    assert ended.rmse > 100 > free.rmse


def test_constant_series_has_almost_no_slope() -> None:
    found = fit([1, 2, 3, 4], [8, 8, 8, 8])
    assert found is not None
    assert 0 < found.beta < 1e-6
    assert found.k == pytest.approx(8)


def test_steeper_than_allowed_stops_at_the_bound() -> None:
    found = fit([1, 2, 3, 4], [1, 8, 27, 64])
    assert found is not None
    assert found.beta == pytest.approx(1.5, abs=1e-6) and found.beta <= 1.5


def test_vocabulary_of_drawn_words_grows_by_the_law() -> None:
    """Words drawn by Zipf's law with exponent 2 give V about n^(1/2) (Baeza-Yates and Navarro, 2000)."""
    rng, seen = random.Random(1), set()
    n, v = [], []
    for i in range(1, 50_001):
        seen.add(int(rng.paretovariate(1)))
        n.append(i)
        v.append(len(seen))
    found = fit(n, v)
    assert found is not None and found.beta == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    "n, v",
    [([], []), ([1, 2], [1, 2]), ([0, 1, 2], [1, 1, 2]), ([1, 2, 3], [0, 0, 0]), ([5, 5, 5, 5], [1, 2, 3, 4])],
)
def test_too_little_to_fit(n: list[float], v: list[float]) -> None:
    assert fit(n, v) is None


@pytest.mark.parametrize(
    "n, v", [([1, 2, 3], [1, 2]), ([1, 2, float("inf")], [1, 2, 3]), ([1, 2, 3], [float("nan")] * 3)]
)
def test_nonsense_is_refused(n: list[float], v: list[float]) -> None:
    with pytest.raises(ValueError):
        fit(n, v)


def test_at() -> None:
    assert Heaps(k=100, beta=0.5, rmse=0, points=3).at(10_000) == 10_000
    assert Heaps(k=100, beta=0.5, rmse=0, points=3).at(0) == 0


def test_spread() -> None:
    series = [(float(i), float(i * i)) for i in range(1001)]
    assert spread(series, 5) == [(0, 0), (250, 62_500), (500, 250_000), (750, 562_500), (1000, 1_000_000)]
    assert spread(series[:3], 5) == series[:3]
    assert spread([(2, 1), (1, 1), (2, 3)]) == [(1, 1), (2, 3)]
    assert spread(series, 1) == [(1000, 1_000_000)]


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9))), st.integers(2, 50))
def test_spread_keeps_the_ends_and_the_order(series: list[tuple[float, float]], count: int) -> None:
    chosen = spread(series, count)
    assert len(chosen) <= count
    assert set(chosen) <= set(series)
    assert chosen == sorted(chosen)
    if series:
        assert (chosen[0][0], chosen[-1][0]) == (min(n for n, _ in series), max(n for n, _ in series))


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 10**12), st.integers(0, 10**12)), max_size=30))
def test_any_series_has_a_fit_or_none(series: list[tuple[int, int]]) -> None:
    found = fit([n for n, _ in series], [v for _, v in series])
    assert found is None or (0 < found.beta <= 1.5 and found.k >= 0 and found.rmse >= 0)


@pytest.mark.parametrize("k, beta, noise", [(100, 0.4, 0.0), (20, 0.6, 0.05), (3, 0.9, 0.2)])
def test_agrees_with_scipy(k: float, beta: float, noise: float) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rng = random.Random(3)
    n = [50.0 * i for i in range(1, 201)]
    v = [k * x**beta * rng.gauss(1, noise) for x in n]
    (their_k, their_beta), _ = optimize.curve_fit(lambda x, a, b: a * x**b, n, v, p0=(10, 0.5), maxfev=20_000)
    ours = fit(n, v)
    assert ours is not None
    assert (ours.k, ours.beta) == (pytest.approx(their_k, rel=1e-4), pytest.approx(their_beta, abs=1e-5))
