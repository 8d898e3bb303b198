"""What each feature costs a page, switched on alone: python -m benchmarks.features [--rounds N] [--save]

The base is a crawl of the documentation sites that archives answers and follows links, and does nothing else. Each
feature is switched on alone, with what it needs, and crawls the same pages in the same round; its price is the
difference of the processor time, by the pages of the base: of page requisites it has what their own requests cost.
`--save` writes the table into docs/speed.md.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from benchmarks import manual
from benchmarks.crawlers import LINKS_ONLY, Round, crawl_by, ttcrawl_with
from benchmarks.docs import MANUAL, install_packages
from benchmarks.docsites import DocSites, docsites

BEGIN, END = "<!-- features -->\n", "<!-- features end -->\n"

ROLES = ("ttcrawl", "ttcrawl-fetch", "ttcrawl-parse")

#: Features from one crawl of the base to the next: its price is the mean of the two around a feature.
EVERY = 4

#: What a user can switch off besides `LINKS_ONLY`, and does not need to follow links.
BASE = LINKS_ONLY | {"archive.requests": "no", "archive.dns": "no", "duplicates.soft_404": "0", "traps.same_bytes": "0"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """What is switched on. None is the default of a key; `DIR` in a value is a directory for files."""

    name: str
    settings: Mapping[str, str | None]
    files: Mapping[str, str] = field(default_factory=dict)  # name -> text, written into DIR before the crawl
    as_it_comes: bool = False


TEXT: dict[str, str | None] = {"record.text": None}
MAIN: dict[str, str | None] = TEXT | {"record.main": None}
NO_BASE: dict[str, str | None] = dict.fromkeys(BASE)

HOOK = "def page(page):\n    return {'length': len(page.title)}\n"
TERMS = "\n".join(f"{10 + n % 90}: word{n}=subject" for n in range(1_000))
RULES = "\n".join(f"exclude path:/never-{n}/" for n in range(100))
BLACKLIST = "\n".join(f"http*://blocked-{n}.example/*" for n in range(1_000))

#: In the order of the manual.
FEATURES = (
    Feature(name="title, description and other metadata", settings={"record.metadata": None}, as_it_comes=True),
    Feature(name="text", settings=TEXT, as_it_comes=True),
    Feature(name="text and main text", settings=MAIN, as_it_comes=True),
    Feature(name="text and language", settings=TEXT | {"record.language": None}, as_it_comes=True),
    Feature(name="links of other kinds (images, styles, scripts)", settings={"links.recorded": None}, as_it_comes=True),
    Feature(name="landmark of a link", settings={"links.landmarks": None}, as_it_comes=True),
    Feature(name="anchor texts", settings={"links.anchors": None}, as_it_comes=True),
    Feature(name="exact duplicates", settings={"duplicates.exact": None}, as_it_comes=True),
    Feature(name="main text and near duplicates", settings=MAIN | {"duplicates.near": None}, as_it_comes=True),
    Feature(name="classes of repeated pages", settings=MAIN | {"duplicates.repeated": None}, as_it_comes=True),
    Feature(name="documents", settings={"documents.convert": None}, as_it_comes=True),
    Feature(name="sitemaps of robots.txt", settings={"sitemaps.use": None}, as_it_comes=True),
    Feature(name="traps of same content", settings={"traps.same_content": None}, as_it_comes=True),
    Feature(name="requests in the archive", settings={"archive.requests": None}, as_it_comes=True),
    Feature(name="addresses in the archive", settings={"archive.dns": None}, as_it_comes=True),
    Feature(name="all of these: as it comes", settings=NO_BASE),
    Feature(name="page requisites", settings={"links.page_requisites": "yes"}),
    Feature(name="files beside the archive", settings={"files.save": "yes"}),
    Feature(name="cookies", settings={"fetch.cookies": "kept"}),
    Feature(name="HEAD before GET", settings={"fetch.head_first": "yes"}),
    Feature(name="urllib3 in place of libcurl", settings={"fetch.transport": "urllib3"}),
    Feature(name="100 rules", settings={"scope.rules": RULES}),
    Feature(name="a blacklist of 1,000 patterns", settings={"scope.blacklist": BLACKLIST}),
    Feature(
        name="a hook for pages", settings={"hooks.page": "hook:page", "hooks.path": "DIR"}, files={"hook.py": HOOK}
    ),
    Feature(name="events", settings={"hooks.events": "DIR/events.jsonl"}),
    Feature(name="metrics", settings={"crawl.metrics": "DIR/metrics.prom"}),
    Feature(
        name="a topic of 1,000 terms",
        # Scored only: all links are followed, for a crawl of fewer pages is no comparison
        settings=MAIN | {"record.metadata": None, "topic.terms": "DIR/terms.txt", "topic.tunnel": "-1"},
        files={"terms.txt": TERMS},
    ),
    Feature(name="commits that survive a power failure", settings={"store.durability": "power"}),
)


#: Process name -> CPU ms a page; "" is all processes.
Cost: TypeAlias = Mapping[str, float]


def crawled(sites: DocSites, settings: Mapping[str, str | None], files: Mapping[str, str]) -> Round:
    """Crawl once. Ends the program if the crawl fails."""
    with tempfile.TemporaryDirectory(prefix="features-") as name:
        folder = Path(name)
        for file, text in files.items():
            (folder / file).write_text(text)
        given = {key: value for key, value in {**BASE, **settings}.items() if value is not None}
        command = ttcrawl_with({key: value.replace("DIR", name) for key, value in given.items()})
        return crawl_by("ttcrawl", command, sites, folder)


def cost(crawl: Round, pages: int) -> Cost:
    """Of a crawl, by so many pages."""
    return {"": 1000 * crawl.cpu / pages} | {role: 1000 * crawl.roles.get(role, 0.0) / pages for role in ROLES}


def prices(sites: DocSites, features: Sequence[Feature]) -> Iterator[tuple[str, Cost]]:
    """One round: yield the name of each feature and its price; "" and the cost of the base.

    Ends the program if a crawl misses a page of the base.
    """
    base = crawled(sites, {}, {})
    pages = len(base.pages)
    yield "", cost(base, pages)
    for first in range(0, len(features), EVERY):
        some = features[first : first + EVERY]
        crawls = [crawled(sites, each.settings, each.files) for each in some]
        after = crawled(sites, {}, {})
        yield "", cost(after, pages)
        around = {role: (before + cost(after, pages)[role]) / 2 for role, before in cost(base, pages).items()}
        for feature, crawl in zip(some, crawls, strict=True):
            if missing := base.pages - crawl.pages:
                raise SystemExit(f"{feature.name}: {len(missing)} pages missing, such as {min(missing)}")
            yield feature.name, {role: of - around[role] for role, of in cost(crawl, pages).items()}
        base = after


def table(found: Mapping[str, Sequence[Cost]], features: Sequence[Feature]) -> str:
    """Medians in microseconds, with the quarters around that of all processes."""
    lines = ["| feature | as it comes | CPU us a page | middle half | crawl process | fetch | parse |"]
    lines.append("|---|---|--:|--:|--:|--:|--:|")
    comes = {each.name: "yes" if each.as_it_comes else "" for each in features}
    for name, costs in found.items():
        whole = sorted(1000 * each[""] for each in costs)
        low, middle, high = statistics.quantiles(whole, n=4) if len(whole) > 1 else whole * 3
        roles = (1000 * statistics.median(each[role] for each in costs) for role in ROLES)
        cells = [f"{middle:,.0f}", f"{low:,.0f} to {high:,.0f}", *(f"{each:,.0f}" for each in roles)]
        lines.append(f"| {name or 'archive and links alone'} | {comes.get(name, '')} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", nargs="+", choices=[each.name for each in FEATURES])
    parser.add_argument("--save", action="store_true", help="write the table into docs/speed.md")
    arguments = parser.parse_args()
    install_packages()
    features = [each for each in FEATURES if each.name in (arguments.only or each.name)]
    found: dict[str, list[Cost]] = {name: [] for name in ("", *(each.name for each in features))}
    with docsites() as sites:
        for number in range(arguments.rounds):
            for name, cost in prices(sites, features):
                found[name].append(cost)
            print(f"round {number + 1} of {arguments.rounds}", file=sys.stderr, flush=True)
    text = table(found, features)
    print(text)
    if arguments.save:
        manual.write(MANUAL, BEGIN, END, text)


if __name__ == "__main__":
    main()
