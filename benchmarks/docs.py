"""ttcrawl and Scrapy on the same three documentation sites, served by the same nginx, in alternating rounds.

python -m benchmarks.docs [--rounds N] [--only ttcrawl|scrapy]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.docsites import PACKAGES, DocSites, Missing, docsites
from benchmarks.measure import Measured, run

ROOT = Path(__file__).resolve().parent.parent
BENCH_VENV = ROOT / ".venv-bench"
RESULTS = ROOT / "bench-results"
TIMEOUT = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One crawl of the three sites."""

    crawler: str
    pages: int  # GETs in nginx's access log, robots.txt not counted
    wall: float  # seconds of the whole command, start-up and all
    own: float  # seconds by the crawler's own clock
    cpu: float  # seconds of all its processes

    @property
    def wall_rate(self) -> float:
        return self.pages / self.wall

    @property
    def own_rate(self) -> float:
        return self.pages / self.own

    @property
    def cpu_ms(self) -> float:
        return 1000 * self.cpu / self.pages


def ttcrawl(sites: DocSites, folder: Path) -> Round:
    command = [
        sys.executable,
        "-m",
        "ttcrawl",
        "crawl",
        *sites.seeds,
        "-d",
        str(folder / "crawl"),
        "--set",
        "scope.extensions=",
    ]
    for entry in sites.resolve:
        command += ["--resolve", entry]
    since = sites.mark()
    measured = run([*command, "--no-obey-delay", "--progress", "none"], folder / "output", TIMEOUT)
    _check("ttcrawl", measured)
    with closing(sqlite3.connect(folder / "crawl" / "crawl.db")) as database:
        (own,) = database.execute("SELECT value FROM crawl WHERE name = 'seconds'").fetchone()
    return _round("ttcrawl", sites, since, measured, float(own))


def scrapy(sites: DocSites, folder: Path) -> Round:
    stats = folder / "stats.json"
    command = [str(BENCH_VENV / "bin" / "python"), str(ROOT / "benchmarks" / "scrapy_spider.py")]
    since = sites.mark()
    measured = run([*command, str(stats), str(folder / "log"), *sites.resolve], folder / "output", TIMEOUT)
    _check("Scrapy", measured)
    own = json.loads(stats.read_text())["elapsed_time_seconds"]
    return _round("scrapy", sites, since, measured, float(own))


CRAWLERS: dict[str, Callable[[DocSites, Path], Round]] = {"ttcrawl": ttcrawl, "scrapy": scrapy}


def _check(name: str, measured: Measured) -> None:
    if measured.returncode:
        raise SystemExit(f"{name} ended with status {measured.returncode}:\n{measured.output}")


def _round(crawler: str, sites: DocSites, since: int, measured: Measured, own: float) -> Round:
    pages = sum(request.method == "GET" and request.uri != "/robots.txt" for request in sites.log(since))
    return Round(crawler=crawler, pages=pages, wall=measured.wall, own=own, cpu=measured.cpu)


def table(rounds: list[Round]) -> str:
    lines = [
        "| crawler | pages | s | pages/s | own clock s | pages/s | CPU ms a page |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    medians = {}
    for name in dict.fromkeys(each.crawler for each in rounds):
        of = [each for each in rounds if each.crawler == name]
        values = [statistics.median(getattr(each, field) for each in of) for field in FIELDS]
        medians[name] = dict(zip(FIELDS, values, strict=True))
        lines.append(_line(name, *values))
    if len(medians) > 1:
        times = {field: medians["ttcrawl"][field] / medians["scrapy"][field] for field in FIELDS}
        lines.append(
            f"| ttcrawl / scrapy | {times['pages']:.2f} | | {times['wall_rate']:.1f} | | {times['own_rate']:.1f}"
            f" | {times['cpu_ms']:.3f} |"
        )
    spread = [_line(f"{each.crawler}, round", *(getattr(each, field) for field in FIELDS)) for each in rounds]
    return "\n".join([*lines, "", "Medians above; every round:", "", *lines[:2], *spread])


FIELDS = ("pages", "wall", "wall_rate", "own", "own_rate", "cpu_ms")


def _line(name: str, pages: float, wall: float, wall_rate: float, own: float, own_rate: float, cpu: float) -> str:
    return f"| {name} | {pages:.0f} | {wall:.2f} | {wall_rate:.0f} | {own:.2f} | {own_rate:.0f} | {cpu:.2f} |"


def install_packages() -> None:
    """What serves the sites, from Debian; only root can install it."""
    try:
        with docsites():
            return
    except Missing as missing:
        packages = ["nginx-light", *PACKAGES.values()]
        if os.geteuid() or not shutil.which("apt-get"):
            raise SystemExit(f"{missing}\nall of it: apt-get install {' '.join(packages)}") from None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-q"], check=True, env=environment)
    # Images of Debian for containers leave /usr/share/doc out: it is what is wanted here.
    keep = ["-o", "Dpkg::Options::=--path-include=/usr/share/doc/*"]
    install = ["apt-get", "install", "-yq", "--no-install-recommends", "--reinstall", *keep, *packages]
    subprocess.run(install, check=True, env=environment)


def install_scrapy() -> None:
    if not (BENCH_VENV / "bin" / "scrapy").exists():
        venv.create(BENCH_VENV, with_pip=True, clear=True)
        subprocess.run([str(BENCH_VENV / "bin" / "pip"), "install", "-q", "scrapy"], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=CRAWLERS)
    arguments = parser.parse_args()
    names = [arguments.only] if arguments.only else list(CRAWLERS)
    install_packages()
    if "scrapy" in names:
        install_scrapy()
    rounds = []
    with docsites() as sites:
        for number in range(arguments.rounds):
            for name in names:
                with tempfile.TemporaryDirectory(prefix="bench-") as folder:
                    rounds.append(CRAWLERS[name](sites, Path(folder)))
                print(f"round {number + 1}, {name}: {rounds[-1].wall_rate:.0f} pages/s", file=sys.stderr, flush=True)
    RESULTS.mkdir(exist_ok=True)
    result = RESULTS / time.strftime("docs-%Y%m%d-%H%M%S.json", time.gmtime())
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    result.write_text(json.dumps({**machine, "rounds": [asdict(each) for each in rounds]}, indent=1) + "\n")
    print(table(rounds))


if __name__ == "__main__":
    main()
