"""One crawl of the corpus in one order, seen from the server: its access log says which page came when."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.topical.corpus import EXCLUDED, Corpus
from benchmarks.topical.curve import Curve
from benchmarks.topical.subject import Subject

#: Seconds between two looks at the log, and from the end of all requests to the end of a crawl.
LOOK, ENDING = 0.2, 300.0

#: Nothing that costs time and decides nothing here.
PLAIN = ("duplicates.near=no", "duplicates.exact=no", "duplicates.soft_404=0", "record.main=no", "record.language=no")

#: One request at a time, so that the order is the frontier's.
EXACT = (
    *("crawl.fetchers=1", "crawl.threads=1", "crawl.parsers=1", "crawl.data_queue=1"),
    *("politeness.connections=1", "politeness.domain_share=1"),
)

BREADTH = "breadth first"
BEST_FIRST = ("frontier.priority=topic", "topic.tunnel=-1")


@dataclass(frozen=True, slots=True)
class Order:
    """What decides which page comes next."""

    name: str
    settings: tuple[str, ...]


def orders(subject: Subject, model: Path) -> list[Order]:
    """Breadth first; along relevant pages, as a term list or a model has them; and best first.

    Breadth first crawls everything, with more than one request at a time: which of two URLs of the same depth comes
    first hardly matters there.
    """
    terms, trained = f"topic.terms={subject.terms}", f"topic.model={model}"
    return [
        Order(BREADTH, ("record.text=no", "record.metadata=no", "links.anchors=no", "links.landmarks=no")),
        Order("along relevant pages, term list", (*EXACT, terms, "topic.tunnel=1")),
        Order("along relevant pages, SVM", (*EXACT, trained, "topic.tunnel=1")),
        best_first_by_terms(subject),
        Order("best first, SVM", (*EXACT, trained, *BEST_FIRST)),
        Order("best first, SVM and term list", (*EXACT, terms, trained, *BEST_FIRST)),
    ]


def best_first_by_terms(subject: Subject) -> Order:
    return Order("best first, term list", (*EXACT, f"topic.terms={subject.terms}", *BEST_FIRST))


def crawl(corpus: Corpus, subject: Subject, order: Order, run: int, directory: Path, enough: float = math.inf) -> Curve:
    """Crawl until this many relevant pages are found, or everything is. Raises RuntimeError."""
    command = [sys.executable, "-m", "ttcrawl", "crawl", *corpus.seeds(run), "-d", str(directory)]
    command += [*corpus.sites.at_once, "--scope", "host"]
    for pattern in EXCLUDED:
        command += ["--exclude", pattern]
    for setting in (*PLAIN, *order.settings):
        command += ["--set", setting]
    lines = _lines(corpus.sites.access_log, corpus.sites.mark())
    with (directory.parent / f"{directory.name}.log").open("w+") as log:
        crawler = subprocess.Popen(command, stdout=log, stderr=log, text=True)
        try:
            curve = _watch(crawler, lines, subject, enough)
        finally:
            if crawler.poll() is None:
                crawler.send_signal(signal.SIGINT)
            code = crawler.wait(ENDING)
        log.seek(0)
        if code not in (0, 3):
            raise RuntimeError(f"{order.name}, run {run}: exit status {code}\n{log.read()}")
    return curve


def _watch(crawler: subprocess.Popen[str], lines: Iterator[Sequence[str]], subject: Subject, enough: float) -> Curve:
    fetched, found, seen = 0, [], set[str]()
    while True:
        ended = crawler.poll() is not None  # before the look: what it asked for is in the log
        for line in next(lines):
            request = json.loads(line)
            url = f"http://{request['host']}{request['uri']}"
            if request["uri"] == "/robots.txt" or "/.mark-" in url or url in seen:
                continue
            seen.add(url)
            fetched += 1
            if request["status"] == "200" and subject.relevant(url):
                found.append(fetched)
                if len(found) >= enough:
                    return Curve(found=found, fetched=fetched)
        if ended:
            return Curve(found=found, fetched=fetched)
        time.sleep(LOOK)


def _lines(log: Path, position: int) -> Iterator[list[str]]:
    """Yield the complete lines since the last time."""
    rest = ""
    with log.open(encoding="utf-8") as file:
        file.seek(position)
        while True:
            *complete, rest = (rest + file.read()).split("\n")
            yield complete
