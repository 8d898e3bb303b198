"""How many intervals of the growth laws hold the truth: `python -m benchmarks.laws [SERIES]`, 200 of each kind.

The table goes into the section "Laws" of docs/quality.md. Nothing in ttcrawl/report/laws was chosen by these seeds.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ttcrawl.report.laws.law import examine

series: Any = import_module("tests.report.laws.series")  # untyped, as tests are

QUALITY = Path(__file__).parents[1] / "docs" / "quality.md"
BEGIN, END = "<!-- laws -->", "<!-- end of laws -->"
FIRST_SEED = 10_000
FINITE = "a finite pool of 10,000"
K_BETA = ((5, 0.6), (100, 0.4), (1, 0.9), (0.5, 0.7))
#: Words, one in each occurrence at most, and series whose errors of reading are small beside V.
FEW, LARGE = ((5, 0.6), (1, 0.9), (0.5, 0.7)), ((5, 0.6), (100, 0.4), (1, 0.9))
Process = Callable[..., Any]
#: What series are drawn by. Their truth is K and beta of the expected curve before the site, or the law, ends.
KINDS: dict[str, Process] = {
    "power law, Poisson": series.discovery,
    "words by Simon's process": series.simon,
    "sections of 20 pages, rich and poor": series.bursts,
    "sections of 50 pages, few very rich": series.rich_sections,
    "few pages with many new URLs": series.heavy,
    "a site that ends at a tenth": lambda rng, k, beta: series.dry(rng, k, beta, 0.1),
    "a site that ends at the half": series.dry,
    "a site that ends at nine tenths": lambda rng, k, beta: series.dry(rng, k, beta, 0.9),
    FINITE: lambda rng, k, beta: series.pool(rng, k, beta, 10_000),
    "a calendar in the second half": series.trap,
    "a second site of another beta": series.two_sites,
}
#: Series that fall: a crawl has none, because it counts.
READINGS: dict[str, Process] = {
    "each point off by 2 %": series.relative_noise,
    "each point off by 20": series.constant_noise,
    "Poisson, each point off by 2 %": series.noisy_discovery,
}
PARAMETERS = {"words by Simon's process": FEW, "each point off by 20": LARGE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The shares of intervals that hold K and beta, the median half width of beta's, and by what share of it 95 % of
    the estimates are off: 1 if the interval is as wide as it has to be, less if it is wider."""

    k: float
    beta: float
    width: float
    used: float


def held(name: str, process: Process, count: int, first_seed: int = FIRST_SEED) -> Held:
    """Of a finite pool the second model is judged: no power law has its K and beta."""
    parameters = PARAMETERS.get(name, K_BETA)
    rows = []
    for number in range(count):
        k, beta = parameters[number % len(parameters)]
        rng = np.random.default_rng(first_seed + number)
        n, v = process(rng, k, beta)
        law = examine(n, v, rng)
        assert law is not None
        judged = law.pool if name == FINITE and law.pool is not None else law
        of_k, of_beta = judged.k_interval, judged.beta_interval
        half = (of_beta.high - of_beta.low) / 2
        rows.append((of_k.low <= k <= of_k.high, of_beta.low <= beta <= of_beta.high, half, abs(judged.beta - beta)))
    of_k, of_beta, halves, errors = np.array(rows, dtype=float).T
    used = float(np.quantile(errors / np.maximum(halves, 1e-12), 0.95))
    return Held(k=float(of_k.mean()), beta=float(of_beta.mean()), width=float(np.median(halves)), used=used)


def table(count: int) -> str:
    lines = ["| series | K held | beta held | median ± of beta | used |", "| :-- | --: | --: | --: | --: |"]
    for name, process in (KINDS | READINGS).items():
        found = held(name, process, count)
        lines.append(f"| {name} | {found.k:.3f} | {found.beta:.3f} | {found.width:.3f} | {found.used:.2f} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return f"{count} seeded series of 20,000 pages a kind, `python -m benchmarks.laws {count}`:\n\n" + "\n".join(lines)


def main() -> None:
    text = f"{BEGIN}\n{table(int(sys.argv[1]) if len(sys.argv) > 1 else 200)}\n{END}"
    page = QUALITY.read_text(encoding="utf-8")
    QUALITY.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: text, page, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
