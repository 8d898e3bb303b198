"""Reading that is put off ends with the tables of a crawl that read at once."""

import random
import shutil
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.engine.put_off import KEYS, begin_to_read, prose, read, site, unread
from tests.support.crawls.crawling import crawl, options_for, verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.preforked import run
from tests.support.faults.killing import kill_some, start, until
from tests.support.web.bombs import SLOW_TO_PARSE
from tests.support.web.site import Answer, Web, page

LATER = (*KEYS, "--reading", "later")


@pytest.fixture(scope="module")
def web():
    with Web(site()) as web:
        yield web


@pytest.fixture(scope="module")
def now(web, tmp_path_factory):
    return crawl(web, web.url("n.test", "/"), tmp_path_factory.mktemp("now") / "c", *KEYS)


@pytest.fixture(scope="module")
def later(web, tmp_path_factory):
    """After the first stage."""
    return crawl(web, web.url("n.test", "/"), tmp_path_factory.mktemp("later") / "c", *LATER)


@pytest.fixture
def put_off(later, tmp_path):
    return Path(shutil.copytree(later.directory, tmp_path / "c"))


@pytest.mark.slow
def test_the_first_stage_follows_the_same_links(now, later):
    assert now.status == later.status == 0, later.err
    first, second = everything(now.directory), everything(later.directory)
    for name in ("urls", "pages", "hosts", "images"):
        assert first[name] == second[name], name
    assert later.query("SELECT count(*) FROM text JOIN page USING (url) WHERE type NOT LIKE '%opendocument%'") == [(0,)]
    same = "SELECT DISTINCT same FROM duplicate JOIN url ON url.id = duplicate.url WHERE url.url LIKE '%/n.test%'"
    assert later.query(same) == [] and len(now.query(same)) == 2  # documents are read for their links
    assert verified(later.directory) == ""


@pytest.mark.slow
def test_then_every_table_is_that_of_a_crawl_that_read_at_once(now, put_off):
    done = read(put_off)
    assert done.returncode == 0 and "pages read" in done.stdout, done.stderr
    expected, found = everything(now.directory), everything(put_off)
    for name in expected:
        assert found[name] == expected[name], name
    assert {same for _, _, same, _, _ in found["duplicates"]} == {"bytes", "text", "near"} and found["soft 404s"]
    assert verified(put_off) == ""


@pytest.mark.slow
def test_a_kill_after_the_last_mark_loses_no_bucket(now, put_off):
    """It leaves what is committed then: no page is unread, all marks are made, and buckets are in memory alone."""
    assert read(put_off).returncode == 0
    with closing(sqlite3.connect(put_off / "crawl.db")) as db, db:
        db.execute("DELETE FROM bucket WHERE key % 2")
        db.execute("DELETE FROM crawl WHERE name = 'bucketed'")
    assert everything(put_off)["buckets"] != everything(now.directory)["buckets"]
    assert read(put_off).returncode == 0
    assert everything(put_off) == everything(now.directory)


@pytest.mark.slow
def test_every_command_says_what_is_not_read(later, put_off):
    count = len(unread(put_off))
    line = f"{count:,} pages are not read yet: run ttcrawl read"
    assert count > 50 and line in later.err
    assert line in run("status", put_off).stdout and line in run("verify", put_off).stdout
    assert "not read yet (ttcrawl read DIR)" in (put_off / "report.txt").read_text()
    url = unread(put_off)[0]
    assert "not read yet for text" in run("why", put_off, url).stdout
    assert "it is not read yet: run ttcrawl read" in run("page", put_off, url, "--text").stderr
    read(put_off)
    assert "not read" not in run("status", put_off).stdout + run("why", put_off, url).stdout
    assert "not read" not in (put_off / "report.txt").read_text()


@pytest.mark.slow
def test_nothing_is_read_twice(now, put_off):
    assert read(put_off).returncode == 0
    again = read(put_off, "--parsers", "1")
    assert (again.returncode, again.stdout, again.stderr) == (0, f"{put_off}: no page is unread\n", "")
    assert everything(put_off) == everything(now.directory)
    assert "no page is unread" in read(now.directory).stdout


@pytest.mark.slow
def test_the_last_run_decides_what_resume_reads(tmp_path):
    """Of each reading some pages; those that were put off stay so."""
    pages = {("a.test", f"/{n}"): Answer(body=page(f"/{n + 1}", title=str(n), content=prose(n))) for n in range(12)}
    pages["a.test", "/same"] = pages["a.test", "/0"]  # identical to an unread page, and requested last
    with Web(pages) as web:
        seeds = [web.url("a.test", "/0"), web.url("a.test", "/same")]
        directory = tmp_path / "c"
        options = ("--no-obey-delay", "--set", "politeness.connections=1", "--reading", "later", "--max-pages", "4")
        assert crawl(web, seeds[:1], directory, *options).status == 3
        for reading, most in (("now", 8), ("later", 0)):
            more = ("--set", f"record.reading={reading}", "--max-pages", most, "--progress", "none")
            assert run("resume", directory, *more).returncode == (3 if most else 0)
        paths = [int(urlsplit(url).path[1:]) for url in unread(directory)]
        assert sorted(paths) == [0, 1, 2, 3, 8, 9, 10, 11]
        assert read(directory).returncode == 0
        reference = crawl(web, seeds[:1], tmp_path / "now", "--no-obey-delay")
    assert everything(directory) == everything(reference.directory)


@pytest.mark.slow
def test_a_page_that_cannot_be_read_ends_with_its_error(tmp_path):
    """One hangs the parser, the record of one is damaged; the others are read."""
    pages = {
        ("a.test", "/"): Answer(body=page("/slow", "/damaged", *(f"/{n}" for n in range(20)))),
        ("a.test", "/slow"): Answer(body=SLOW_TO_PARSE),
        ("a.test", "/damaged"): Answer(body=page(title="damaged", content=prose(1))),
        **{("a.test", f"/{n}"): Answer(body=page(title=str(n), content=prose(n))) for n in range(20)},
    }
    with Web(pages) as web:
        begin = ("--no-obey-delay", "--reading", "later", "--set", "links.max_time=100")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *begin)
        assert done.status == 0, done.err
    config = tmp_path / "c" / "config.ini"
    config.write_text(config.read_text().replace("max_time = 100", "max_time = 0.5"))
    where = "SELECT file, offset, size FROM page JOIN url ON url.id = page.url WHERE url.url LIKE '%/damaged'"
    ((file, offset, size),) = done.query(where)
    with open(tmp_path / "c" / "warc" / file, "r+b") as warc:
        warc.seek(offset + size // 2)
        warc.write(b"\0" * 20)
    finished = read(tmp_path / "c")
    assert finished.returncode == 0 and "Traceback" not in finished.stderr, finished.stderr
    assert "23 pages read, 2 of them with an error" in finished.stdout and unread(tmp_path / "c") == []
    errors = "SELECT url.url, parse_error FROM page JOIN url ON url.id = page.url WHERE parse_error != ''"
    found = {urlsplit(url).path: error for url, error in done.query(errors)}
    assert found.keys() == {"/slow", "/damaged"} and found["/slow"].endswith("parse process stuck")
    assert found["/damaged"] == "parse: DamagedRecordError"
    assert done.query("SELECT count(*) FROM text") == [(21,)]


@pytest.mark.parametrize(
    ("spoil", "status", "message"),
    [
        (lambda place: (place / "crawl.db").unlink(), 2, "contains no crawl"),
        (lambda place: next((place / "warc").iterdir()).unlink(), 1, "is missing: restore the file"),
        (lambda place: (place / "config.ini").unlink(), 2, "config.ini is missing"),
    ],
    ids=["no crawl", "no archive", "no config"],
)
def test_what_cannot_be_read_says_so_in_one_line(put_off, spoil, status, message):
    spoil(put_off)
    done = read(put_off)
    assert done.returncode == status and message in done.stderr and done.stderr.count("\n") == 1, done.stderr


@pytest.mark.slow
def test_a_crawl_that_runs_is_not_read(web, tmp_path):
    directory = tmp_path / "c"
    options = ("--set", "politeness.delay=0.5", "--reading", "later")
    process = start(tmp_path, "crawl", web.url("n.test", "/"), "-d", directory, *options_for(web), *options)
    try:
        while not (directory / "crawl.db").exists():
            assert process.poll() is None
            time.sleep(0.02)
        refused = read(directory)
    finally:
        process.kill()
        process.communicate()
    assert refused.returncode == 2 and f"is being crawled by process {process.pid}" in refused.stderr
    assert refused.stderr.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_read(now, put_off):
    total = len(unread(put_off))
    process = begin_to_read(put_off)
    while len(unread(put_off)) == total:
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3 and "storing the pages in hand" in err and "Traceback" not in err, err
    left = len(unread(put_off))
    assert 0 < left < total and f"stopped (interrupted) with {left:,} unread" in err
    assert verified(put_off) == ""
    assert read(put_off).returncode == 0
    assert everything(put_off) == everything(now.directory)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "kills"), [(1, 1), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((1, 3), (2, 10)))]
)
def test_kills_lose_nothing(now, later, tmp_path, seed, kills):
    """Kill it, its parse processes, their server, or all of them at any moment: the next run completes it."""
    rng, killed, expected = random.Random(seed), Counter(), everything(now.directory)
    share = len(unread(later.directory)) // kills
    for number in range(kills + 1):
        directory = shutil.copytree(later.directory, tmp_path / str(number))
        while not killed_read(directory, kills, share, killed, rng):
            assert verified(directory) == ""
        assert everything(directory) == expected
        if killed.total() == kills:
            return
    pytest.fail(f"only {killed} were killed in time")


def killed_read(directory, kills, share, killed, rng):
    """Read, and kill now and then until so many were; whether it came to its end."""
    process = begin_to_read(directory)
    while killed.total() < kills and process.poll() is None:
        left = len(unread(directory)) - rng.randint(0, share)
        until(lambda left=left: process.poll() is not None or len(unread(directory)) <= left)
        time.sleep(rng.uniform(0, 0.05))
        what = rng.choice(("crawl", "crawl", "all", "parse", "server"))
        killed[what] += kill_some(process, what, rng)
        if what in ("crawl", "all"):
            break
    _, err = process.communicate(timeout=120)
    assert process.returncode in (0, -signal.SIGKILL) and "Traceback" not in err, err
    return process.returncode == 0
