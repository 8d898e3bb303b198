"""What `benchmarks.docs` measured, as tables of the manual and as a plot; and what it is compared with."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.crawlers import Round

#: What the table has of a crawler: the median over its rounds.
FIGURES: dict[str, Callable[[Round], float]] = {
    "requests": lambda each: each.requests,
    "s": lambda each: each.wall,
    "requests/s": lambda each: each.rate,
    "CPU ms": lambda each: each.cpu_ms(),
    "MB": lambda each: each.memory / 1e6,
}

WHOLE, LINKS_ONLY = "ttcrawl", "ttcrawl, links only"

#: Crawler -> name of a process -> what it may cost, CPU ms a request: the crawl process, fetch and parse processes.
#: This is for a machine on which Scrapy takes `SCRAPY`: processors differ by a factor of two, one also from day to day.
BUDGET = {
    WHOLE: {"ttcrawl": 0.20, "ttcrawl-fetch": 0.12, "ttcrawl-parse": 0.60},
    LINKS_ONLY: {"ttcrawl": 0.15, "ttcrawl-fetch": 0.12, "ttcrawl-parse": 0.25},
}

#: CPU ms of a request of Scrapy where the budgets were set, in the middle of what was measured then, 7.0 to 7.8.
SCRAPY = 7.4

#: A figure of a crawler in terms of another crawler's in the same round: (ours, theirs, figure, goal), of which the CPU
#: may be at most, and the rate must be at least.
GOALS = (
    (WHOLE, "scrapy", "CPU ms", 1 / 6),
    (WHOLE, "scrapy", "requests/s", 10.0),
    (LINKS_ONLY, "scrapy", "CPU ms", 1 / 12),
    (LINKS_ONLY, "wget2", "requests/s", 0.5),
)


def medians(rounds: Sequence[Round]) -> dict[str, dict[str, float]]:
    """Crawler -> figure -> median."""
    names = dict.fromkeys(each.crawler for each in rounds)
    return {
        name: {
            figure: statistics.median(value(each) for each in rounds if each.crawler == name)
            for figure, value in FIGURES.items()
        }
        for name in names
    }


def crawlers(rounds: Sequence[Round]) -> str:
    """A row for each crawler."""
    lines = [f"| crawler | {' | '.join(FIGURES)} | requests/s, ttcrawl: 1 |", f"|---|{'--:|' * (len(FIGURES) + 1)}"]
    figures = medians(rounds)
    own = figures.get(WHOLE, {}).get("requests/s")
    for name, of in figures.items():
        times = f"{of['requests/s'] / own:.2f}" if own else ""
        lines.append(f"| {name} | {' | '.join(f'{value:,.4g}' for value in of.values())} | {times} |")
    return "\n".join(lines)


def roles(rounds: Sequence[Round]) -> str:
    """CPU of each role of ttcrawl's processes, as it comes and links only, beside the budgets: those that were set, and
    those for the speed of this machine."""
    heads = [f"{title}CPU ms | budget | budget here | " for title in ("", "links only, ")]
    lines = [f"| process | {'| '.join(heads)}|", "|---|--:|--:|--:|---|--:|--:|--:|---|"]
    own = [each for each in rounds if each.crawler in BUDGET]
    scale = slower(rounds)
    for role in sorted({role for each in own for role in each.roles}):
        cells = [cell for name in BUDGET for cell in _role(own, name, role, scale)]
        lines.append(f"| {role} | {' | '.join(cells)} |")
    return "\n".join(lines)


def slower(rounds: Sequence[Round]) -> float:
    """How much longer this machine takes than the one for which the budgets were set; 1 if Scrapy was not measured."""
    return statistics.median(each.cpu_ms() for each in of) / SCRAPY if (of := _of(rounds, "scrapy")) else 1.0


def _role(rounds: Sequence[Round], crawler: str, role: str, scale: float) -> tuple[str, str, str, str]:
    """CPU, both budgets, and whether it is over the one of this machine."""
    of = [each.cpu_ms(role) for each in rounds if each.crawler == crawler]
    if not of:
        return "", "", "", ""
    cpu = statistics.median(of)
    if (budget := BUDGET[crawler].get(role)) is None:
        return f"{cpu:.3f}", "", "", ""
    here = scale * budget
    over = f"{cpu / here:.1f} times its budget" if cpu > here else ""
    return f"{cpu:.3f}", f"{budget}", f"{here:.3f}", over


def goals(rounds: Sequence[Round]) -> str:
    """Medians of ratios within a round, beside the goals; "" without crawlers to compare with."""
    lines = ["| | measured | goal | |", "|---|--:|--:|---|"]
    for ours, theirs, figure, goal in GOALS:
        value = FIGURES[figure]
        pairs = zip(_of(rounds, ours), _of(rounds, theirs), strict=False)
        ratios = [value(one) / value(other) for one, other in pairs]
        if not ratios:
            continue
        ratio = statistics.median(ratios)
        reached = ratio <= goal if figure == "CPU ms" else ratio >= goal
        cells = f"{_ratio(ratio)} | {_ratio(goal)} | {'' if reached else 'not reached'}"
        lines.append(f"| {figure}: {ours} / {theirs} | {cells} |")
    return "\n".join(lines) if len(lines) > 2 else ""


def _of(rounds: Sequence[Round], crawler: str) -> list[Round]:
    return [each for each in rounds if each.crawler == crawler]


def _ratio(value: float) -> str:
    return f"1/{1 / value:.3g}" if value < 0.4 else f"{value:.3g}"


def sizes(of_size: Mapping[str, Sequence[Round]]) -> str:
    """Pages of other sizes: a row for each size and crawler."""
    lines = [
        "| pages | KB a page | crawler | requests | requests/s | CPU ms | CPU, scrapy: 1 | HTML pages by the core |"
    ]
    lines.append("|---|--:|---|--:|--:|--:|--:|--:|")
    for size, rounds in of_size.items():
        figures = medians(rounds)
        scrapy = figures.get("scrapy", {}).get("CPU ms")
        for name, of in figures.items():
            share = _ratio(of["CPU ms"] / scrapy) if scrapy else ""
            kilobytes = statistics.median(each.kilobytes for each in _of(rounds, name))
            shown = f"{of['requests']:,.0f} | {of['requests/s']:,.0f} | {of['CPU ms']:.3g} | {share}"
            lines.append(f"| {size} | {kilobytes:.0f} | {name} | {shown} | {by_the_core(_of(rounds, name))} |")
    return "\n".join(lines)


def by_the_core(rounds: Sequence[Round]) -> str:
    """The share of HTML pages that the compiled core read, and why Python read others, most often first."""
    readers = sum((Counter(each.readers) for each in rounds), Counter[str]())
    if not (pages := readers.total()):
        return ""
    others = [f"{why} {count / pages:.1%}" for why, count in readers.most_common() if why != "compiled"]
    return ", ".join([f"{readers['compiled'] / pages:.1%}", *others[:3]])


def plot(rounds: Sequence[Round], path: Path) -> None:
    """Requests a second and CPU of a request, a bar for each crawler and a dot for each round."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.6), layout="constrained")
    for axes, title in zip(figure.subplots(1, 2), ("requests/s", "CPU ms"), strict=True):
        of = medians(rounds)
        names = sorted(of, key=lambda name: of[name][title])
        axes.barh(names, [of[name][title] for name in names], color="#0072B2", height=0.6)
        axes.plot([FIGURES[title](each) for each in rounds], [each.crawler for each in rounds], ".", color="#222222")
        axes.set_xlabel(title + (" of a request" if title == "CPU ms" else ""))
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110, metadata={"Software": None})
