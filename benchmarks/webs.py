"""Six generated webs, crawled on loopback by the command: what the report says of each, beside what is true of it.

python -m benchmarks.webs [--save]

Each is crawled to its end and, for the estimates, up to a share of its pages. The truth is the growth of the generator
in breadth-first order, so a crawl that fetches several pages at once differs from it a little.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.docsites import at_once
from benchmarks.link_webs import LinkWeb, Rng, crawl, lists_with_leaves
from benchmarks.manual import write

crawling: Any = import_module("tests.support.crawls.crawling")  # untyped, as tests are
site: Any = import_module("tests.support.web.site")

PAGE = Path(__file__).parent.parent / "docs" / "quality.md"
BEGIN, END = "<!-- benchmarks.webs -->\n", "<!-- end of benchmarks.webs -->"
SEED = 39
HOST = "web.test"
PART = 0.4
TOLERANCE = 0.05
MENU = 40  # pages of a menu
LONGEST = 600  # seconds of a crawl
SERVED = 6000  # pages of a web without an end


def tree(rng: Rng) -> LinkWeb:
    """3,000 pages; each links to its five children and to its parent."""
    size = 3000

    def links(page: int) -> Sequence[int]:
        below = range(5 * page + 1, min(size, 5 * page + 6))
        return [*below, (page - 1) // 5] if page else below

    return LinkWeb(links=links, pages=size, crawled=size)


def lists(rng: Rng) -> LinkWeb:
    """40 lists of 50 leaves, each with a link to the next list; leaves link to the start and to their list."""
    return lists_with_leaves(40, 50)


def calendar(rng: Rng) -> LinkWeb:
    """A site of 400 pages, and a calendar without an end: each month links to its 30 days and to the next month."""
    own, days = 400, 30
    site = rng.integers(0, own, (own, 4))

    def links(page: int) -> Sequence[int]:
        if page < own:
            return [*site[page].tolist(), (page + 1) % own, own]
        month, day = divmod(page - own, 1 + days)
        first = own + month * (1 + days)
        return [0, first] if day else [0, *range(first + 1, first + 2 + days)]

    return LinkWeb(links=links, pages=math.inf, crawled=2000)


def attachment(rng: Rng) -> LinkWeb:
    """2,000 pages, each linked both ways with three earlier ones, by their links (Barabasi and Albert)."""
    size, ends = 2000, [0, 1]
    outs: list[set[int]] = [{1}, {0}, *(set() for _ in range(size - 2))]
    for page in range(2, size):
        for other in {ends[int(rng.integers(0, len(ends)))] for _ in range(3)}:
            outs[page].add(other)
            outs[other].add(page)
            ends += [page, other]
    return LinkWeb(links=lambda page: sorted(outs[page]), pages=size, crawled=size)


def menus(rng: Rng) -> LinkWeb:
    """2,000 pages: a menu of 40 on each, and in the main text links to two children and to three pages nearby."""
    size = 2000

    def links(page: int) -> Sequence[int]:
        children = range(2 * page + 1, min(size, 2 * page + 3))
        return [*children, *(abs(page - step) for step in (1, 7, 20))]

    return LinkWeb(links=links, pages=size, crawled=size)


def pool(rng: Rng) -> LinkWeb:
    """Six links on average on each page, to any of 1,500: after n pages 1,500 (1 - exp(-6 n / 1,500)) are known."""
    size = 1500
    outs = [rng.integers(0, size, each).tolist() for each in rng.poisson(6, size)]
    outs[0] = rng.integers(0, size, 6).tolist()
    return LinkWeb(links=lambda page: outs[page], pages=size, crawled=size)


KINDS: dict[str, Callable[[Rng], LinkWeb]] = {
    "tree": tree,
    "lists with leaves": lists,
    "calendar trap": calendar,
    "preferential attachment": attachment,
    "menus": menus,
    "finite pool": pool,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A web that is served, and how many pages are known after each page in breadth-first order."""

    name: str
    distinct: Sequence[int]
    endless: bool
    answers: dict[tuple[str, str], Any]

    def known(self, pages: int) -> int:
        return self.distinct[min(pages, len(self.distinct)) - 1]


def made(name: str) -> Made:
    web = KINDS[name](np.random.default_rng((SEED, list(KINDS).index(name))))
    menu = range(1, MENU + 1) if name == "menus" else range(0)
    linked = replace(web, links=lambda page: [*menu, *web.links(page)])
    order = crawl(linked)
    pages = range(SERVED if math.isinf(web.pages) else int(web.pages))
    answers = {(HOST, _path(page)): site.Answer(body=_body(page, web.links(page), menu)) for page in pages}
    return Made(name=name, distinct=order.distinct, endless=math.isinf(web.pages), answers=answers)


def _path(page: int) -> str:
    return f"/{page}" if page else "/"


def _body(page: int, links: Sequence[int], menu: Sequence[int]) -> bytes:
    nav = "".join(f"<a href={_path(each)}>{each}</a> " for each in menu)
    main = "".join(f"<a href={_path(each)}>page {each}</a> " for each in links)
    return f"<title>{page}</title><nav>{nav}</nav><main><p>This is page {page}. {main}</main>".encode()


def reported(web: Any, directory: Path, pages: int) -> dict[str, Any]:
    """The JSON of the report after so many pages."""
    options = (*at_once(web.resolve), "--max-pages", pages, "--set", "duplicates.soft_404=0")
    begin = crawling.command("crawl", web.url(HOST, "/"), "-d", directory, *options)
    subprocess.run(begin, capture_output=True, timeout=LONGEST)
    wanted = crawling.command("report", directory, "--format", "json", "--section", "laws,estimates")
    done = subprocess.run(wanted, capture_output=True, text=True, check=True, timeout=LONGEST)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def laws_row(made: Made, law: dict[str, Any] | None, pages: int) -> str:
    """What is said of the growth, beside the generator's."""
    if law is None or law["holds_from"] is None:
        return f"| {made.name} | {pages:,} | nowhere | - | - | {_pool(made, law)} |"
    first, last = int(law["holds_from"]), int(law["holds_to"])

    def off(n: int) -> float:
        return abs(made.known(n) / float(law["k"] * n ** law["beta"]) - 1)

    furthest = max(off(n) for n in range(first, last + 1))
    leaves = next((n for n in range(first, pages + 1) if off(n) > TOLERANCE and n > (first + last) / 2), pages)
    stated = f"{law['k']:.3g} n^{law['beta']:.3g} from {first:,} to {last:,}"
    return f"| {made.name} | {pages:,} | {stated} | {100 * furthest:.1f} % | {leaves:,} | {_pool(made, law)} |"


def _pool(made: Made, law: dict[str, Any] | None) -> str:
    second = law and law["pool"]
    truth = "no end" if made.endless else f"{made.distinct[-1]:,}"
    if not second:
        return f"none ({truth})"
    of_size = second["size_interval"]
    return f"{second['size']:,.0f}, {of_size['low']:,.0f} to {of_size['high']:,.0f} ({truth})"


def estimates_row(made: Made, estimates: dict[str, Any], pages: int) -> str:
    """The lower bound and the forecast after so many pages, beside the truth."""
    bound, ahead = estimates["at_least"], estimates["forecast"]
    size = "no end" if made.endless else f"{made.distinct[-1]:,}"
    least = f"{bound['size']:,.0f}, {bound['low']:,.0f} to {bound['high']:,.0f}" if bound else "not shown"
    more = ahead["pages"] if ahead else pages
    came = made.known(pages + more) - made.known(pages)
    said = f"{ahead['expected']:,.0f}, {ahead['low']:,.0f} to {ahead['high']:,.0f}" if ahead else "not shown"
    return f"| {made.name} | {pages:,} | {least} | {size} | {said} | {came:,} of {more:,} pages |"


def measured(names: Sequence[str] = tuple(KINDS)) -> str:
    """Both tables, in Markdown."""
    growth = [
        "| web | pages | law | off by at most | it holds to | finite pool (size) |",
        "|:--|--:|:--|--:|--:|:--|",
    ]
    ahead = [
        "| web | after pages | lower bound | size | forecast of new URLs | came |",
        "|:--|--:|:--|--:|:--|:--|",
    ]
    for name in names:
        each = made(name)
        pages = len(each.distinct)
        part = round(PART * pages)
        with tempfile.TemporaryDirectory() as directory, site.Web(each.answers) as web:
            complete = reported(web, Path(directory) / "complete", pages)
            early = reported(web, Path(directory) / "early", part)
        growth.append(laws_row(each, complete["laws"]["in_scope"], pages))
        ahead.append(estimates_row(each, early["estimates"], part))
        print(growth[-1], ahead[-1], sep="\n", file=sys.stderr, flush=True)
    return "\n".join([*growth, "", *ahead])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("webs", nargs="*", metavar="WEB", help=", ".join(KINDS))
    parser.add_argument("--save", action="store_true", help="write the result into docs/quality.md")
    options = parser.parse_args()
    text = measured(options.webs or tuple(KINDS))
    print(text)
    if options.save:
        write(PAGE, BEGIN, END, text)


if __name__ == "__main__":
    main()
