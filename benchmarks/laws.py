"""How many intervals of the growth laws hold the truth: `python -m benchmarks.laws [SERIES]`, 200 of each kind.

The table goes into the section "Laws" of docs/quality.md. The seeds are others than those with which WIDENED in
ttcrawl/report/laws/blocks.py was found.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
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
#: What series are drawn by. Their truth is K and beta of the expected curve before the site, or the law, ends.
KINDS: dict[str, Callable[..., Any]] = {
    "power law, Poisson": series.discovery,
    "sections of 20 pages, rich and poor": series.bursts,
    "sections of 50 pages, few very rich": series.rich_sections,
    "few pages with many new URLs": series.heavy,
    "a site that ends": series.dry,
    FINITE: lambda rng, k, beta: series.pool(rng, k, beta, 10_000),
    "a calendar in the second half": series.trap,
    "a second site of another beta": series.two_sites,
}


def covered(process: Callable[..., Any], count: int, *, finite: bool = False) -> tuple[float, float, float]:
    """The shares of intervals that hold K and beta, and the median half width of beta's.

    Of a `finite` pool the second model is judged: no power law has its K and beta.
    """
    rows = []
    for number in range(count):
        k, beta = K_BETA[number % len(K_BETA)]
        rng = np.random.default_rng(FIRST_SEED + number)
        n, v = process(rng, k, beta)
        law = examine(n, v, rng)
        assert law is not None
        judged = law.pool if finite and law.pool is not None else law
        of_k, of_beta = judged.k_interval, judged.beta_interval
        rows.append((of_k.low <= k <= of_k.high, of_beta.low <= beta <= of_beta.high, (of_beta.high - of_beta.low) / 2))
    columns = np.array(rows, dtype=float).T
    return float(columns[0].mean()), float(columns[1].mean()), float(np.median(columns[2]))


def table(count: int) -> str:
    lines = ["| series | K held | beta held | median ± of beta |", "| :-- | --: | --: | --: |"]
    for name, process in KINDS.items():
        of_k, of_beta, width = covered(process, count, finite=name == FINITE)
        lines.append(f"| {name} | {of_k:.3f} | {of_beta:.3f} | {width:.3f} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return f"{count} seeded series of 20,000 pages a kind, `python -m benchmarks.laws {count}`:\n\n" + "\n".join(lines)


def main() -> None:
    text = f"{BEGIN}\n{table(int(sys.argv[1]) if len(sys.argv) > 1 else 200)}\n{END}"
    page = QUALITY.read_text(encoding="utf-8")
    QUALITY.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: text, page, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
