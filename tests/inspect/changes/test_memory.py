"""The memory of a comparison does not grow with the crawls."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.crawls.crawl_db import generated

#: The peak memory of `ttcrawl diff DIR DIR` above what the process has before, KB.
PEAK = """
import re, sys
from ttcrawl.cli import main
def memory(name):
    return int(re.search(name + r":\\s+(\\d+)", open("/proc/self/status").read())[1])
main(["diff", sys.argv[1], "1990-01-01", "1990-01-02"])
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak is counted from here
before = memory("VmRSS")
assert main(["diff", *sys.argv[1:], "--format", "jsonl"]) == 0
print(memory("VmHWM") - before, file=sys.stderr)
"""


def peak(first: Path, second: Path) -> tuple[int, int]:
    """(Lines of output, KB)."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(first), str(second)], capture_output=True, text=True, check=True
    )
    return done.stdout.count("\n"), int(done.stderr.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.long
def test_many_pages_take_as_much_as_few(tmp_path: Path) -> None:
    peaks = {}
    for pages in (2_000, 20_000):
        pair = [tmp_path / f"{pages}-{seed}" for seed in (1, 2)]
        for seed, directory in enumerate(pair, 1):
            sizes = {"urls": pages + 99, "links": 5 * pages, "pages": pages, "texts": pages}
            generated(directory, **sizes, hosts=1, seed=seed)
            with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
                db.execute("UPDATE page SET digest = digest || ?", (seed,))
        lines, peaks[pages] = peak(*pair)
        assert lines > pages
    print(peaks)
    assert peaks[20_000] < peaks[2_000] + 8_000  # KB; the rows of the pages would take 30 MB
