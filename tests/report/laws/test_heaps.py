from __future__ import annotations

import math
import random
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.laws import series
from ttcrawl.report.laws.heaps import Heaps, fit, spread

N = series.PLACES.astype(float)


@pytest.mark.parametrize("k, beta", [(100, 0.4), (44, 0.49), (25, 0.6), (20, 1.0), (21, 1.3), (30, 0.2)])
def test_an_exact_law_is_found_from_end_to_end(k: float, beta: float) -> None:
    law = fit(N, k * N**beta)
    assert law is not None and (law.k, law.beta) == (pytest.approx(k), pytest.approx(beta))
    assert (law.holds_from, law.holds_to, law.points) == (1, series.LENGTH, len(N))


@pytest.mark.parametrize(
    "v, first, last",
    [
        (100 * np.minimum(N, 375) ** 0.4, 1, 400),  # a site that ends
        (np.where(N < 30, 1.5, 1.0) * 50 * N**0.6, 30, series.LENGTH),  # first pages that are lists
        (np.where(N <= 2000, 100 * N**0.4, 100 * 2000**0.4 + 3 * (N - 2000)), 1, 2040),  # a calendar
        (100 * N**0.4 + np.where(N > 3000, 100 * np.maximum(N - 3000, 0) ** 0.8, 0), 1, 3003),  # a second site
    ],
    ids=["end", "lists", "trap", "two sites"],
)
def test_the_law_is_the_one_of_its_range(v: np.ndarray, first: float, last: float) -> None:
    law = fit(N, v)
    assert law is not None and law.holds_from is not None and law.holds_to is not None
    assert law.holds_from == pytest.approx(first, rel=0.1) and law.holds_to == pytest.approx(last, rel=0.1)
    for n, count in zip(N, v, strict=True):
        assert not law.holds_from <= n <= law.holds_to or abs(count / law.at(n) - 1) <= 0.05 + 1e-9


@pytest.mark.parametrize(
    "v",
    [
        np.exp(np.sin(6 * np.log(N)) + 7 * np.log(N) + 4),  # waves
        1e6 * N**-0.5,  # falls
        np.full(len(N), 855.0),  # all is known from the first page on
        np.full(len(N), 1.0),
    ],
    ids=["waves", "falling", "level", "one"],
)
def test_no_law(v: np.ndarray) -> None:
    law = fit(N, v)
    assert law is not None and law.holds_from is law.holds_to is None and law.points == len(N)


def test_a_level_end_is_not_the_law() -> None:
    """It is nearly all of the series, and within 5 % of a line that does not rise."""
    law = fit(N, 100 * np.minimum(N, 40) ** 0.4)
    assert law is not None and law.holds_from == 1 and law.holds_to is not None and law.holds_to < 60


def test_below_twenty_things_one_more_is_further_off_than_the_tolerance() -> None:
    law = fit(N, np.floor(2 * N**0.5))
    assert law is not None and law.holds_from is not None and law.at(law.holds_from) > 19


def test_a_long_series_takes_less_than_a_second_of_processor_time() -> None:
    n = np.arange(1, 300_001)
    v = np.where(n < 50_000, 20.0 * n**0.6, 20 * 50_000**0.6 + 0.01 * (n - 50_000))
    start = time.process_time()
    law = fit(n.tolist(), v.tolist())
    assert time.process_time() - start < 3  # a fifth of it on a machine that does nothing else
    assert law is not None and law.beta == pytest.approx(0.6, abs=0.001)


@pytest.mark.parametrize(
    "n, v",
    [([], []), ([1, 2], [1, 2]), ([0, 1, 2], [1, 1, 2]), ([1, 2, 3], [0, 0, 0]), ([5] * 9, [1] * 9)],
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
def test_any_series_has_a_fit_or_none(points: list[tuple[int, int]]) -> None:
    law = fit([n for n, _ in points], [v for _, v in points])
    assert law is None or (math.isfinite(law.beta) and law.k >= 0 and law.rmse >= 0)


def test_agrees_with_a_line_through_logarithms() -> None:
    rng = random.Random(3)
    n = [50.0 * 1.05**i for i in range(1, 100)]
    v = [100 * x**0.4 * rng.uniform(0.97, 1.03) for x in n]
    law = fit(n, v)
    assert law is not None and law.holds_to == n[-1] and law.holds_from == n[0]
    beta, log_k = np.polyfit(np.log(n), np.log(v), 1)
    assert (law.beta, math.log(law.k)) == (pytest.approx(beta, abs=1e-6), pytest.approx(log_k, abs=1e-5))
