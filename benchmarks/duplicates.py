"""The index of duplicates at scale: what a page costs the crawl process, its memory, and the database.

python -m benchmarks.duplicates [--pages 10000 100000 1000000] [--bands 16]

Fingerprints are generated: of the pages 7 in 10 are new, 2 nearly another one (similarity 0.93), 1 the same byte for
byte; half of the others are among the last thousand, half anywhere. They go through `Originals` into a real crawl.db
whose URLs and answers are there already, with commits as in a crawl. Measured is what the last pages cost (as many as a
whole round of the sweep takes, or half of them all): looking for an identical body, look-ups, comparisons, rows, marks,
sweeps, commits with the checkpoints of the write-ahead log. Then all marks are settled, the process is killed, and the
time is taken until the index stands again. Each size is a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TypeAlias

import numpy
import xxhash
from numpy.typing import NDArray

from ttcrawl import config
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.read.fingerprints import keys
from ttcrawl.ring.columns import Fingerprint, Reading
from ttcrawl.ring.messages import Fetched
from ttcrawl.store.buckets import USUAL
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.reason import NONE
from ttcrawl.vocabulary.state import QUEUED

RESULTS = Path(__file__).resolve().parent.parent / "bench-results"
COMMIT = config.Store().commit_pages
SHINGLES, SIMILARITY, RECENT = 500, 0.93, 1000
POOL = 1 << 20
BATCH = 1000  # pages that are generated in one go, outside of what is measured

Numbers: TypeAlias = NDArray[numpy.uint32]


class Maker:
    """Pages by number; what one is like depends on its number alone, so none has to be remembered."""

    def __init__(self, settings: config.Duplicates) -> None:
        self._settings = settings
        rng = numpy.random.default_rng(1)
        self._pool = rng.permutation(POOL).astype("<u4") * numpy.uint32(2246822519)  # distinct numbers
        self._chances = rng.random(POOL)

    def kind_of(self, number: int) -> tuple[str, int]:
        """new, near or same; and the number of the page that it is like."""
        rng = random.Random(number)
        chance = rng.random()
        if chance < 0.7 or not number:
            return "new", number
        other = rng.randrange(max(0, number - RECENT), number) if rng.random() < 0.5 else rng.randrange(number)
        while self.kind_of(other)[0] != "new":
            other -= 1
        return "near" if chance < 0.9 else "same", other

    def page(self, number: int) -> tuple[bytes, Fingerprint]:
        """Digest of the body, and the fingerprint."""
        kind, like = self.kind_of(number)
        shingles, minima = self._numbers(like)
        name = like if kind == "same" else number
        if kind == "near":
            start, other = number * 613 % (POOL - SHINGLES), numpy.uint32(_hash(-number))
            chances = self._chances[start : start + SHINGLES]
            shingles = numpy.where(chances < (1 - SIMILARITY) / 2, shingles ^ other, shingles)
            minima = numpy.where(chances[: len(minima)] < 1 - SIMILARITY, minima ^ other, minima)
        shingles.sort()
        signature = minima.tobytes()
        text = xxhash.xxh3_128_digest(b"text %d" % name)
        bands = keys.bands(signature, self._settings.bands)
        fingerprint = Fingerprint(text=text, bands=bands, signature=signature, shingles=shingles.tobytes())
        return xxhash.xxh3_128_digest(b"body %d" % name), fingerprint

    def _numbers(self, number: int) -> tuple[Numbers, Numbers]:
        start, mask = number * 617 % (POOL - SHINGLES), numpy.uint32(_hash(number))
        pool = self._pool[start : start + SHINGLES]
        return pool ^ mask, pool[: self._settings.permutations] * numpy.uint32(2654435761) ^ mask


def _hash(number: int) -> int:
    return xxhash.xxh32_intdigest(b"%d" % number)


def fill(store: Store, count: int) -> None:
    """The rows of the URLs and of their answers."""
    store.sites.add("a.example", "example")
    empty = ("", "", "", "", "", 1, "", b"", "", "", "", "", "", "", "", 0, 0, 0, 0, 0, "{}")
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        rows = [NewUrl(n + 1, n * 7919, _url(n), 1, QUEUED, 0.0, depth=_depth(n)) for n in numbers]
        store.urls.add(rows)
        for n in numbers:
            row = (n + 1, 0.0, 200, *empty, "", 0, 0, None, None, None)
            store._batches.add(f"INSERT INTO page VALUES ({', '.join('?' * 30)})", row, n + 1)
        store.commit()


def _url(number: int) -> str:
    return f"http://a.example/section-{number % 97}/document-{number}.html"


def _depth(number: int) -> int:
    return (number + 1).bit_length() // 2


def benchmark(count: int, bands: int, directory: Path) -> dict[str, float]:
    settings = config.Duplicates(bands=bands)
    maker = Maker(settings)
    store = Store(directory / "crawl.db", create=True)
    fill(store, count)
    before, base = _size(directory), _peak()
    originals = Originals(store, settings)
    window = count - min(count // 2, USUAL.new_pages)
    spent = waited = slowest = 0.0
    marked = 0
    for first in range(0, count, BATCH):
        pages = [maker.page(number) for number in range(first, min(first + BATCH, count))]
        for number, (digest, fingerprint) in enumerate(pages, first):
            queued = Queued(id=number + 1, url=_url(number), depth=_depth(number), priority=0)
            fetched, page = _fetched(digest), _Read(fingerprint)
            began, cpu = time.perf_counter(), time.process_time()
            originals.identical(fetched)
            mark, _ = originals.saw(queued, fetched, page)  # type: ignore[arg-type]
            if (number + 1) % COMMIT == 0:
                store.commit()
            took, used = time.perf_counter() - began, time.process_time() - cpu
            slowest = max(slowest, took)
            if number >= window:
                spent, waited = spent + used, waited + took
            marked += mark is not None
    store.commit()
    peak = _peak()
    began, cpu = time.perf_counter(), time.process_time()
    originals.mark_anew()
    duration, settled = time.perf_counter() - began, time.process_time() - cpu
    size = _size(directory) - before
    store.abandon()
    began = time.perf_counter()
    Originals(Store(directory / "crawl.db"), settings)
    return {
        "pages": count,
        "us a page": spent / (count - window) * 1e6,
        "us, wall": waited / (count - window) * 1e6,
        "slowest ms": slowest * 1e3,
        "MB": (peak - base) / 1e6,
        "bytes a page": size / count,
        "marked %": 100 * marked / count,
        "settle us": settled / count * 1e6,
        "settle s": duration,
        "resume s": time.perf_counter() - began,
    }


class _Read:
    """As much of a page as is looked at."""

    uses_page_url = url_independent = False

    def __init__(self, fingerprint: Fingerprint) -> None:
        self.reading = Reading(fingerprint=fingerprint)


def _fetched(digest: bytes) -> Fetched:
    return Fetched(
        token=1,
        status=200,
        address="",
        started=1.0,
        ended=2.0,
        head_size=0,
        body_size=0,
        refused=NONE,
        digest=digest,
        parse_context=7,
    )


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _size(directory: Path) -> int:
    """Of the file, whose write-ahead log is in it by then."""
    with sqlite3.connect(directory / "crawl.db") as db:
        db.execute("PRAGMA wal_checkpoint")
    db.close()
    return os.path.getsize(directory / "crawl.db")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--bands", type=int, default=config.Duplicates().bands)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        with tempfile.TemporaryDirectory(dir=".") as directory:
            print(json.dumps(benchmark(options.pages[0], options.bands, Path(directory))))
        return
    rows = []
    for count in options.pages:
        command = [sys.executable, "-m", "benchmarks.duplicates", "--one", "--pages", count, "--bands", options.bands]
        process = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, check=True, text=True)
        rows.append(json.loads(process.stdout))
        if len(rows) == 1:
            print("".join(f"{name:>14}" for name in rows[0]))
        print("".join(f"{value:>14,.1f}" if name != "pages" else f"{value:>14,}" for name, value in rows[-1].items()))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "duplicates.json").write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
