"""ttcrawl, Scrapy, Crawlee and wget2 on the same three documentation sites, served by the same nginx, in turn.

python -m benchmarks.docs [--rounds N] [--only CRAWLER ...] [--save]

Each crawler has to fetch the same HTML pages. `--save` writes table and plot into docs/, for which five rounds are the
least.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import manual
from benchmarks.crawlers import BENCH_PYTHON, CRAWLERS, ROOT, Round, crawl, installed
from benchmarks.docsites import PACKAGES, Missing, docsites

RESULTS = ROOT / "bench-results"
BENCH_VENV = BENCH_PYTHON.parent.parent
MANUAL = ROOT / "docs" / "speed.md"
BEGIN, END = "<!-- measured -->\n", "<!-- end -->\n"

#: What the table has of a crawler: the median over its rounds.
FIGURES: dict[str, Callable[[Round], float]] = {
    "requests": lambda each: each.requests,
    "s": lambda each: each.wall,
    "requests/s": lambda each: each.rate,
    "CPU ms": lambda each: each.cpu_ms(),
    "MB": lambda each: each.memory / 1e6,
}

#: Name of a process -> what it may cost, CPU ms a request, as it comes: the crawl process, fetch and parse processes.
BUDGET = {"ttcrawl": 0.15, "ttcrawl-fetch": 0.12, "ttcrawl-parse": 2.1}


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


def table(rounds: Sequence[Round]) -> str:
    lines = [f"| crawler | {' | '.join(FIGURES)} | requests/s, ttcrawl: 1 |", f"|---|{'--:|' * (len(FIGURES) + 1)}"]
    figures = medians(rounds)
    own = figures.get("ttcrawl", {}).get("requests/s")
    for name, of in figures.items():
        times = f"{of['requests/s'] / own:.2f}" if own else ""
        lines.append(f"| {name} | {' | '.join(f'{value:,.4g}' for value in of.values())} | {times} |")
    return "\n".join(lines)


def roles(rounds: Sequence[Round]) -> str:
    """CPU of each role of ttcrawl's processes, beside the budget."""
    lines = ["| process | CPU ms | budget | |", "|---|--:|--:|---|"]
    own = [each for each in rounds if each.crawler == "ttcrawl"]
    for role in sorted({role for each in own for role in each.roles}):
        cpu = statistics.median(each.cpu_ms(role) for each in own)
        budget = BUDGET.get(role)
        over = f"{cpu / budget:.1f} times its budget" if budget and cpu > budget else ""
        lines.append(f"| {role} | {cpu:.3f} | {budget or ''} | {over} |")
    return "\n".join(lines)


def different_pages(rounds: Sequence[Round]) -> list[str]:
    """What is wrong: crawls that did not fetch the pages that the first one fetched."""
    first = rounds[0]
    return [
        f"{each.crawler}: missing {sorted(first.pages - each.pages)[:3]}, others {sorted(each.pages - first.pages)[:3]}"
        for each in rounds
        if each.pages != first.pages
    ]


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


def save(rounds: Sequence[Round], measured: str) -> None:
    manual.write(MANUAL, BEGIN, END, measured)
    plot(rounds, MANUAL.with_suffix(".png"))


def install_packages() -> None:
    """What serves the sites, from Debian; only root can install it."""
    try:
        with docsites():
            return
    except Missing as missing:
        packages = ["nginx-light", "wget2", *PACKAGES.values()]
        if os.geteuid() or not shutil.which("apt-get"):
            raise SystemExit(f"{missing}\nall of it: apt-get install {' '.join(packages)}") from None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-q"], check=True, env=environment)
    # Images of Debian for containers leave /usr/share/doc out: it is what is wanted here.
    keep = ["-o", "Dpkg::Options::=--path-include=/usr/share/doc/*"]
    install = ["apt-get", "install", "-yq", "--no-install-recommends", "--reinstall", *keep, *packages]
    subprocess.run(install, check=True, env=environment)


def install_crawlers() -> None:
    if not BENCH_PYTHON.exists():
        venv.create(BENCH_VENV, with_pip=True, clear=True)
    for package, requirement in {"scrapy": "scrapy", "crawlee": "crawlee[parsel]"}.items():
        if not installed(package):  # Crawlee is compared where it installs
            command = [str(BENCH_PYTHON), "-m", "pip", "install", "-q", requirement]
            subprocess.run(command, check=package == "scrapy")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=CRAWLERS)
    parser.add_argument("--save", action="store_true", help="write the result into docs/")
    arguments = parser.parse_args()
    install_packages()
    names = arguments.only or list(CRAWLERS)
    if {"scrapy", "crawlee"} & set(names):
        install_crawlers()
    for name in [each for each in names if not installed(each)]:
        print(f"{name} is not installed, and left out", file=sys.stderr)
        names.remove(name)
    rounds = []
    with docsites() as sites:
        for number in range(arguments.rounds):
            for name in names:
                with tempfile.TemporaryDirectory(prefix="bench-") as folder:
                    rounds.append(crawl(name, sites, Path(folder)))
                print(f"round {number + 1}, {name}: {rounds[-1].rate:.0f} requests/s", file=sys.stderr, flush=True)
    RESULTS.mkdir(exist_ok=True)
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    every = [
        {"crawler": each.crawler, "roles": each.roles} | {key: of(each) for key, of in FIGURES.items()}
        for each in rounds
    ]
    result = RESULTS / time.strftime("docs-%Y%m%d-%H%M%S.json", time.gmtime())
    result.write_text(json.dumps({**machine, "rounds": every}, indent=1) + "\n", encoding="utf-8")
    about = f"{arguments.rounds} rounds, {machine['cores']} cores, Python {machine['python']}; medians."
    measured = "\n\n".join([about, table(rounds), roles(rounds)])
    print(measured)
    if wrong := different_pages(rounds):
        raise SystemExit("not the same pages:\n" + "\n".join(wrong))
    if arguments.save:
        save(rounds, measured)


if __name__ == "__main__":
    main()
