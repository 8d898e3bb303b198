"""One directory is one crawl: whoever comes second says so and changes nothing, whenever and however it comes."""

import contextlib
import fcntl
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawling import command, options_for, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import processes, start, until
from tests.support.long_tables import few
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, page
from ttcrawl.config import read
from ttcrawl.engine.run import directory
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.store.lock import Lock, crawled_by
from ttcrawl.store.sqlite import Store
from ttcrawl.store.stopped import BEGINNING

HOSTS = ["a.test", "b.test"]


def begun(web, place, *options):
    """A crawl that is under way."""
    options = ("--scope", "any", "--set", "politeness.delay=0.1", *options)
    process = start(place.parent, "crawl", web.url(HOSTS[0], "/"), "-d", place, *options_for(web), *options)
    until(web.log)
    return process


def one_line(err):
    lines = [line for line in err.splitlines() if not line.startswith("ttcrawl: crawling into")]
    assert len(lines) == 1 and lines[0].startswith("ttcrawl: "), err
    return lines[0]


def files(place):
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_second_crawl_that_looked_before_the_first_had_begun(tmp_path):
    """It found the directory free, and has looked up the seeds' hosts meanwhile."""
    with Web(mesh(HOSTS, 20, seed=3)) as web:
        process = begun(web, tmp_path / "c")
        with pytest.raises(UsageError, match=f"being crawled by process {process.pid}"):
            directory.fresh(tmp_path / "c", read(None), {}).__enter__()
        _, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "others", some_fast([("crawl",), ("crawl",) * 3, ("resume", "crawl") * 4], ("crawl",)), ids=len
)
def test_several_at_the_same_moment(tmp_path, others):
    """One of them crawls; each other one says a line with status 2, or goes on with what the first has ended."""
    with Web(mesh(HOSTS, 20, seed=3)) as web:
        crawling = ("crawl", web.url(HOSTS[0], "/"), "-d", "c", *options_for(web), "--scope", "any")
        crawling += ("--set", "politeness.delay=0.05")
        kinds = {"crawl": crawling, "resume": ("resume", "c")}
        processes = [start(tmp_path, *kinds[kind]) for kind in ("crawl", *others)]
        ends = [(each.communicate(timeout=100)[1], each.returncode) for each in processes]
        asked = [(hit.host, hit.path) for hit in web.log()]
    lost = [err for err, status in ends if status]
    assert all(status in (0, 2) for _, status in ends) and all(one_line(err) for err in lost), ends
    crawls = [status for (_, status), kind in zip(ends, ("crawl", *others), strict=True) if kind == "crawl"]
    assert crawls.count(0) == 1
    assert len(asked) == len(set(asked))
    assert verified(tmp_path / "c") == ""


def broken(monkeypatch, step):
    """Let the making of a crawl fail at one of its steps."""

    def fails(*arguments, **more):
        raise OSError(28, "No space left on device")

    target, name = {
        "config.ini": (directory, "write_config"),
        "tables": (Store, "commit"),
        "crawl.db": (directory.os, "rename"),
        "at last": (directory, "complete"),
    }[step]
    monkeypatch.setattr(target, name, fails)


@pytest.mark.parametrize("step", ["config.ini", "tables", "crawl.db", "at last"])
@pytest.mark.parametrize("there", ["nothing", "notes", "leftovers"])
def test_what_fails_half_way_leaves_what_was_there(tmp_path, monkeypatch, step, there):
    place = tmp_path / "deep" / "c"
    if there != "nothing":
        place.mkdir(parents=True)
        (place / "notes.txt").write_text("mine")
        (place / "plots").mkdir()
    if there == "leftovers":  # of a crawl that was killed as it began
        (place / "lock").write_text("123\n")
        (place / BEGINNING).mkdir()
        (place / BEGINNING / "crawl.db").write_text("half")
    broken(monkeypatch, step)
    with pytest.raises(CrawlFailedError, match="No space left"):
        directory.fresh(place, read(None), {}).__enter__()
    if there == "nothing":
        assert list(tmp_path.iterdir()) == []
        return
    left = {path.name for path in place.iterdir()} - ({"lock", BEGINNING} if there == "leftovers" else set())
    assert left == {"notes.txt", "plots"} and (place / "notes.txt").read_text() == "mine"
    monkeypatch.undo()
    with directory.fresh(place, read(None), {}):
        pass
    assert {path.name for path in place.iterdir()} == left | {"crawl.db", "config.ini", "warc", "lock"}


@pytest.mark.parametrize("name", ["crawl.db", "config.ini", "warc", "files", "seen.bloom", "lock"])
@pytest.mark.parametrize("kind", ["text", "dangling link"])
def test_what_has_the_name_of_a_part_is_not_taken_for_one(tmp_path, name, kind):
    (tmp_path / name).symlink_to("nowhere") if kind == "dangling link" else (tmp_path / name).write_text("mine\n")
    before = os.listdir(tmp_path), files(tmp_path)
    with pytest.raises(UsageError, match="already contains"):
        directory.must_be_free(tmp_path)
    with pytest.raises((UsageError, CrawlFailedError)):
        directory.fresh(tmp_path, read(None), {}).__enter__()
    assert (os.listdir(tmp_path), files(tmp_path)) == before


def test_a_reader_that_looks_before_the_crawl_has_begun(tmp_path):
    """SQLite has created an empty file for it, and it goes on looking: the crawl replaces the file."""
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as reader:
        with pytest.raises(sqlite3.OperationalError):
            reader.execute("SELECT count(*) FROM page")
        assert (tmp_path / "crawl.db").stat().st_size == 0
        with pytest.raises(UsageError, match="contains no crawl"), directory.existing(tmp_path):
            pass
        with directory.fresh(tmp_path, read(None), {}), pytest.raises(sqlite3.Error):
            reader.execute("SELECT count(*) FROM page")
    with directory.existing(tmp_path), closing(sqlite3.connect(tmp_path / "crawl.db")) as reader:
        assert reader.execute("SELECT count(*) FROM page").fetchone() == (0,)


@pytest.mark.slow
def test_a_directory_that_is_a_link_is_followed(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "c").symlink_to("disk")
    with Web({("a.test", "/"): Answer(body=page())}) as web:
        done = subprocess.run(
            command("crawl", web.url("a.test", "/"), "-d", "c", *options_for(web), "--inline"), cwd=tmp_path
        )
    assert done.returncode == 0 and (tmp_path / "disk" / "crawl.db").exists()


@pytest.mark.slow
@pytest.mark.parametrize("what", ["removed", "replaced"])
def test_a_directory_that_goes_away_while_it_is_crawled(tmp_path, what):
    """Another crawl may stand there now: it is not touched."""
    with Web(mesh(HOSTS, 30, seed=3)) as web:
        process = begun(web, tmp_path / "c")
        until(lambda: list((tmp_path / "c" / "warc").glob("*")))
        shutil.rmtree(tmp_path / "c")
        if what == "replaced":
            second = ("crawl", web.url(HOSTS[1], "/"), "-d", tmp_path / "c", *options_for(web), "--inline")
            assert run(*second, "--set", "politeness.delay=0").returncode == 0
            before = files(tmp_path / "c")
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1 and "was removed or replaced during the crawl" in one_line(err)
    if what == "removed":
        assert not (tmp_path / "c").exists()
    else:
        assert files(tmp_path / "c") == before


def test_who_only_looks_whether_there_is_a_crawl_does_not_stop_one_that_begins(tmp_path):
    """`ttcrawl status` has the lock for a moment."""
    (tmp_path / "lock").write_text("1\n")
    with open(tmp_path / "lock") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        threading.Timer(0.1, looking.close).start()
        with contextlib.closing(Lock(tmp_path)):
            assert crawled_by(tmp_path) == str(os.getpid())
    assert crawled_by(tmp_path) == ""


@pytest.mark.parametrize("number", [37, 95])
def test_a_file_system_without_locks(tmp_path, monkeypatch, number):
    def fails(*arguments):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("ttcrawl.store.lock.fcntl.flock", fails)
    with pytest.raises(CrawlFailedError, match=r"lock cannot be locked \(.*\): use a file system that supports locks"):
        directory.fresh(tmp_path / "c", read(None), {}).__enter__()
    assert not (tmp_path / "c").exists()


def gone_on(web, place):
    """What was killed is begun again, or goes on, with one command; which one it is says the other."""
    begin = ("crawl", web.url(HOSTS[0], "/"), "-d", place, *options_for(web), "--inline", "--progress", "none")
    done = [
        run(*begin),
        run("resume", place, "--inline"),
    ]
    first, again = done
    if first.returncode:
        assert first.returncode == 2 and "already contains a crawl: continue it with ttcrawl resume" in one_line(
            first.stderr
        )
    assert again.returncode == 0, again.stderr
    assert verified(place) == ""
    assert {path.name for path in place.iterdir()} == {"crawl.db", "config.ini", "warc", "lock", "report.txt"}


def killed_at(step, place, *options):
    """Run a command that is killed at a step; False: it has ended before."""
    command = [sys.executable, "-m", "tests.support.faults.killed_at", "SIGKILL", step, str(place), *map(str, options)]
    return subprocess.run(command, capture_output=True, timeout=60).returncode == -signal.SIGKILL


STEPS = [
    "os.mkdir:1",
    "fcntl.flock:1",
    "open:2",
    "os.mkdir:2",
    "sql:9",
    "os.rename:2",
    "os.rename:3",
    "os.mkdir:3",
    "sql:80",
]


@pytest.mark.slow
@pytest.mark.parametrize("step", few(len(STEPS), [*STEPS, *map(str, range(1, 130, 3))]))
def test_a_crawl_that_is_killed_while_it_begins(tmp_path, step):
    with Web({(HOSTS[0], "/"): Answer(body=page())}) as web:
        begin = ("crawl", web.url(HOSTS[0], "/"), "-d", tmp_path / "c", *options_for(web), "--inline")
        assert killed_at(step, tmp_path / "c", *begin)
        gone_on(web, tmp_path / "c")


@pytest.mark.parametrize("second", few(2, ["os.rename:1", "sql:3", "os.mkdir:1", "os.rmdir:1"]))
@pytest.mark.parametrize("first", ["os.rename:3", "os.mkdir:3"])
@pytest.mark.slow
def test_one_that_is_killed_while_it_goes_on_from_that(tmp_path, first, second):
    """crawl.db was there already, not all of the rest."""
    with Web({(HOSTS[0], "/"): Answer(body=page())}) as web:
        begin = ("crawl", web.url(HOSTS[0], "/"), "-d", tmp_path / "c", *options_for(web), "--inline")
        assert killed_at(first, tmp_path / "c", *begin)
        killed_at(second, tmp_path / "c", "resume", tmp_path / "c", "--inline")
        gone_on(web, tmp_path / "c")


@pytest.mark.slow
@pytest.mark.parametrize("milliseconds", few(3, sorted(range(0, 1200, 80), key=lambda each: each % 240)))
def test_a_kill_in_the_first_second(tmp_path, milliseconds):
    """Of the crawl process; its fork server and workers, or those that are being started, end by themselves."""
    with Web({(HOSTS[0], "/"): Answer(body=page(), delay=0.3)}) as web:
        process = start(tmp_path, "crawl", web.url(HOSTS[0], "/"), "-d", tmp_path / "c", *options_for(web))
        time.sleep(milliseconds / 1000)
        process.kill()
        process.communicate(timeout=60)
        until(lambda: not any(processes(process.pid).values()))
        gone_on(web, tmp_path / "c")


@pytest.mark.parametrize("again", [False, True], ids=["a new crawl", "one that goes on"])
def test_what_the_database_raises_ends_in_one_line(tmp_path, again):
    """Also where nobody waits for it: no error of SQLite leaves the directory of a crawl."""
    with directory.fresh(tmp_path / "c", read(None), {"seeds": "http://a.test/"}) as store:
        store.close()
    opened = directory.existing(tmp_path / "c") if again else directory.fresh(tmp_path / "other", read(None), {})
    with pytest.raises(CrawlFailedError, match=r"cannot use .*crawl\.db: no such column: missing"), opened as made:
        store = made[0] if again else made
        store.sites.update(1, missing=1)
