"""How many pages were fetched when each relevant page was found: marks, harvest rates, medians, table and plot."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SHARES = (0.5, 0.8, 0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """`found`: for each relevant page in the order of finding, the number of URLs answered until then, itself included;
    `fetched`: in all. robots.txt does not count."""

    found: list[int]
    fetched: int


@dataclass(frozen=True, slots=True)
class Run:
    """A curve, and how many relevant pages there are."""

    curve: Curve
    relevant: int

    def pages(self, share: float) -> int | None:
        """Return the number of pages fetched until this share of the relevant pages was found; None: never."""
        count, found = math.ceil(share * self.relevant), self.curve.found
        return found[count - 1] if len(found) >= count else None

    def harvest(self, share: float) -> float | None:
        """Return the share of relevant pages among those fetched until then."""
        pages = self.pages(share)
        return math.ceil(share * self.relevant) / pages if pages else None


#: Order -> its runs.
Runs = Mapping[str, Sequence[Run]]


def table(runs_of: Runs, baseline: str) -> str:
    """Markdown: for each order and share, median, range, times fewer pages than the baseline (by medians), harvest."""
    heads = [f"{share:.0%}" for share in SHARES]
    lines = [
        f"| order | {' | '.join(f'pages until {head}' for head in heads)} | times fewer at {heads[1]}"
        f" | {' | '.join(f'harvest rate at {head}' for head in heads)} |",
        f"|---|{'--:|' * (2 * len(heads) + 1)}",
    ]
    slow = _median([each.pages(SHARES[1]) for each in runs_of[baseline]]) if baseline in runs_of else None
    for order, runs in runs_of.items():
        pages = [_spread([run.pages(share) for run in runs], "{:,.0f}") for share in SHARES]
        rates = [_spread([run.harvest(share) for run in runs], "{:.3f}") for share in SHARES]
        middle = _median([run.pages(SHARES[1]) for run in runs])
        times = f"{slow / middle:.1f}" if slow and middle else ""
        lines.append(f"| {order} | {' | '.join(pages)} | {times} | {' | '.join(rates)} |")
    return "\n".join(lines)


def _median(values: Sequence[float | None]) -> float | None:
    """None: at least half of the runs did not get there."""
    middle = statistics.median(math.inf if value is None else value for value in values)
    return None if math.isinf(middle) else middle


def _spread(values: Sequence[float | None], form: str) -> str:
    reached = [value for value in values if value is not None]
    if not reached:
        return "not reached"
    middle = statistics.median(reached)
    text = f"{form.format(middle)} ({form.format(min(reached))} to {form.format(max(reached))})"
    return text if len(reached) == len(values) else f"{text}, reached in {len(reached)} of {len(values)}"


def plot(runs_of: Runs, path: Path) -> None:
    """Share of the relevant pages by pages fetched; a line for each run."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for number, (order, runs) in enumerate(runs_of.items()):
        for index, run in enumerate(runs):
            shares = [100 * (place + 1) / run.relevant for place in range(len(run.curve.found))]
            label = order if index == 0 else None
            axes.plot([0, *run.curve.found], [0, *shares], color=f"C{number}", linewidth=0.9, label=label)
    axes.axhline(80, color="#999999", linewidth=0.6)
    axes.set_xlabel("pages fetched")
    axes.set_ylabel("relevant pages found, %")
    axes.set_ylim(0, 100)
    axes.set_xlim(left=0)
    axes.legend(frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110, metadata={"Software": None})
