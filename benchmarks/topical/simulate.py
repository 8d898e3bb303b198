"""Other orders over the web of one recorded crawl, without a network: python -m benchmarks.topical.simulate DIR

If DIR does not exist, a best-first crawl of the complete corpus makes it. Its tables have the links, the score of the
words at each, and which pages the term list takes for relevant. So formulas that make the score of a URL of these are
compared in seconds. One URL is fetched at a time; or one of each host in turn, as where all hosts have the same delay.
"""

from __future__ import annotations

import argparse
import heapq
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.topical.corpus import corpus
from benchmarks.topical.crawls import best_first_by_terms, crawl
from benchmarks.topical.curve import SHARES, Curve, Run
from benchmarks.topical.subject import MEASURED, SUBJECTS, Subject
from ttcrawl.topic import best_first
from ttcrawl.vocabulary.state import QUEUED, REFUSED

#: Score of the words at a link, what its page hands down, depth of its target -> score; larger is first.
Formula = Callable[[int, int, int], float]

FULL = best_first.FULL

FORMULAS: dict[str, Formula] = {
    "breadth first": lambda link, page, depth: -depth,
    "what the page hands down": lambda link, page, depth: page,
    "words at the link": lambda link, page, depth: link,
    "half of each": lambda link, page, depth: (link + page) / 2,
    "words, a tenth of the page": lambda link, page, depth: 0.9 * link + 0.1 * page,
    "either: 1 - (1 - words)(1 - page / 2)": lambda link, page, depth: FULL - (FULL - link) * (FULL - page / 2) / FULL,
    "best_first.offered": lambda link, page, depth: best_first.offered(link, page),
}


@dataclass(frozen=True, slots=True)
class Web:
    seeds: list[int]
    hosts: dict[int, str]
    truth: set[int]  # relevant by path
    judged: dict[int, bool]  # relevant by the crawl
    links: dict[int, list[tuple[int, int]]]  # page -> (URL, score of the words at the best link to it)


def recorded(directory: Path, subject: Subject) -> Web:
    with closing(sqlite3.connect(f"file:{directory / 'crawl.db'}?mode=ro", uri=True)) as database:
        fetched = database.execute(
            "SELECT id, key, url.url, found_on, coalesce(status = 200, 0) FROM url LEFT JOIN page ON page.url = id"
            " WHERE state NOT IN (?, ?) ORDER BY id",
            (REFUSED, QUEUED),
        ).fetchall()
        ids = {key: number for number, key, _, _, _ in fetched}
        links: dict[int, list[tuple[int, int]]] = {}
        for source, targets, scores in database.execute(
            "SELECT source, targets, scores FROM outlinks JOIN link_score ON link_score.url = source"
        ):
            best: dict[int, int] = {}
            for key, score in zip(json.loads(targets), scores, strict=True):
                if (target := ids.get(key)) is not None and target != source:
                    best[target] = max(best.get(target, 0), 5 * score)
            links[source] = list(best.items())
        judged = {number: bool(relevant) for number, relevant in database.execute("SELECT url, relevant FROM topic")}
    return Web(
        seeds=[number for number, _, _, found_on, _ in fetched if found_on is None],
        hosts={number: urlsplit(url).netloc for number, _, url, _, _ in fetched},
        truth={number for number, _, url, _, well in fetched if well and subject.relevant(url)},
        judged=judged,
        links=links,
    )


@dataclass(slots=True)
class Queue:
    """Heaps of URLs: one for all hosts, or one for each."""

    formula: Formula
    heaps: dict[str, list[tuple[float, int, int]]] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)
    order: dict[int, int] = field(default_factory=dict)  # of discovery
    done: set[int] = field(default_factory=set)

    def offer(self, url: int, host: str, score: float) -> None:
        if url not in self.done and score > self.scores.get(url, float("-inf")):
            self.scores[url] = score
            heapq.heappush(self.heaps.setdefault(host, []), (-score, self.order.setdefault(url, len(self.order)), url))

    def take(self) -> Iterator[int]:
        """Yield the first URL of each heap in turn, until all are empty."""
        while any(self.heaps.values()):
            for heap in list(self.heaps.values()):
                while heap:
                    score, _, url = heapq.heappop(heap)
                    if url not in self.done and -score == self.scores[url]:
                        self.done.add(url)
                        yield url
                        break


def simulate(web: Web, formula: Formula, *, hosts_in_turn: bool) -> Curve:
    queue = Queue(formula)
    depths, before = dict.fromkeys(web.seeds, 0), dict.fromkeys(web.seeds, 0)
    for seed in web.seeds:
        queue.offer(seed, web.hosts[seed] if hosts_in_turn else "", float(FULL))
    found: list[int] = []
    for fetched, url in enumerate(queue.take(), start=1):
        if url in web.truth:
            found.append(fetched)
        relevant = web.judged.get(url)
        off_topic = best_first.off_topic(before[url], relevant)
        page = best_first.handed_down(relevant, None, off_topic)
        for target, link in web.links.get(url, ()):
            depth = depths.setdefault(target, depths[url] + 1)
            before[target] = min(before.get(target, off_topic), off_topic)
            queue.offer(target, web.hosts[target] if hosts_in_turn else "", formula(link, page, depth))
    return Curve(found=found, fetched=len(queue.done))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument(
        "--subject", choices=SUBJECTS, default=MEASURED, help="the subject of the term list of the crawl"
    )
    parser.add_argument("--run", type=int, default=1, help="number of the run, which decides where it begins")
    arguments = parser.parse_args()
    subject = SUBJECTS[arguments.subject]
    if not arguments.directory.exists():
        with corpus([arguments.run]) as served:
            crawl(served, subject, best_first_by_terms(subject), arguments.run, arguments.directory)
    web = recorded(arguments.directory, subject)
    print(f"{len(web.hosts):,} URLs, {len(web.truth):,} relevant; pages until {', '.join(f'{s:.0%}' for s in SHARES)}")
    for hosts_in_turn in (False, True):
        print("\nall hosts in turn" if hosts_in_turn else "\none queue")
        for name, formula in FORMULAS.items():
            run = Run(simulate(web, formula, hosts_in_turn=hosts_in_turn), len(web.truth))
            print(f"{name:40}" + "".join(f"{run.pages(share) or 0:10,}" for share in SHARES))


if __name__ == "__main__":
    main()
