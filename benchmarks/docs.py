"""ttcrawl, Scrapy, Crawlee and wget2 on the same three documentation sites, served by the same nginx, in turn.

python -m benchmarks.docs [--rounds N] [--only CRAWLER ...] [--sizes SIZE ...] [--save]

Each crawler has to fetch the same HTML pages; spider-rs does not, and its figures are those of what it fetches. Then
sites of larger and of smaller pages (`benchmarks.page_sizes`) are crawled in the same way. `--save` writes tables and
plot into docs/, for which five rounds are the least.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import docs_tables, manual
from benchmarks.crawlers import BENCH_PYTHON, CRAWLERS, ROOT, SPIDER, SPIDER_DIRECTORY, Round, crawl, installed
from benchmarks.docsites import PACKAGES, DocSites, Missing, docsites, serving
from benchmarks.page_sizes import SIZES

RESULTS = ROOT / "bench-results"
BENCH_VENV = BENCH_PYTHON.parent.parent
MANUAL = ROOT / "docs" / "speed.md"
#: The last version whose binary npm has.
SPIDER_VERSION = "0.0.157"

BEGIN, END = "<!-- measured -->\n", "<!-- end -->\n"

#: Crawlers of sites with pages of other sizes.
OF_SIZES = ("ttcrawl", "ttcrawl, links only", "scrapy", "wget2", SPIDER)


def different_pages(rounds: Sequence[Round]) -> list[str]:
    """What is wrong: crawls that did not fetch the pages that the first one fetched.

    wget2 may fetch more: it follows `<link rel=index>` and `<link rel=search>`, to which some sites have no other link.
    """
    rounds = [each for each in rounds if each.crawler != SPIDER]
    first = rounds[0] if rounds else None
    return [
        f"{each.crawler}: missing {sorted(first.pages - each.pages)[:3]}, others {sorted(each.pages - first.pages)[:3]}"
        for each in rounds
        if first is not None and (first.pages - each.pages or (each.pages - first.pages and each.crawler != "wget2"))
    ]


def save(rounds: Sequence[Round], measured: str) -> None:
    manual.write(MANUAL, BEGIN, END, measured)
    docs_tables.plot(rounds, MANUAL.with_suffix(".png"))


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


def install_spider() -> None:
    """spider-rs, where npm has it: the newest version names no binary of its own."""
    if shutil.which("npm") and not installed(SPIDER):
        SPIDER_DIRECTORY.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund"]
        command += [f"@spider-rs/spider-rs{binary}@{SPIDER_VERSION}" for binary in ("", "-linux-x64-gnu")]
        subprocess.run(command, cwd=SPIDER_DIRECTORY, check=False)


def crawl_in_turn(names: Sequence[str], sites: DocSites, count: int, label: str) -> list[Round]:
    """Let each crawler crawl the sites once a round."""
    rounds = []
    for number in range(count):
        for name in names:
            with tempfile.TemporaryDirectory(prefix="bench-") as folder:
                rounds.append(crawl(name, sites, Path(folder)))
            print(f"{label}round {number + 1}, {name}: {rounds[-1].rate:.0f} requests/s", file=sys.stderr, flush=True)
    return rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=CRAWLERS)
    parser.add_argument("--sizes", nargs="*", choices=SIZES, default=list(SIZES), help="of pages; none: no other site")
    parser.add_argument("--save", action="store_true", help="write the result into docs/")
    arguments = parser.parse_args()
    install_packages()
    names = arguments.only or list(CRAWLERS)
    if {"scrapy", "crawlee"} & set(names):
        install_crawlers()
    if SPIDER in names:
        install_spider()
    for name in [each for each in names if not installed(each)]:
        print(f"{name} is not installed, and left out", file=sys.stderr)
        names.remove(name)
    with docsites() as sites:
        rounds = crawl_in_turn(names, sites, arguments.rounds, "")
    of_size = {}
    for size in arguments.sizes:
        with serving(SIZES[size]()) as sites:
            of_size[size] = crawl_in_turn(
                [each for each in names if each in OF_SIZES], sites, arguments.rounds, f"{size}, "
            )
    measured = report(rounds, of_size)
    print(measured)
    for each in (rounds, *of_size.values()):
        if wrong := different_pages(each):
            raise SystemExit("not the same pages:\n" + "\n".join(wrong))
    if arguments.save:
        save(rounds, measured)


def report(rounds: Sequence[Round], of_size: Mapping[str, Sequence[Round]]) -> str:
    """Return the tables, and write all figures into bench-results."""
    RESULTS.mkdir(exist_ok=True)
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    every = [
        {"pages": size, "crawler": each.crawler, "roles": each.roles, "readers": each.readers}
        | {key: of(each) for key, of in docs_tables.FIGURES.items()}
        for size, some in {"": rounds, **of_size}.items()
        for each in some
    ]
    result = RESULTS / time.strftime("docs-%Y%m%d-%H%M%S.json", time.gmtime())
    result.write_text(json.dumps({**machine, "rounds": every}, indent=1) + "\n", encoding="utf-8")
    count = max((sum(each.crawler == one.crawler for each in rounds) for one in rounds), default=0)
    parts = [
        f"{count} rounds, {machine['cores']} cores, Python {machine['python']}; medians.",
        docs_tables.crawlers(rounds),
        docs_tables.goals(rounds),
        docs_tables.roles(rounds),
        f"HTML pages by the core: {docs_tables.by_the_core(rounds)}.",
        docs_tables.sizes(of_size) if of_size else "",
    ]
    return "\n\n".join(filter(None, parts))


if __name__ == "__main__":
    main()
