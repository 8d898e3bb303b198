"""view.db has what crawl.db has, whatever happened to the crawl, to the file, or to whoever wrote it."""

import json
import random
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.library.sample_crawl import URLS, make
from ttcrawl.errors import UsageError
from ttcrawl.inspect.listing.facets import FACETS, ROWS
from ttcrawl.inspect.listing.keeping import Listing, attach
from ttcrawl.inspect.listing.update import Update
from ttcrawl.inspect.why.life import life
from ttcrawl.inspect.why.life_text import text
from ttcrawl.inspect.why.open_crawl import with_rules
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.view_db import NAME, SEGMENT, open_view
from ttcrawl.web.url import key

OLD = Path(__file__).parents[2] / "store"


@pytest.fixture
def crawl(tmp_path):
    return make(tmp_path / "c")


def write(directory, *statements):
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        for statement, *values in statements:
            db.execute(statement, values)


def add_url(id, state="queued", **columns):
    row = {"id": id, "key": key(f"http://a.test/{id}"), "url": f"http://a.test/{id}", "site": 1, "state": state}
    row |= {"reason": "", "priority": 0, "discovered": 1.0, "depth": id % 4} | columns
    return f"INSERT INTO url ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", *row.values()


def up_to_date(directory):
    """Bring it up to date, and check each table of it against crawl.db."""
    listing = Listing(directory)
    listing.bring_up_to_date()
    with view(directory) as db:
        assert listing.attach(db)
        rows = {tuple(row) for row in db.execute(ROWS)}
        assert {tuple(row) for row in db.execute("SELECT * FROM listing.listed")} == rows
        for facet in FACETS:
            for state in ("url.state", "''"):
                query = (
                    f"SELECT {state}, ifnull({facet.sql}, ''), count(*) FROM {ROWS.partition('FROM ')[2]} GROUP BY 1, 2"
                )
                counted = db.execute(
                    "SELECT state, value, urls FROM listing.tally WHERE facet = ? AND urls != 0 AND (state = '') = ?",
                    (facet.name, state == "''"),
                )
                assert {*counted} == {*db.execute(query)}
        links = {
            (source // SEGMENT, target, source)
            for source, targets in db.execute("SELECT source, targets FROM outlinks")
            for target in json.loads(targets)
        }
        assert {*db.execute("SELECT * FROM listing.pair")} >= links
        return rows


def test_what_happens_to_a_crawl(crawl):
    assert len(up_to_date(crawl)) == len(URLS)
    write(crawl, add_url(100), add_url(101, "refused", reason="scope: host"))
    assert len(up_to_date(crawl)) == len(URLS) + 2
    write(crawl, ("UPDATE url SET state = 'refused', reason = 'robots.txt' WHERE id = 100",))  # in its turn
    up_to_date(crawl)
    write(crawl, ("UPDATE url SET state = 'queued', reason = '' WHERE id = 1",), ("DELETE FROM page WHERE url = 1",))
    up_to_date(crawl)
    write(crawl, ("UPDATE url SET state = 'deleted', reason = 'deleted'",), ("DELETE FROM page",))
    up_to_date(crawl)
    write(crawl, ("DELETE FROM url WHERE id > 5",))  # the last commits were lost with the power
    assert len(up_to_date(crawl)) == 5


def test_an_outcome_is_found_by_its_request(crawl):
    """Without a round over all URLs, which a crawl that runs has no time for."""
    up_to_date(crawl)
    visit = "INSERT INTO visit SELECT 99, site, 'http://a.test/gone', kind, started, ended, 404, '', 0, address, delay,"
    visit += " delay_from, address_delay, requests, NULL, '' FROM visit LIMIT 1"
    write(crawl, ("UPDATE url SET state = 'fetched', reason = 'http 404' WHERE url = 'http://a.test/gone'",), (visit,))
    with view(crawl) as db:
        db.execute("ATTACH ? AS listing", (str(crawl / NAME),))
        update = Update(db)
        while update.step():
            pass
        assert db.execute("SELECT state, reason FROM listing.listed WHERE id = 3").fetchone() == ("fetched", "http 404")


@pytest.mark.parametrize("seed", range(5))
def test_killed_at_any_step(crawl, seed):
    """Whatever the steps before had written, the next ones complete it."""
    draw = random.Random(seed)
    for round in range(6):
        first = 1000 * (round + 1)
        write(crawl, *(add_url(first + n, draw.choice(("queued", "failed", "refused"))) for n in range(20)))
        write(crawl, ("UPDATE url SET state = ?, depth = ? WHERE id % 7 = ?", "failed", draw.randrange(5), round))
        open_view(crawl / NAME).close()
        with view(crawl) as db:
            db.execute("ATTACH ? AS listing", (str(crawl / NAME),))
            update = Update(db)
            for _ in range(draw.randrange(3)):
                update.step()
            # the connection is closed without a commit, which is what a kill leaves
        up_to_date(crawl)


@pytest.mark.parametrize("number", [5, 6, 7, 9, 12, 15])
def test_of_earlier_versions(tmp_path, number):
    with tarfile.open(OLD / f"version-{number}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    for database in tmp_path.glob("*/crawl.db"):
        assert up_to_date(database.parent)


def test_of_another_crawl_in_this_directory(crawl):
    write(crawl, add_url(100))
    up_to_date(crawl)
    write(
        crawl,
        ("DELETE FROM url WHERE id > 3",),
        ("DELETE FROM outlinks",),
        ("UPDATE crawl SET value = '5' WHERE name = 'started'",),
    )
    assert len(up_to_date(crawl)) == 3


@pytest.mark.parametrize("content", [b"", b"no database" * 1000, b"SQLite format 3\0" + bytes(5000)])
def test_a_damaged_file_is_made_again(crawl, content):
    up_to_date(crawl)
    (crawl / NAME).write_bytes(content)
    assert up_to_date(crawl)


def test_a_file_that_is_not_ours_stays(crawl):
    with closing(sqlite3.connect(crawl / NAME)) as db, db:
        db.execute("CREATE TABLE precious (a)")
    with pytest.raises(UsageError, match="move it away"):
        Listing(crawl).bring_up_to_date()
    with view(crawl) as db:
        assert not attach(db, crawl / NAME)
        assert db.execute("SELECT count(*) FROM url").fetchone()


def test_without_a_file_there_is_nothing_to_attach(crawl):
    with view(crawl) as db:
        assert not attach(db, crawl / NAME)
    assert not (crawl / NAME).exists()


def test_damaged_links_are_left_out(crawl):
    write(crawl, ("UPDATE outlinks SET targets = 'x' WHERE source = 1",), ("UPDATE page SET time = time + 1",))
    Listing(crawl).bring_up_to_date()


def test_nothing_is_read_again_of_a_crawl_that_has_not_changed(crawl):
    up_to_date(crawl)
    before = (crawl / NAME).stat().st_mtime_ns
    Listing(crawl).bring_up_to_date()
    assert (crawl / NAME).stat().st_mtime_ns == before


def lives(directory, *, attached):
    with view(directory) as db:
        assert not attached or Listing(directory).attach(db)
        crawl = with_rules(db, "")
        return [text(life(crawl, url, now=2e9)) for url in URLS]


def test_why_tells_the_same_with_it(crawl):
    """Also of requests and answers that came after the last update."""
    write(crawl, ("UPDATE page SET digest = (SELECT digest FROM page WHERE url = 1) WHERE url IN (2, 7, 8)",))
    up_to_date(crawl)
    robots = (
        "INSERT INTO visit SELECT {0}, 1, '{1}', '{2}', 5, 6, 200, '', 9, address, 1, '', 0, 1, NULL, '' FROM visit"
    )
    later = [robots.format(100 + n, *each) for n, each in enumerate([(URLS[0], "page"), ("http://a.test/r", "robots")])]
    write(crawl, *((f"{each} LIMIT 1",) for each in later), ("UPDATE page SET length = 5",))
    for _ in range(2):
        assert lives(crawl, attached=True) == lives(crawl, attached=False)
        up_to_date(crawl)
    write(crawl, ("UPDATE page SET digest = x'00' WHERE url = 2",), ("UPDATE page SET digest = NULL WHERE url = 7",))
    assert lives(crawl, attached=True) == lives(crawl, attached=False)
