"""An import that is killed and repeated gives the tables of one that was never killed."""

import os
import signal
import subprocess
import time

import pytest

from tests.archives.writing import HOST, Warc, import_, page
from tests.support.crawls.crawling import command, query, verified

TABLES = {
    "url": "SELECT id, url, state, reason, depth, found_on, processed FROM url ORDER BY id",
    "page": "SELECT url, time, status, title, digest, links FROM page ORDER BY url",
    "earlier": "SELECT url, time, status, title, digest FROM earlier_page ORDER BY url, time",
    "outlinks": "SELECT source, targets, kinds, regions FROM outlinks ORDER BY source",
    "visit": "SELECT url, kind, started, status FROM visit ORDER BY started, url",
    "duplicate": "SELECT * FROM duplicate ORDER BY url",
    "site": "SELECT host, requested, fetched FROM site ORDER BY id",
    "totals": "SELECT name, value FROM crawl WHERE name IN ('total_pages', 'total_found', 'total_bytes', 'seeds')",
}


@pytest.mark.slow
def test_an_import_that_is_killed_and_repeated(tmp_path):
    warc = Warc(tmp_path / "a.warc.gz")
    for number in range(4_000):
        name, links = f"/{number % 3_500}", [f"/{number * 2 + each}" for each in range(4)]
        warc.add(f"{HOST}{name}", page(*links, title=f"{number // 7}"))
        if number % 5 == 0:
            warc.add(f"{HOST}/alone/{number}", page(title=f"alone {number}"))  # a seed
    path = warc.write()
    import_(tmp_path / "never", path)
    kills = 0
    for round_ in range(6):
        process = subprocess.Popen(command("import", path, "-d", tmp_path / "killed"), start_new_session=True)
        end = time.monotonic() + 120
        rows = 1_000 * round_  # it is killed when so many records are committed
        while process.poll() is None and time.monotonic() < end and done(tmp_path / "killed") <= rows:
            time.sleep(0.02)
        kills += process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    import_(tmp_path / "killed", path)
    assert kills
    assert {name: query(tmp_path / "killed", sql) for name, sql in TABLES.items()} == {
        name: query(tmp_path / "never", sql) for name, sql in TABLES.items()
    }
    assert verified(tmp_path / "killed") == ""


def done(directory):
    """The records that are committed; -1: there is no table yet."""
    try:
        return query(directory, "SELECT count(*) FROM imported_record")[0][0]
    except Exception:
        return -1
