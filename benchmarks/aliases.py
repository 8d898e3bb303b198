"""How long `ttcrawl aliases` takes, and how much memory: python -m benchmarks.aliases DIR [PAGES HOSTS]

The web has hosts of sizes that follow a power law; a tenth of them have a mirror, all have the same front page, and
every hundredth is a name of one server (a wildcard in the DNS). Without DIR/crawl.db it is made first.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tests.crawl_db import NOW, insert, new_db
from ttcrawl.ask.aliases.find import find
from ttcrawl.config import Config
from ttcrawl.engine.directory import write_config
from ttcrawl.web.url import key


def pages(count: int, hosts: int) -> Iterator[tuple[int, str, int]]:
    """(host, path, content) of about so many pages, host by host."""
    harmonic = sum(1 / (n + 10) for n in range(hosts))
    for at in range(hosts):
        content_of, size = at, 1 / (at + 10)
        if at % 10 == 9:  # a mirror of the one before it
            content_of, size = at - 1, 1 / (at + 9)
        if at % 100 == 50:
            content_of, size = 50, 1 / hosts
        many = max(2, int(count * size / harmonic))
        yield at, "/", 0
        for place in range(1, many):
            yield at, f"/section-{place % 97}/document-{place}.html", content_of << 32 | place


def make(directory: Path, count: int, hosts: int) -> None:
    with closing(new_db(directory)) as db, db:
        names = [f"site-{n}.example" for n in range(hosts)]
        rows = insert(db, "site", "id", "host", "domain")
        db.executemany(rows, ((place, name, name) for place, name in enumerate(names, 1)))
        columns = {"state": "fetched", "depth": 1, "met": NOW}
        rows = insert(db, "url", "id", "key", "url", "site", **columns)
        made = ((n, at, f"http://{names[at]}{path}") for n, (at, path, _) in enumerate(pages(count, hosts), 1))
        db.executemany(rows, ((n, key(url), url, at + 1) for n, at, url in made))
        rows = insert(db, "page", "url", "digest", at=NOW, status=200, type="text/html", length=1000)
        digests = (f"{content:016x}".encode() for _, _, content in pages(count, hosts))
        db.executemany(rows, enumerate(digests, 1))
        rows = insert(db, "fingerprint", "url", "text", asked=NOW)
        db.executemany(rows, enumerate((f"{content:016x}".encode() for _, _, content in pages(count, hosts)), 1))
    write_config(directory, Config())


if __name__ == "__main__":
    where, *sizes = sys.argv[1:]
    if not (Path(where) / "crawl.db").exists():
        make(Path(where), *(map(int, sizes) if sizes else (1_000_000, 10_000)))
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    found = find(Path(where))
    took, peak = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    aliases = sum(len(group.aliases) for group in found.groups)
    print(f"{found.pages:,} pages of {found.origins:,} hosts: {aliases:,} aliases of {len(found.groups):,} others")
    print(f"{took:.1f} s, {peak / 1024:.0f} MB at most ({before / 1024:.0f} MB before)")
