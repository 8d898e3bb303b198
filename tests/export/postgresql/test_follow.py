"""`ttcrawl mirror --follow`: whatever is killed, the copy has every row of the crawl once in the end."""

import random
import sqlite3
import subprocess
import time
from contextlib import closing
from dataclasses import replace

import pytest

from tests.export.postgresql.copies import differences, page_links
from tests.library.sample_crawl import QUEUED, make
from tests.support.crawls.crawling import command, options_for
from tests.support.faults.killing import FAST, kill, kill_all, settled, start, until
from tests.support.long_tables import LONG
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, page
from ttcrawl.export.postgresql.recent import Recent
from ttcrawl.export.postgresql.round import compare
from ttcrawl.export.postgresql.server import Server
from ttcrawl.export.postgresql.writer import copied
from ttcrawl.output.steps import silent

HOSTS = [f"h{n}.test" for n in range(5)]
OPTIONS = ("--no-obey-delay", "--scope", "any", "--parsers", "1", "--set", "politeness.connections=2", *FAST)
STARTED: list[subprocess.Popen] = []


@pytest.fixture(autouse=True)
def _nothing_is_left_running():
    """A copy that a failed test left would hold the tables that the next test drops."""
    yield
    for process in STARTED:
        if process.poll() is None:
            kill_all(process.pid)
            process.communicate()
    STARTED.clear()


def started(tmp_path, web):
    """A running crawl of all hosts into `tmp_path/c`."""
    crawl = start(tmp_path, "crawl", web.url(HOSTS[0], "/"), "-d", tmp_path / "c", *options_for(web), *OPTIONS)
    STARTED.append(crawl)
    until(lambda: settled(tmp_path / "c") > 3)
    return crawl


def mirror(server, directory, *options):
    words = command("mirror", directory, server.url, *options)
    copy = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    STARTED.append(copy)
    return copy


def follow(server, directory):
    return mirror(server, directory, "--follow")


def ended(process):
    _, err = process.communicate(timeout=120)
    assert "Traceback" not in err, err
    return process.returncode, err


def slow_site(pages, seed):
    return {key: replace(answer, delay=0.2) for key, answer in mesh(HOSTS, pages, seed=seed).items()}


def endless(delay):
    """A chain of pages, which a crawl does not come to the end of."""
    words = [f"{n:b}".translate(str.maketrans("01", "ab")) for n in range(9999)]  # for each page another
    return {
        (HOSTS[0], f"/{n or ''}"): Answer(body=page(f"/{n + 1}", title=word, content=word), delay=delay)
        for n, word in enumerate(words)
    }


def end(web):
    """Take the links from all pages, so that the crawl ends with the next one."""
    web.change({key: replace(answer, body=page()) for key, answer in web.pages.items()})


@pytest.mark.slow  # on a machine that is busy with other tests the copy takes little time of the processors
def test_the_copy_follows_a_crawl_to_its_end(server, tmp_path):
    with Web(endless(0.1)) as web:
        crawl = started(tmp_path, web)
        copy = follow(server, tmp_path / "c")
        until(lambda: server.query("SELECT to_regclass('ttcrawl.mirror')") != [(None,)], 120)
        until(lambda: server.query("SELECT count(*) FROM ttcrawl.page")[0][0] > 20, 120)
        assert crawl.poll() is None and server.query("SELECT complete FROM ttcrawl.mirror") == [(False,)]
        end(web)
        assert ended(crawl)[0] == 0
        assert ended(copy)[0] == 0
    assert differences(server, tmp_path / "c") == []
    assert server.query("SELECT complete FROM ttcrawl.mirror") == [(True,)]


def rows_once(server):
    """No row is there twice, also in the middle of a copy."""
    for table, key in (("ttcrawl.url", "id"), ("ttcrawl.page", "url"), ("ttcrawl.visit", "id"), ("crawldb.page", "id")):
        assert server.query(f"SELECT {key} FROM {table} GROUP BY 1 HAVING count(*) > 1") == [], table


@pytest.mark.parametrize(
    ("seed", "pages", "kills"),
    [
        pytest.param(1, 20, 3, marks=pytest.mark.slow),
        pytest.param(1, 50, 6, marks=LONG),
        pytest.param(2, 150, 24, marks=LONG),
        pytest.param(3, 150, 24, marks=LONG),
    ],
)
def test_whatever_is_killed_nothing_is_missing_or_twice(server, tmp_path, seed, pages, kills):
    rng, directory = random.Random(seed), tmp_path / "c"
    with Web(slow_site(pages, 40 + seed)) as web:
        crawl = started(tmp_path, web)
        copy = follow(server, directory)
        victims = ["copy", "server", "crawl"] * (kills // 3)
        for victim in rng.sample(victims, len(victims)):
            time.sleep(rng.uniform(0.1, 1.5))
            if victim == "server":
                server.kill()
                time.sleep(rng.uniform(0, 2))
                server.start()
            elif victim == "copy":
                kill([copy.pid])
                ended(copy)
                copy = follow(server, directory)
            elif crawl.poll() is None:
                kill_all(crawl.pid)
                ended(crawl)
                crawl = start(tmp_path, "resume", directory)
                STARTED.append(crawl)
            if copy.poll() is not None:  # it ends when the crawl was killed
                assert ended(copy)[0] == 0
                copy = follow(server, directory)
            if server.query("SELECT to_regclass('ttcrawl.layout')") != [(None,)]:
                rows_once(server)
        assert ended(crawl)[0] == 0
        assert ended(copy)[0] == 0
    last = mirror(server, directory)
    assert ended(last)[0] == 0
    assert differences(server, directory) == []
    assert server.query("SELECT from_page, to_page FROM crawldb.link ORDER BY 1, 2") == page_links(directory)
    searched = (
        "SELECT url.id FROM url JOIN page ON page.url = url.id WHERE state = 'fetched' AND title != '' ORDER BY 1"
    )
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        assert server.query("SELECT url FROM ttcrawl.search ORDER BY 1") == db.execute(searched).fetchall() != []
    assert server.query(
        "SELECT count(*) FROM ttcrawl.touched JOIN crawldb.page ON key = target"
        " JOIN ttcrawl.search ON search.url = number"
    ) == [(0,)]


@pytest.mark.slow
def test_the_crawl_goes_on_while_the_server_is_away(server, tmp_path):
    with Web(endless(0.1)) as web:
        crawl = started(tmp_path, web)
        copy = follow(server, tmp_path / "c")
        until(lambda: server.query("SELECT to_regclass('crawldb.link')") != [(None,)], 120)
        server.kill()
        end(web)
        status, error = ended(crawl)
        assert (status, copy.poll()) == (0, None), error
        time.sleep(1)
        server.start()
        status, error = ended(copy)
    assert status == 0 and error.count("copied as soon as possible") == 1, error
    assert differences(server, tmp_path / "c") == []


@pytest.mark.slow
@pytest.mark.parametrize("what", ["SCHEMA ttcrawl, crawldb", "TABLE ttcrawl.visit"])
def test_what_is_dropped_beside_a_crawl_is_made_again(server, tmp_path, what):
    with Web(endless(0.1)) as web:
        crawl = started(tmp_path, web)
        copy = follow(server, tmp_path / "c")
        until(lambda: server.query("SELECT to_regclass('ttcrawl.visit')") != [(None,)], 120)
        until(lambda: server.query("SELECT count(*) FROM ttcrawl.visit") != [(0,)], 120)
        server.execute(f"DROP {what} CASCADE")
        until(lambda: server.query("SELECT to_regclass('ttcrawl.visit')") != [(None,)], 120)
        end(web)
        assert ended(crawl)[0] == 0
        status, error = ended(copy)
    assert status == 0 and "copied as soon as possible" in error, error
    assert differences(server, tmp_path / "c") == []


VISIT = (
    "INSERT INTO visit (site, url, kind, started, ended, reason, bytes, address, delay, delay_from, address_delay,"
    " requests, backoff_from) VALUES (1, ?, 'page', 1, 2, 'dns', 0, '', 1, '', 0, 1, '')"
)


def test_between_two_rounds_only_what_is_new_is_copied(server, tmp_path):
    """New rows, and those about URLs that were requested; not a change elsewhere, which waits for the next round."""
    crawl = make(tmp_path / "c")
    states = "SELECT id, state, depth FROM ttcrawl.url WHERE id IN (1, 5, 10) ORDER BY id"
    with copied(Server(server.url), crawl) as (connection, number):
        compare(crawl, connection, number, time.monotonic, silent)
        with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
            db.execute(
                "INSERT INTO url SELECT 10, 77, 'http://a.test/new', 1, '', 'queued', '', NULL, 2, 0, 0, 0, 0, 0, 0,"
                " 0, 0, 7, 1, 1, NULL, 0, 0"
            )
            db.execute(VISIT, (QUEUED,))
            db.execute("UPDATE url SET state = 'failed', reason = 'dns' WHERE url = ?", (QUEUED,))
            db.execute("INSERT INTO earlier_page SELECT * FROM page WHERE url = 1")
            db.execute("UPDATE earlier_page SET url = 5")
            db.execute("UPDATE url SET depth = 99 WHERE id = 1")
        recent = Recent(crawl, connection, number)
        assert recent.step(10).keys > 0
        assert server.query(states) == [(1, "fetched", 0), (5, "failed", 1), (10, "queued", 2)]
        assert server.query("SELECT page_type_code FROM crawldb.page WHERE id IN (5, 10) ORDER BY id") == [
            ("DOMAIN_ERROR",),
            ("FRONTIER",),
        ]
        assert server.query("SELECT url FROM ttcrawl.earlier_page") == [(5,)]
        assert recent.step(10).keys == 0
        assert differences(server, crawl) == ["url: 10 rows, 10 in PostgreSQL"]
        assert compare(crawl, connection, number, time.monotonic, silent).equal
    assert differences(server, crawl) == []
