"""How many intervals of the growth laws hold the truth: `python -m benchmarks.laws [SERIES]`, 200 of each kind.

The table goes into the section "Laws" of docs/quality.md. Nothing in ttcrawl/report/laws was chosen by these seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.manual import write
from ttcrawl.report.laws.heaps import certain, even, fit, positive, thinned
from ttcrawl.report.laws.law import Law, examine
from ttcrawl.report.laws.longest_line import GRID
from ttcrawl.report.laws.pool import pool

series: Any = import_module("tests.report.laws.series")  # untyped, as tests are

QUALITY = Path(__file__).parents[1] / "docs" / "quality.md"
BEGIN, END = "<!-- laws -->\n", "<!-- end of laws -->"
FIRST_SEED = 10_000
Truth = Callable[..., tuple[float, float]]
K_BETA = ((5, 0.6), (100, 0.4), (1, 0.9), (0.5, 0.7))
#: Words, one in each occurrence at most, and series whose errors of reading are small beside V.
FEW, LARGE = ((5, 0.6), (1, 0.9), (0.5, 0.7)), ((5, 0.6), (100, 0.4), (1, 0.9))
POOLS = (10_000, 2000, 1000)


def drawn_from(law: Law, k: float, beta: float) -> tuple[float, float]:
    """K and beta of the expected curve before the site, or the law, ends."""
    return k, beta


def of_curve(law: Law, n: Any, v: Any) -> tuple[float, float]:
    """K and beta of the line through the expected curve (n, v), which is no power law, over the range of the law."""
    inside = (n >= (law.holds_from or 0.0)) & (n <= (law.holds_to or np.inf))
    line = fit(n[inside].tolist(), v[inside].tolist())
    return (line.k, line.beta) if line else (law.k, law.beta)


def of_pool(law: Law, k: float, beta: float) -> tuple[float, float]:
    n = series.PLACES.astype(float)
    return of_curve(law, n, -POOLS[0] * np.expm1(-k * n**beta / POOLS[0]))


def of_noisy_dry(law: Law, k: float, beta: float) -> tuple[float, float]:
    """Where the noise lets no law hold, the line is through the complete series, with its end."""
    if law.holds_from is not None:
        return k, beta
    v = k * np.minimum(series.PLACES, series.LENGTH / 2) ** beta
    kept = thinned(certain(positive(series.PLACES.tolist(), v.tolist())))
    x, y = np.log(kept)
    points = even(x, GRID)
    slope, height = np.polyfit(x[points], y[points], 1)
    return float(np.exp(height)), float(slope)


def of_words(law: Law, exponent: float) -> tuple[float, float]:
    return of_curve(law, series.PLACES.astype(float), series.zipf_expected(exponent))


def of_restaurant(law: Law, discount: float) -> tuple[float, float]:
    """K is another one in each, and known of none."""
    return law.k, discount


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """Series by `process(rng, *each)` for `each` of the parameters, and what their law truly is."""

    process: Callable[..., Any]
    parameters: Sequence[tuple[float, ...]] = K_BETA
    truth: Truth = drawn_from


KINDS = {
    "power law, Poisson": Kind(process=series.discovery),
    "words by Simon's process": Kind(process=series.simon, parameters=FEW),
    "words by Zipf's law": Kind(process=series.zipf, parameters=((1.4,), (2.0,)), truth=of_words),
    "tables of Chinese restaurants": Kind(process=series.restaurant, parameters=((0.6,),), truth=of_restaurant),
    "sections of 20 pages, rich and poor": Kind(process=series.bursts),
    "sections of 50 pages, few very rich": Kind(process=series.rich_sections),
    "few pages with many new URLs": Kind(process=series.heavy),
    "a site that ends at a tenth": Kind(process=lambda rng, k, beta: series.dry(rng, k, beta, 0.1)),
    "a site that ends at the half": Kind(process=series.dry),
    "a site that ends at nine tenths": Kind(process=lambda rng, k, beta: series.dry(rng, k, beta, 0.9)),
    "a finite pool of 10,000": Kind(process=lambda *each: series.pool(*each, POOLS[0]), truth=of_pool),
    "a calendar in the second half": Kind(process=series.trap),
    "a second site of another beta": Kind(process=series.two_sites),
}
#: Series that fall: a crawl has none, because it counts.
READINGS = {
    "each point off by 2 %": Kind(process=series.relative_noise),
    "each point off by 20": Kind(process=series.constant_noise, parameters=LARGE),
    "Poisson, each point off by 2 %": Kind(process=series.noisy_discovery),
    "each point off by 2 %, and an end at the half": Kind(process=series.noisy_dry, truth=of_noisy_dry),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The shares of intervals that hold K and beta, the median half width of beta's, and by what share of it 95 % of
    the estimates are off: 1 if the interval is as wide as it has to be, less if it is wider."""

    k: float
    beta: float
    width: float
    used: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolHeld:
    """In how many series a second model is shown, and the shares of their intervals that hold K, beta and N."""

    shown: int
    k: float
    beta: float
    size: float


def held(kind: Kind, count: int, first_seed: int = FIRST_SEED) -> Held:
    rows = []
    for number in range(count):
        each = kind.parameters[number % len(kind.parameters)]
        rng = np.random.default_rng(first_seed + number)
        n, v = kind.process(rng, *each)
        law = examine(n, v, rng)
        assert law is not None
        k, beta = kind.truth(law, *each)
        of_k, of_beta = law.k_interval, law.beta_interval
        half = (of_beta.high - of_beta.low) / 2
        rows.append((of_k.low <= k <= of_k.high, of_beta.low <= beta <= of_beta.high, half, abs(law.beta - beta)))
    of_k, of_beta, halves, errors = np.array(rows, dtype=float).T
    used = float(np.quantile(errors / np.maximum(halves, 1e-12), 0.95))
    return Held(k=float(of_k.mean()), beta=float(of_beta.mean()), width=float(np.median(halves)), used=used)


def pool_held(size: int, count: int, first_seed: int = FIRST_SEED) -> PoolHeld:
    rows = []
    for number in range(count):
        k, beta = K_BETA[number % len(K_BETA)]
        rng = np.random.default_rng(first_seed + number)
        second = pool(thinned(positive(*series.pool(rng, k, beta, size))), rng)
        if second is not None:
            intervals = (second.k_interval, second.beta_interval, second.size_interval)
            pairs = zip(intervals, (k, beta, size), strict=True)
            rows.append([interval.low <= truth <= interval.high for interval, truth in pairs])
    of_k, of_beta, of_size = np.array(rows, dtype=float).reshape(-1, 3).mean(axis=0).tolist()
    return PoolHeld(shown=len(rows), k=of_k, beta=of_beta, size=of_size)


def table(count: int) -> str:
    lines = ["| series | K held | beta held | median ± of beta | used |", "| :-- | --: | --: | --: | --: |"]
    for name, kind in (KINDS | READINGS).items():
        found = held(kind, count)
        lines.append(f"| {name} | {found.k:.3f} | {found.beta:.3f} | {found.width:.3f} | {found.used:.2f} |")
        print(lines[-1], file=sys.stderr, flush=True)
    lines += ["", "| second model | shown | K held | beta held | N held |", "| :-- | --: | --: | --: | --: |"]
    for size in POOLS:
        of = pool_held(size, count)
        cells = f"{of.shown} of {count} | {of.k:.3f} | {of.beta:.3f} | {of.size:.3f} |"
        lines.append(f"| a finite pool of {size:,} | {cells}")
    return f"{count} seeded series of 20,000 pages a kind, `python -m benchmarks.laws {count}`:\n\n" + "\n".join(lines)


def main() -> None:
    write(QUALITY, BEGIN, END, table(int(sys.argv[1]) if len(sys.argv) > 1 else 200))


if __name__ == "__main__":
    main()
