"""The laboratory on a recorded web of 100,000 pages: seconds of processor time of each policy.

    python -m benchmarks.lab [PAGES]

The record is made of the rows of a crawl of one page: 100 hosts, whose pages link to their menu, to each other and to
well-linked pages anywhere (17 links each). One page in ten is relevant.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from ttcrawl.lab.bench import Bench, tried_of
from ttcrawl.lab.policies import POLICIES
from ttcrawl.snapshot.snapshot import view
from ttcrawl.web.url import key

recorded: Any = import_module("tests.lab.recorded")  # untyped, as tests are

HOSTS = 100
MENU, NEAR, FAR = 5, 6, 6  # links of a page
RELEVANT = 10  # one page in so many
TERMS = "10: 7=XX\n"

T = TypeVar("T")


def links(pages: int) -> list[list[int]]:
    """The links of each page: to the menu and the next page of its host, to others there, and to any by their links."""
    chance, ends, made = random.Random(45), list(range(HOSTS)), []
    for number in range(pages):
        own, last = number % HOSTS, (pages - 1 - number % HOSTS) // HOSTS
        menu = [page * HOSTS + own for page in range(min(MENU, last + 1))]
        following = [number + HOSTS] if number + HOSTS < pages else []
        near = [chance.randint(0, last) * HOSTS + own for _ in range(NEAR)]
        far = chance.choices(ends, k=FAR)
        ends += [*far, number]
        made.append(list(dict.fromkeys((*menu, *following, *near, *far))))
    return made


def record(directory: Path, pages: int) -> None:
    """Write the crawl."""
    recorded.record(directory, recorded.model(hosts=1, pages=1))
    urls = [f"http://h{number % HOSTS}.test/{number // HOSTS}" for number in range(pages)]
    keys = [key(url) for url in urls]
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        rows = {name: _row(db, name) for name in ("site", "url", "page", "outlinks", "fingerprint", "visit")}
        for name in (*rows, "by_key", "topic"):
            db.execute(f"DELETE FROM {name}")
        hosts = [{"id": each + 1, "host": f"h{each}.test", "domain": f"h{each}.test"} for each in range(HOSTS)]
        _insert(db, "site", rows["site"], [each | {"address": f"192.0.2.{each['id']}"} for each in hosts])
        ids = range(1, pages + 1)
        places = [{"url": url, "site": number % HOSTS + 1} for number, url in enumerate(urls)]
        of_urls = [{"id": id, "key": key, **place} for id, key, place in zip(ids, keys, places, strict=True)]
        _insert(db, "url", rows["url"], of_urls)
        _insert(db, "page", rows["page"], [{"url": id, "digest": b"%016d" % id} for id in ids])
        prints = [{"n": id, "url": id, "bytes": b"%016d" % id, "text": b"%016d" % id} for id in ids]
        _insert(db, "fingerprint", rows["fingerprint"], prints)
        outlinks = [(id, [keys[each] for each in targets]) for id, targets in zip(ids, links(pages), strict=True)]
        of_pages = [
            {"source": id, "targets": json.dumps(targets), "kinds": b"A" * len(targets), "regions": b"c" * len(targets)}
            for id, targets in outlinks
        ]
        _insert(db, "outlinks", rows["outlinks"], of_pages)
        times = [{"id": id, "kind": "page", "ended": rows["visit"]["started"] + 0.05 * (1 + id % 8)} for id in ids]
        _insert(db, "visit", rows["visit"], [time | place for time, place in zip(times, places, strict=True)])
        relevance = "INSERT INTO topic SELECT id, id % ? = 0, 0.5, NULL, 'terms', '{}', '[]' FROM url"
        db.execute(relevance, (RELEVANT,))
        db.execute("UPDATE crawl SET value = ? WHERE name = 'seeds'", ("\n".join(urls[:HOSTS]),))
    (directory / "terms.txt").write_text(TERMS)


def _row(db: sqlite3.Connection, table: str) -> Mapping[str, Any]:
    """The last row of a table."""
    rows = db.execute(f"SELECT * FROM {table} ORDER BY rowid DESC LIMIT 1")
    return dict(zip([column for column, *_ in rows.description], rows.fetchone(), strict=True))


def _insert(db: sqlite3.Connection, table: str, row: Mapping[str, Any], changes: Sequence[Mapping[str, Any]]) -> None:
    """Insert copies of a row, each with changes."""
    places = ", ".join(f":{column}" for column in row)
    db.executemany(f"INSERT INTO {table} VALUES ({places})", ({**row, **each} for each in changes))


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what a function returns, and its seconds of processor time."""
    begun = time.process_time()
    result = work()
    return result, time.process_time() - begun


def main(pages: int = 100_000) -> None:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        record(directory, pages)
        with view(directory) as crawl:
            bench, seconds = timed(lambda: Bench(crawl, []))
            print(f"{'reading the record':<20} {seconds:6.1f} s", flush=True)
            for policy in POLICIES:
                tried = tried_of(f"{policy},topic.terms={directory / 'terms.txt'}" if policy == "topic" else policy)
                curves, seconds = timed(lambda tried=tried: bench.curves(tried, 0))  # type: ignore[misc]
                print(f"{policy:<20} {seconds:6.1f} s, {curves.last.pages:,} pages", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
