"""What a page costs the crawl process, by part: the messages of a real crawl, without processes and sockets.

python -m benchmarks.owner [--links-only | --best-first] [--hosts N] [--pages N] [--rounds N] [--batch N] [--room N]

The first run records a crawl of the documentation sites (`benchmarks.recorded`) into bench-results/. Each round feeds
the recording to a crawl with a crawl.db of its own, several messages at a time. A timer samples the processor time; a
sample counts for the innermost function that has a part. The budget of a part is half of what it may cost in a real
crawl, where caches are cold; a part over it is marked. The difference between a crawl with --best-first and one without
is what best first costs the crawl process.

With --hosts, the pages are those of a generated web (`benchmarks.many_hosts`) whose messages are as large as recorded
ones. Each round also crawls a quarter of the pages: the difference is what a further page costs, and the rest is paid
once a crawl, from its begin to the end of `close`. Imports and processes are not in it.
"""

from __future__ import annotations

import argparse
import gc
import signal
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import FrameType

from benchmarks.crawlers import LINKS_ONLY
from benchmarks.many_hosts import many_hosts
from benchmarks.recorded import (
    Recording,
    Replayed,
    ReplayRing,
    configuration,
    crawl_over,
    of_recording,
    recorded,
    replay_store,
)
from ttcrawl.config.compiled import compile_scope
from ttcrawl.ring.garbage import rarely_collected
from ttcrawl.ring.messages import PAGE

RESULTS = Path(__file__).resolve().parent.parent / "bench-results"

#: A subject whose pages come first; all pages are fetched in the end.
BEST_FIRST = {
    "topic.terms": str(Path(__file__).parent / "topical" / "subjects" / "network.terms"),
    "topic.tunnel": "-1",
    "frontier.priority": "topic",
}

#: Seconds of processor time between two samples; the kernel rounds it up to its own tick.
PERIOD = 1e-3

#: The end of the name of a module, a function ("": any) -> the part. The first match counts.
PARTS = (
    ("benchmarks/recorded.py", "_put", "replay"),
    ("benchmarks/recorded.py", "_same", "replay"),
    ("benchmarks/many_hosts.py", "", "replay"),
    ("benchmarks/recorded.py", "", "receive"),
    ("ring/channel.py", "feed", "receive"),
    ("frontier/seen.py", "", "seen"),
    ("frontier/recent.py", "", ""),  # its caller has a part
    ("frontier/known_paths.py", "", "known URLs"),
    ("store/urls.py", "find", "known URLs"),
    ("frontier/rediscovery.py", "", "known URLs"),
    ("frontier/ledger.py", "_carry_out", "known URLs"),
    ("frontier/ledger.py", "settle", "rows"),
    ("frontier/ledger.py", "", "discover"),
    ("engine/duplicates/", "", "duplicates"),
    ("read/fingerprints/", "", "duplicates"),
    ("store/fingerprints.py", "", "duplicates"),
    ("store/buckets.py", "", "duplicates"),
    ("store/filters.py", "", "duplicates"),
    ("store/candidates.py", "", "duplicates"),
    ("store/copies.py", "", "answers"),
    ("store/pages.py", "", "answers"),
    ("store/answers.py", "", "answers"),
    ("store/urls.py", "", "rows"),
    ("store/pending.py", "", "rows"),
    ("store/index.py", "", "rows"),
    ("web/traps/", "", "traps"),
    ("engine/settle/trap_memory.py", "", "traps"),
    ("engine/settle/visits.py", "", "visits"),
    ("engine/settle/", "", "settle"),
    ("frontier/", "", "queue"),
    ("engine/admission.py", "", "send"),
    ("engine/loop.py", "_send", "send"),
    ("engine/loop.py", "_commit", "commit"),
    ("store/sqlite.py", "flush", "answers"),
    ("store/sqlite.py", "", "commit"),
    ("store/locks.py", "", "commit"),
    ("store/database.py", "", "commit"),
    ("engine/loop.py", "", "loop"),
)

#: Microseconds a page. In a real crawl, with cold caches, a part costs twice as much.
BUDGET = {
    "receive": 10,
    "seen": 5,
    "known URLs": 5,
    "discover": 10,
    "rows": 10,
    "answers": 10,
    "duplicates": 5,
    "traps": 3,
    "visits": 4,
    "settle": 5,
    "queue": 8,
    "send": 6,
    "commit": 4,
    "loop": 4,
}


class Sampler:
    """Samples of processor time by part, while it runs."""

    def __init__(self) -> None:
        self.parts: Counter[str] = Counter()

    def __enter__(self) -> Sampler:
        signal.signal(signal.SIGPROF, self._sample)
        signal.setitimer(signal.ITIMER_PROF, PERIOD, PERIOD)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)

    def _sample(self, _: int, frame: FrameType | None) -> None:
        while frame is not None:
            if part := part_of(frame.f_code.co_filename, frame.f_code.co_name):
                self.parts[part] += 1
                return
            frame = frame.f_back
        self.parts["other"] += 1


def part_of(file: str, function: str) -> str:
    for name, only, part in PARTS:
        if name in file and only in ("", function):
            return part
    return ""


def replay(replayed: Replayed, pages: int, batch: int, room: int, sampler: Sampler) -> tuple[float, int]:
    """Return the seconds of processor time of a crawl of these pages, and how many there were."""
    seeds, settings = replayed.seeds, {**replayed.settings, "crawl.max_pages": str(pages)}
    config = configuration(replayed.resolve, settings)
    scope = compile_scope(config.scope, tuple(seeds), config.hosts)
    ring = ReplayRing(replayed.exchange, batch=batch, room=room)
    with tempfile.TemporaryDirectory(dir=RESULTS) as directory:
        store = replay_store(Path(directory), seeds)
        crawl, links = crawl_over(ring, config, seeds, scope, store)
        gc.collect()
        began = time.process_time()
        with rarely_collected(), sampler:
            crawl.run(links)
            store.close()
        spent = time.process_time() - began - ring.overhead.seconds
    return spent, crawl.counters.pages


def recording_of(options: argparse.Namespace) -> Recording:
    if options.links_only:
        return recorded(RESULTS / "owner-links.msgpack", LINKS_ONLY)
    if options.best_first:
        return recorded(RESULTS / "owner-best-first.msgpack", BEST_FIRST)
    return recorded(RESULTS / "owner.msgpack", {})


def print_parts(parts: Counter[str], mean: float) -> None:
    """`mean`: microseconds a page, which are divided by the samples of each part."""
    print("| part | us a page | budget | |\n|---|--:|--:|---|")
    ours = {part: count for part, count in parts.items() if part != "replay"}
    share = mean / sum(ours.values())
    for part, count in sorted(ours.items(), key=lambda each: -each[1]):
        allowed = BUDGET.get(part, 0)
        print(f"| {part} | {share * count:.1f} | {allowed} | {'over' if share * count > allowed else ''} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--links-only", action="store_true", help="of a crawl that records only links")
    kinds.add_argument("--best-first", action="store_true", help="of a crawl with a term list, best first")
    parser.add_argument("--hosts", type=int, default=0, help="of a generated web, for example 10000")
    parser.add_argument("--pages", type=int, default=0, help="of this web: 20,000 unless said; else all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batch", type=int, default=4, help="messages received at once")
    parser.add_argument("--room", type=int, default=64, help="requests in flight")
    options = parser.parse_args()
    recording = recording_of(options)
    replayed = many_hosts(recording, options.hosts) if options.hosts else of_recording(recording)
    most = options.pages or (20_000 if options.hosts else sum(each.kind == PAGE for each in recording.exchanges))
    quarter, sampler = most // 4, Sampler()
    # imports what is imported in the middle of a crawl
    replay(replayed, quarter, options.batch, options.room, Sampler())
    spent, slopes, pages = [], [], 0
    for _ in range(options.rounds):
        less, fewer = replay(replayed, quarter, options.batch, options.room, Sampler())
        seconds, pages = replay(replayed, most, options.batch, options.room, sampler)
        spent.append(1e6 * seconds / pages)
        slopes.append(1e6 * (seconds - less) / (pages - fewer))
    median, slope = statistics.median(spent), statistics.median(slopes)
    print(f"{pages:,} pages, {options.batch} messages at once: {median:.0f} us a page", end="")
    print(f" (from {min(spent):.0f} to {max(spent):.0f})")
    print(f"a further page {slope:.0f} us (from {min(slopes):.0f} to {max(slopes):.0f})", end="")
    print(f", once a crawl {(median - slope) * pages / 1000:.0f} ms\n")
    print_parts(sampler.parts, statistics.mean(spent))


if __name__ == "__main__":
    main()
