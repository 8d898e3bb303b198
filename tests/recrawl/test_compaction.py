"""crawl.db shrinks while a crawl runs that drops earlier answers."""

import os
import random
import shutil
import signal
import time
from itertools import pairwise

import pytest

from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY, Scripted
from tests.support.crawls.crawling import query, run, verified
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store import compaction
from ttcrawl.store.compaction import Compaction
from ttcrawl.store.database import connect
from ttcrawl.store.sqlite import Store

PAGES, VERSIONS = 12, 12

#: A day between two visits; many commits.
KEYS = {"store.commit_pages": 1, "store.commit_seconds": 0.01}
KEEP = KEYS | {"revisit.keep_answers": 1}


def pages():
    """Each page has another long text each day."""
    chance = random.Random(1)
    scripts = [
        tuple((max(0.0, day - 0.5), 200, f"{day}</title>{chance.randbytes(20_000).hex(' ', 5)}") for day in range(12))
        for _ in range(PAGES)
    ]
    return {f"{number}.test": Scripted(script=script) for number, script in enumerate(scripts)}


def number(directory, pragma):
    return query(directory, f"PRAGMA {pragma}")[0][0]


@pytest.fixture(scope="module")
def web():
    clock, scripts = Clock(), pages()
    with served(scripts, clock) as port:
        yield clock, scripts, port


@pytest.fixture(scope="module")
def crawled(web, tmp_path_factory):
    """A crawl that keeps all answers."""
    clock, scripts, port = web
    directory = tmp_path_factory.mktemp("full") / "c"
    recrawl(directory, scripts, port, clock, (VERSIONS - 0.9) * DAY, KEYS)
    assert query(directory, "SELECT count(*) FROM answer") == [(PAGES * VERSIONS,)]
    return directory


def again(directory, web, days=1.0):
    _, scripts, port = web
    begin = query(directory, "SELECT min(next) FROM revisit")[0][0]
    recrawl(directory, scripts, port, Clock(begin), days * DAY, KEEP)


@pytest.mark.slow
def test_a_crawl_that_keeps_all_is_as_it_was(crawled):
    assert number(crawled, "auto_vacuum") == 0


@pytest.mark.slow
def test_free_pages_go_back_to_the_disk(crawled, web, tmp_path):
    directory = shutil.copytree(crawled, tmp_path / "c")
    before = os.path.getsize(directory / "crawl.db")
    again(directory, web)
    assert query(directory, "SELECT count(*) FROM answer") == [(PAGES,)]
    assert os.path.getsize(directory / "crawl.db") < before / 3
    free, count = number(directory, "freelist_count"), number(directory, "page_count")
    assert free < max(compaction.LEAST, compaction.SHARE * count)
    assert verified(directory) == ""


@pytest.mark.slow
def test_a_kill_in_the_middle_leaves_all_in_order(crawled, web, tmp_path):
    directory, chance = shutil.copytree(crawled, tmp_path / "c"), random.Random(2)
    for _ in range(8):
        pid = os.fork()
        if not pid:
            try:
                again(directory, web)
            finally:
                os._exit(0)
        time.sleep(chance.uniform(0.05, 0.6))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        with view(directory) as db:  # as those who ask: a kill while it begins or ends leaves a journal
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    again(directory, web)
    assert query(directory, "SELECT count(*) FROM answer") == [(PAGES,)]
    run("verify", directory, "--repair")  # the tails of the archive, which `resume` cuts and `recrawl` here does not
    assert verified(directory) == ""


@pytest.mark.slow
def test_the_steps_are_bounded_and_end(tmp_path):
    path = tmp_path / "crawl.db"
    Store(path, create=True).close()
    db = connect(path)
    compact = Compaction(db, path)
    assert compact.begin() == ""
    db.execute("CREATE TABLE filling (text)")
    db.executemany("INSERT INTO filling VALUES (?)", [("x" * 8000,)] * 6 * compaction.STEP)
    compact.step()
    assert db.execute("PRAGMA freelist_count").fetchone() == (0,)
    db.execute("DELETE FROM filling")
    sizes = [db.execute("PRAGMA page_count").fetchone()[0]]
    for _ in range(10):
        compact.step()
        sizes.append(db.execute("PRAGMA page_count").fetchone()[0])
    db.close()
    steps = [before - after for before, after in pairwise(sizes)]
    assert steps[0] >= compaction.STEP and max(steps) <= compaction.STEP + 10  # with pages of the pointer map
    assert steps[-1] == 0 and sizes[-1] < sizes[0] / 5


@pytest.mark.parametrize("limits", [{"most": 1000}, {"room": 1 << 60}])
def test_a_database_that_is_too_large_stays_as_it_is(tmp_path, limits):
    path = tmp_path / "crawl.db"
    Store(path, create=True).close()
    db = connect(path)
    assert f"sqlite3 {path} 'PRAGMA auto_vacuum = INCREMENTAL; VACUUM'" in Compaction(db, path, **limits).begin()
    assert db.execute("PRAGMA auto_vacuum").fetchone() == (0,)
    db.execute("PRAGMA auto_vacuum = INCREMENTAL")  # as the message says
    db.execute("VACUUM")
    assert Compaction(db, path, **limits).begin() == ""
    db.close()
