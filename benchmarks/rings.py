"""One crawl beside several rings, on the cores of this machine: python -m benchmarks.rings [--rounds N] [--save]

nginx serves generated pages of several hosts, whose links lead to other pages of the host and to other hosts. No delay
is obeyed, so processors are the limit. `ttcrawl crawl` and `ttcrawl cluster crawl` with 1, 2 and 3 rings take turns in
each round; each must request each page once. Figures are medians of the rounds; because the speed of a machine varies,
rates are compared within a round. The rate is from the server's log, from the first to the last request of a page,
so the start and the end of the processes are not in it; they are in the seconds of the whole command.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

from benchmarks import manual
from benchmarks.docsites import DocSites, serving
from benchmarks.measure import finished
from ttcrawl.output.number import counted

MANUAL = Path(__file__).resolve().parent.parent / "docs" / "scale.md"
BEGIN, END = "<!-- rings -->\n", "<!-- rings end -->\n"

#: 0: `ttcrawl crawl`; else the rings of `ttcrawl cluster crawl`.
RINGS = (0, 1, 2, 3)

#: Seconds that a crawl may take.
TIMEOUT = 900.0

#: A way to crawl, and what is measured of it.
Kind = TypeVar("Kind", bound=Hashable)
Done = TypeVar("Done")

#: Words, and links within the host and to others, of a page: some 10 KB.
WORDS, NEAR, FAR = 1_000, 20, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One crawl."""

    requests: int  # of pages
    rate: float  # requests a second
    wall: float  # seconds of the command


def site(directory: Path, hosts: Sequence[str], pages: int, chance: random.Random) -> dict[str, Path]:
    """Write the pages of all hosts; return host -> document root."""
    words = [f"w{chance.randrange(10**6):x}" for _ in range(5_000)]
    for host in hosts:
        (directory / host).mkdir()
        for number in range(pages):
            near = [f"/{each}.html" for each in (number + 1, *chance.sample(range(pages), NEAR - 1))]
            far = [f"http://{chance.choice(hosts)}:@PORT@/{chance.randrange(pages)}.html" for _ in range(FAR)]
            links = "".join(
                f'<li><a href="{each}">{each}</a>' for each in (*near[: NEAR if number + 1 < pages else 0], *far)
            )
            text = " ".join(chance.choices(words, k=WORDS))
            name = f"{number}.html" if number else "index.html"
            html = f"<!DOCTYPE html><html lang=en><title>{host} {number}</title><ul>{links}</ul><p>{text}"
            (directory / host / name).write_text(html, encoding="ascii")
        (directory / host / "0.html").symlink_to("index.html")
    return {host: directory / host for host in hosts}


@contextmanager
def generated(hosts: Sequence[str], pages: int) -> Iterator[tuple[DocSites, Path]]:
    """Serve `pages` generated pages of each host; yield the sites, and a directory for crawls."""
    with tempfile.TemporaryDirectory(prefix="generated-") as name:
        directory = Path(name)
        directory.chmod(0o755)  # for the server's own user
        roots = site(directory, hosts, pages, random.Random(1))
        with serving(roots) as sites:
            with_port(roots, sites.port)
            yield sites, directory


def with_port(roots: dict[str, Path], port: int) -> None:
    """Write the port of the server into the links."""
    for root in roots.values():
        for path in root.glob("*.html"):
            if not path.is_symlink():
                path.write_text(path.read_text(encoding="ascii").replace("@PORT@", str(port)), encoding="ascii")


def crawl(rings: int, sites: DocSites, folder: Path) -> Round:
    """Crawl once. Ends the program if the crawl fails, or a page was requested twice or not at all."""
    what = ["cluster", "crawl", "--rings", str(rings)] if rings else ["crawl"]
    command = [sys.executable, "-m", "ttcrawl", *what, *sites.seeds, *sites.at_once, "--scope", "host"]
    command += ["-d", str(folder / "crawl")]
    since = sites.mark()
    measured = finished(command, folder / "output", TIMEOUT)
    log = [each for each in sites.log(since) if each.uri != "/robots.txt" and each.status == 200]
    urls = {(each.host, each.uri) for each in log}
    if len(urls) < len(log):
        raise SystemExit(f"{named(rings)} requested {len(log) - len(urls)} pages twice")
    seconds = max(each.ended for each in log) - min(each.ended for each in log)
    return Round(requests=len(log), rate=len(log) / seconds, wall=measured.wall)


def named(rings: int) -> str:
    return f"`ttcrawl cluster crawl --rings {rings}`" if rings else "`ttcrawl crawl`"


def in_turn(
    hosts: Sequence[str],
    pages: int,
    rounds: int,
    kinds: Mapping[Kind, str],
    crawl: Callable[[Kind, DocSites, Path], Done],
) -> dict[Kind, list[Done]]:
    """Crawl the same pages in several ways, in turn. `kinds`: what `crawl` gets, and how it is named."""
    found: dict[Kind, list[Done]] = {kind: [] for kind in kinds}
    with generated(hosts, pages) as (sites, directory):
        for number in range(rounds):
            for kind, named in kinds.items():
                folder = directory / f"round-{number}-{kind}"
                folder.mkdir()
                found[kind].append(crawl(kind, sites, folder))
                print(f"round {number + 1}: {named}: {found[kind][-1]}", file=sys.stderr, flush=True)
    return found


def measure(hosts: int, pages: int, rounds: int) -> dict[int, list[Round]]:
    """Let all crawl the same pages, in turn."""
    names = [f"site{number}.test" for number in range(hosts)]
    found = in_turn(names, pages, rounds, {rings: named(rings) for rings in RINGS}, crawl)
    if len({each.requests for of_one in found.values() for each in of_one}) > 1:
        raise SystemExit("the crawls have not found the same pages")
    return found


def report(found: dict[int, list[Round]], hosts: int) -> str:
    requests, rounds = found[0][0].requests, len(found[0])
    lines = [
        f"{requests:,} pages of {hosts} hosts; medians of {counted(rounds, 'round')}, and the range of the ratios:",
        "",
        "| command | pages/s | of one crawl in the same round | seconds of the command |",
        "|---|--:|--:|--:|",
    ]
    for rings, of_one in found.items():
        rate, wall = (statistics.median(map(attrgetter(name), of_one)) for name in ("rate", "wall"))
        ratios = [each.rate / alone.rate for each, alone in zip(of_one, found[0], strict=True)]
        spread = f" ({min(ratios):.2f} to {max(ratios):.2f})" if rings else ""
        lines.append(f"| {named(rings)} | {rate:,.0f} | {statistics.median(ratios):.2f}{spread} | {wall:.1f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=12)
    parser.add_argument("--pages", type=int, default=1_000, help="pages of a host")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--save", action="store_true", help="write the result into docs/scale.md")
    options = parser.parse_args()
    text = report(measure(options.hosts, options.pages, options.rounds), options.hosts)
    print(text)
    if options.save:
        manual.write(MANUAL, BEGIN, END, text)


if __name__ == "__main__":
    main()
