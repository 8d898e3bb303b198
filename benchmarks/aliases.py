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

from tests.support.crawls.crawl_db import NOW, insert, new_db
from ttcrawl.config import Config
from ttcrawl.engine.run.directory import write_config
from ttcrawl.inspect.aliases.find import find
from ttcrawl.web.url import key


def pages(count: int, hosts: int) -> Iterator[tuple[int, str, int]]:
    """(host, path, content) of about this many pages, host by host."""
    harmonic = sum(1 / (n + 10) for n in range(hosts))
    for host in range(hosts):
        content_of, size = host, 1 / (host + 10)
        if host % 10 == 9:  # a mirror of the one before it
            content_of, size = host - 1, 1 / (host + 9)
        if host % 100 == 50:
            content_of, size = 50, 1 / hosts
        documents = max(2, int(count * size / harmonic))
        yield host, "/", 0
        for number in range(1, documents):
            yield host, f"/section-{number % 97}/document-{number}.html", content_of << 32 | number


def make(directory: Path, count: int, hosts: int) -> None:
    with closing(new_db(directory)) as db, db:
        names = [f"site-{n}.example" for n in range(hosts)]
        rows = insert(db, "site", "id", "host", "domain")
        db.executemany(rows, ((number, name, name) for number, name in enumerate(names, 1)))
        rows = insert(db, "url", "id", "key", "url", "site", state="fetched", depth=1, discovered=NOW)
        urls = ((n, host, f"http://{names[host]}{path}") for n, (host, path, _) in enumerate(pages(count, hosts), 1))
        db.executemany(rows, ((n, key(url), url, host + 1) for n, host, url in urls))
        for rows in (
            insert(db, "page", "url", "digest", time=NOW, status=200, type="text/html", length=1000),
            insert(db, "fingerprint", "url", "text", time=NOW),
        ):
            digests = (f"{content:016x}".encode() for _, _, content in pages(count, hosts))
            db.executemany(rows, enumerate(digests, 1))
    write_config(directory, Config())


if __name__ == "__main__":
    directory, *sizes = sys.argv[1:]
    if not (Path(directory) / "crawl.db").exists():
        make(Path(directory), *(map(int, sizes) if sizes else (1_000_000, 10_000)))
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    result = find(Path(directory))
    took, peak = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    aliases = sum(len(group.aliases) for group in result.groups)
    print(f"{result.pages:,} pages of {result.origins:,} hosts: {aliases:,} aliases of {len(result.groups):,} others")
    print(f"{took:.1f} s, {peak / 1024:.0f} MB at most ({before / 1024:.0f} MB before)")
