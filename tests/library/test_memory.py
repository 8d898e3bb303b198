"""Iterators take the same memory for a thousand rows as for a million; frames take what they say."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from tests.support.cases import some_fast
from ttcrawl.store.schema import TABLES, VERSION
from ttcrawl.web.url import key

PER_PAGE = 50

#: Rows, and the peak memory of a process that reads them above what it had before, KB. Not ru_maxrss, which a process
#: has from the one that started it.
READ = """
import re, sys, ttcrawl
def memory(name):
    return int(re.search(name + r":\\s+(\\d+)", open("/proc/self/status").read())[1])
crawl = ttcrawl.open(sys.argv[1])
if sys.argv[2].startswith("iter_"):
    next(getattr(crawl, sys.argv[2])())
else:
    import pandas, pyarrow
    pandas.array(["a"], dtype="string[pyarrow]")
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak is counted from here
before = memory("VmRSS")
given = {"ids": True} if sys.argv[2:] == ["links", "ids"] else {}
rows = getattr(crawl, sys.argv[2])(**given)
count = len(rows) if hasattr(rows, "dtypes") else sum(1 for _ in rows)
print(count, memory("VmHWM") - before)
"""


def large(directory, urls):
    """A crawl of so many URLs and pages, with PER_PAGE links on every fiftieth: as many links as URLs."""
    directory.mkdir()
    with closing(sqlite3.connect(directory / "crawl.db", isolation_level=None)) as db:
        db.executescript(TABLES)
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        db.executemany("INSERT INTO crawl VALUES (?, ?)", [("schema_version", VERSION), ("indexed", urls)])
        db.execute("INSERT INTO site (id, host, domain) VALUES (1, 'www.example.org', 'example.org')")
        names = [
            (n, f"http://www.example.org/section-{n % 97}/a-page-with-a-name/{n}.html") for n in range(1, urls + 1)
        ]
        keys = [key(url) for _, url in names]
        db.executemany(
            "INSERT INTO url (id, key, url, site, state, reason, depth, priority, discovered)"
            " VALUES (?, ?, ?, 1, 'fetched', 'http 200', 1, 1, 1e9)",
            ((n, known_as, url) for (n, url), known_as in zip(names, keys, strict=True)),
        )
        db.execute("INSERT INTO by_key SELECT key, id FROM url ORDER BY key")
        columns = len(db.execute("SELECT * FROM pragma_table_info('page')").fetchall())
        row = (1e9, 200, "text/html", "", "", "", "", 9, "A title of some words", b"x" * 16, *[""] * 7, *[0] * 5, "{}")
        row = (*row, "ttcrawl-0-00000.warc.gz", 0, 9, None, None, None)
        assert len(row) == columns - 1
        marks = ", ".join("?" * columns)
        db.executemany(f"INSERT INTO page VALUES ({marks})", ((n, *row) for n in range(1, urls + 1)))
        packed = (b"a" * PER_PAGE, b"c" * PER_PAGE, b"m" * PER_PAGE)
        db.executemany(
            "INSERT INTO outlinks VALUES (?, ?, ?, ?, ?, ?)",
            (
                (
                    n,
                    json.dumps(keys[n - PER_PAGE : n]),
                    *packed,
                    json.dumps([f"anchor {m % 1000}" for m in range(n, n + PER_PAGE)]),
                )
                for n in range(PER_PAGE, urls + 1, PER_PAGE)
            ),
        )
        db.execute("COMMIT")
    return directory


def taken(directory, *what):
    """(rows, KB) of a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", READ, str(directory), *what], capture_output=True, text=True, check=True
    )
    rows, kilobytes = map(int, done.stdout.split())
    return rows, kilobytes


@pytest.fixture(scope="module")
def larger(tmp_path_factory):
    return large(tmp_path_factory.mktemp("memory") / "crawl", 30_000)


@pytest.mark.slow
@pytest.mark.parametrize("what", some_fast(["iter_urls", "iter_pages", "iter_links"], "iter_links"))
def test_iterators_hold_a_few_rows(larger, what):
    rows, kilobytes = taken(larger, what)
    assert rows == 30_000 and kilobytes < 8_000  # as objects they would take 30 MB


@pytest.mark.slow
@pytest.mark.long
def test_a_million_rows(tmp_path):
    directory = large(tmp_path / "crawl", 1_000_000)
    for what in ("iter_urls", "iter_pages", "iter_links"):
        rows, kilobytes = taken(directory, what)
        print(what, kilobytes, "KB")
        assert rows == 1_000_000 and kilobytes < 16_000, what
    for what, most in ((("links", "ids"), 150), (("links",), 500), (("urls",), 500), (("pages",), 900)):
        rows, kilobytes = taken(directory, *what)
        print(*what, kilobytes // 1024, "MB")
        assert rows == 1_000_000 and kilobytes < most * 1024, what
