"""The memory of a crawl of many pages: python -m benchmarks.memory [--hosts N] [--pages N] [--save]

nginx serves generated pages of 10 KB, whose links lead to other pages of the host and to other hosts. No delay is
obeyed. All processes of the crawl count, and what they share counts once. A table says how much memory they had when
each tenth of the pages was there.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchmarks import manual
from benchmarks.docsites import DocSites
from benchmarks.measure import finished
from benchmarks.rings import generated

MANUAL = Path(__file__).resolve().parent.parent / "docs" / "guides" / "operations.md"
BEGIN, END = "<!-- memory -->\n", "<!-- memory end -->\n"

#: Seconds that the crawl may take.
TIMEOUT = 7200.0

#: Rows of the table.
PARTS = 10


def crawl(sites: DocSites, folder: Path) -> list[tuple[int, float, int]]:
    """Crawl all pages; return (pages, seconds since the start, bytes of memory), in order."""
    command = [sys.executable, "-m", "ttcrawl", "crawl", *sites.seeds, *sites.at_once, "-d", str(folder / "crawl")]
    begun = time.time()
    measured = finished(command, folder / "output", TIMEOUT)
    with closing(sqlite3.connect(folder / "crawl" / "crawl.db")) as db:
        moments = [at - begun for (at,) in db.execute("SELECT time FROM page ORDER BY time")]
    pages, rows = 0, list[tuple[int, float, int]]()
    for seconds, size in measured.memory:
        while pages < len(moments) and moments[pages] <= seconds:
            pages += 1
        rows.append((pages, seconds, size))
    return rows


def table(rows: Sequence[tuple[int, float, int]]) -> str:
    """The memory at each tenth of the pages, and the most until then."""
    last = rows[-1][0]
    lines = ["| pages | seconds | MB | most until then, MB |", "|--:|--:|--:|--:|"]
    for part in range(1, PARTS + 1):
        index = next(index for index, (pages, *_) in enumerate(rows) if pages >= last * part // PARTS)
        pages, seconds, size = rows[index]
        most = max(each for *_, each in rows[: index + 1])
        lines.append(f"| {pages:,} | {seconds:,.0f} | {size / 1e6:.0f} | {most / 1e6:.0f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=150)
    parser.add_argument("--pages", type=int, default=1_000, help="pages of a host")
    parser.add_argument("--save", action="store_true", help="write the result into docs/guides/operations.md")
    options = parser.parse_args()
    with generated([f"site{n}.test" for n in range(options.hosts)], options.pages) as (sites, directory):
        text = table(crawl(sites, directory))
    print(text)
    if options.save:
        manual.write(MANUAL, BEGIN, END, text)


if __name__ == "__main__":
    main()
