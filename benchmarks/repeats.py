"""What it costs to know which patterns of URLs repeat: a page that came, a URL whose turn has come, and memory.

python -m benchmarks.repeats [--pages N]

URLs of a site as in `tests/engine/duplicates`: articles with print versions, sorted lists, sessions, a calendar; and
one of long honest paths. Microseconds of the crawl process, medians of stretches of 5,000; bytes by tracemalloc, in
another run.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ttcrawl.config import Duplicates
from ttcrawl.engine.duplicates.patterns import patterns
from ttcrawl.engine.duplicates.repeats import Repeats
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.store.sqlite import Store

SEGMENT = 5_000


def repeating(rng: random.Random) -> Iterator[tuple[str, str]]:
    """URLs without end, and what each says."""
    while True:
        n = rng.randrange(1_000_000)
        yield f"http://a.test/art/{n}", f"article {n}"
        yield f"http://a.test/art/{n}?print=1", f"article {n}"
        yield f"http://a.test/print/art/{n}", f"article {n}"
        yield f"http://a.test/list?page={n}&sort=name&order=up", f"list {n}"
        yield f"http://a.test/list?page={n}&sort=date&order=down", f"list {n}"
        yield f"http://a.test/shop/{n % 1000}?sid={n:x}", f"shop {n % 1000}"
        yield f"http://a.test/cal/{n % 8000}/{n % 12}", "no events"


def honest(rng: random.Random) -> Iterator[tuple[str, str]]:
    while True:
        path = "/".join(rng.choice(("docs", "en", "api", "guide", "v2", "library", "news")) for _ in range(4))
        n = rng.randrange(10_000_000)
        yield f"http://b.test/{path}/the-title-of-page-{n}.html", f"page {n}"


def crawl_times(repeats: Repeats, urls: Iterator[tuple[str, str]], pages: int) -> tuple[list[float], list[float]]:
    """Seconds of each segment: of the pages that came, and of as many URLs that were asked about."""
    first: dict[str, int] = {}
    page_times, url_times = [], []
    for start in range(0, pages, SEGMENT):
        batch = [next(urls) for _ in range(SEGMENT)]
        queued = [Queued(id=1, url=url, depth=1, priority=0) for url, _ in batch]
        marks = [(first.setdefault(content, start + n), start + n) for n, (_, content) in enumerate(batch, 1)]
        url_times.append(_times(repeats.likely, [(each,) for each in queued]))
        fetched: list[tuple[object, ...]] = [
            (page, url, None if original == page else original, [])
            for (url, _), (original, page) in zip(batch, marks, strict=True)
        ]
        page_times.append(_times(repeats.saw, fetched))
        repeats.before_commit()
    return page_times, url_times


def _times(step: Callable[..., object], calls: Sequence[tuple[object, ...]]) -> float:
    """Seconds of a step with each of these arguments."""
    started = time.perf_counter()
    for arguments in calls:
        step(*arguments)
    return time.perf_counter() - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--pages", type=int, default=200_000)
    pages = options.parse_args().pages
    for name, urls in (("repeating", repeating), ("honest", honest)):
        with tempfile.TemporaryDirectory() as directory:
            figures: dict[str, float] = {"pages": pages}
            batch = [url for (url, _), _ in zip(urls(random.Random(1)), range(SEGMENT), strict=False)]
            alone = [_times(patterns, [(url,) for url in batch]) for _ in range(9)]
            figures["patterns of a URL, us"] = round(statistics.median(alone) / SEGMENT * 1e6, 1)
            for run in ("time", "memory"):
                store = Store(Path(directory) / f"{run}.db", create=True)
                for host in ("a.test", "b.test"):
                    store.sites.add(host, host)
                repeats = Repeats(store, Duplicates(), "")
                if run == "memory":
                    tracemalloc.start()
                    before = tracemalloc.get_traced_memory()[0]
                page_times, url_times = crawl_times(repeats, urls(random.Random(1)), pages)
                if run == "memory":
                    figures["memory, MB"] = round((tracemalloc.get_traced_memory()[0] - before) / 1e6, 1)
                    tracemalloc.stop()
                else:
                    figures["a page, us"] = round(statistics.median(page_times) / SEGMENT * 1e6, 1)
                    figures["a URL whose turn has come, us"] = round(statistics.median(url_times) / SEGMENT * 1e6, 1)
                store.close()
            print(name, json.dumps(figures))


if __name__ == "__main__":
    main()
