from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy

from tests.support.cases import some_fast
from ttcrawl.report.laws.tails import p_text, tail


def pareto(rng, alpha, xmin, count):
    """The discrete power law from xmin on, by the chances of its first million values; none is further out."""
    chances = np.arange(xmin, xmin + 10**6) ** -float(alpha)
    return rng.choice(np.arange(xmin, xmin + 10**6), count, p=chances / chances.sum())


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [2.2, 2.7, 3.5])
def test_a_power_law_is_found_and_plausible(alpha):
    rng = np.random.default_rng(1)
    found = tail(pareto(rng, alpha, 1, 3000), rng)
    assert found.xmin <= 3
    assert abs(found.alpha - alpha) < 3 * found.error < 0.5
    assert found.p >= 0.05
    assert found.exponential.ratio > 0 and found.exponential.p < 0.01


@pytest.mark.slow
def test_xmin_is_found_where_the_tail_begins():
    rng = np.random.default_rng(2)
    found = tail(np.concatenate([rng.integers(1, 20, 3000), pareto(rng, 2.5, 20, 2000)]), rng)
    assert 15 <= found.xmin <= 30 and found.alpha == pytest.approx(2.5, abs=0.15)
    assert found.tail == pytest.approx(2000, rel=0.4) and found.fitted == found.values == 5000


def test_alpha_is_of_maximum_likelihood():
    values = pareto(np.random.default_rng(3), 2.5, 1, 2000)
    found = tail(values, np.random.default_rng(0))
    kept = values[values >= found.xmin]
    ours = scipy.optimize.minimize_scalar(
        lambda a: a * np.log(kept).sum() + len(kept) * np.log(scipy.special.zeta(a, found.xmin)),
        bounds=(1.1, 6),
        method="bounded",
    )
    assert found.alpha == pytest.approx(ours.x, abs=2e-3) and found.tail == len(kept)
    chances = np.cumsum(np.arange(found.xmin, 10**6) ** -found.alpha) / scipy.special.zeta(found.alpha, found.xmin)
    seen = np.cumsum(np.bincount(kept, minlength=10**6)[found.xmin :]) / len(kept)
    assert found.distance == pytest.approx(np.abs(chances[: len(seen)] - seen[: len(chances)]).max(), abs=2e-3)


@pytest.mark.parametrize("seed", some_fast(range(6), 0, 3))
def test_the_law_is_the_one_that_the_package_powerlaw_finds(seed):
    """Its search for alpha stops early; so where the figures are not the same ours are nearer and likelier."""
    rng = np.random.default_rng(seed)
    values = [
        rng.zipf(2.3, 800),
        rng.geometric(0.05, 600),
        np.concatenate([rng.integers(1, 9, 400), pareto(rng, 3.0, 9, 500)]),
        rng.poisson(30, 500) + 1,
        rng.lognormal(2, 1, 900).astype(int) + 1,
        np.repeat([1, 2, 3, 5, 8], [90, 70, 60, 55, 50]),
    ][seed]
    found = tail(values, rng)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        highest = np.sort(values)[-50]
        import powerlaw

        theirs = powerlaw.Fit(
            values, discrete=True, xmin=(1, highest + 1), parameter_ranges={"alpha": [1.01, 8.0]}, verbose=0
        ).power_law
    assert found.distance <= theirs.D + 1e-3
    kept = values[values >= theirs.xmin]
    if found.xmin == theirs.xmin:
        ours, other = (
            a * np.log(kept).mean() + np.log(scipy.special.zeta(a, found.xmin)) for a in (found.alpha, theirs.alpha)
        )
        assert ours <= other + 1e-9 and found.alpha == pytest.approx(theirs.alpha, abs=5e-3)
    assert found.alpha == pytest.approx(theirs.alpha, abs=0.2 * theirs.alpha)


def test_what_is_no_power_law_is_seen():
    rng = np.random.default_rng(4)
    found = tail(rng.poisson(20, 2000), rng)
    assert found.p < 0.05 and found.lognormal.ratio < 0 and found.lognormal.p < 0.01


@pytest.mark.slow
def test_many_values_are_drawn_from_and_it_says_so():
    rng = np.random.default_rng(5)
    found = tail(rng.zipf(2.5, 1_000_000), rng)
    assert found.values == 1_000_000 and found.fitted == 20_000
    assert abs(found.alpha - 2.5) < 4 * found.error
    assert "20,000 drawn at random of 1,000,000" in found.how


def test_it_is_silent(capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tail(np.random.default_rng(6).geometric(0.3, 500), np.random.default_rng(0))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("values", [[], [0] * 1000, [3] * 1000, [1, 2] * 500, list(range(1, 100))])
def test_too_little_to_fit(values):
    assert tail(values, np.random.default_rng(0)) is None


@pytest.mark.slow
def test_the_same_source_of_chance_gives_the_same_figures():
    values = np.random.default_rng(7).zipf(2.2, 1000).tolist()
    assert tail(values, np.random.default_rng(1)) == tail(iter(values), np.random.default_rng(1))


def test_of_fifty_draws_none_is_less_than_a_fiftieth():
    assert (p_text(0.0), p_text(0.5)) == ("p < 0.02", "p = 0.50")
