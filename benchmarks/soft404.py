"""The cost of judging which pages of a host are soft 404s, at the end of a run.

python -m benchmarks.soft404 [--pages N] [--rounds N]

The pages are made up: a hundredth of them say what the host says where there is nothing, the others 15, 60, 300 or 900
words, so that half of them are short enough to be looked at.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from contextlib import closing
from pathlib import Path

from isal import isal_zlib

from tests.support.crawls.crawl_db import insert
from ttcrawl import config
from ttcrawl.engine.settle import Soft404Marker
from ttcrawl.read.fingerprints import soft404
from ttcrawl.store.sqlite import Store

ERROR_PAGE = "Oh dear we looked everywhere and found nothing at {} in this house please try the search or go home now"


def fill(store: Store, pages: int, rng: random.Random) -> None:
    words = ["".join(rng.choices("abcdefghij", k=6)) for _ in range(5000)]
    db = store._db
    db.execute(insert(db, "site", id=1, host="a.test", domain="a.test"))
    add_url = insert(db, "url", "id", "key", "url", site=1, state="fetched")
    add_page = insert(db, "page", "url", "digest", status=200, type="text/html", length=1)
    add_text = insert(db, "text", "url", "size", "text", "main_size")
    for number in range(1, pages + 1):
        url = f"http://a.test/d/{number}.html"
        lost = number % 100 == 0
        text = (
            ERROR_PAGE.format(url) if lost else " ".join(rng.choices(words, k=rng.choice((15, 60, 300, 900))))
        ).encode()
        db.execute(add_url, (number, number, url))
        db.execute(add_page, (number, number.to_bytes(16, "big")))
        db.execute(add_text, (number, len(text), isal_zlib.compress(text, 2), len(text)))
    for number in range(3):
        url = f"http://a.test/{soft404.NAME}{number:016x}"
        page = soft404.content_hashes(ERROR_PAGE.format(url), url, 3)
        columns = {"text": page.digest, "shingles": page.shingles, "size": len(ERROR_PAGE.format(url))}
        store.soft_404s.update(store.soft_404s.plan(1, url), time=0, status=200, **columns)
    store.commit()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--pages", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=3)
    args = options.parse_args()
    with (
        tempfile.TemporaryDirectory() as directory,
        closing(Store(Path(directory) / "crawl.db", create=True)) as store,
    ):
        fill(store, args.pages, random.Random(1))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(args.rounds):
            store.set(judged="{}")
            begun = time.perf_counter()
            Soft404Marker(config.Duplicates(), store, lambda done, of: None).run()
            store.commit()
            took = time.perf_counter() - begun
            (marks,) = store._db.execute("SELECT count(*) FROM soft_404").fetchone()
            print(f"{args.pages:,} pages, {marks:,} marked: {took:.2f} s, {took / args.pages * 1e6:.1f} µs a page")
        more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(f"memory: {more / 1024:.1f} MB more")


if __name__ == "__main__":
    main()
