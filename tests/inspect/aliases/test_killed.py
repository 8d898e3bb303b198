"""kill -9 while aliases are merged: afterwards it is done or not begun, and the next merge does what is left."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest

from tests.inspect.aliases.sample_crawl import Made, made
from tests.support.cases import some_fast
from tests.support.crawls.crawling import command
from tests.support.crawls.preforked import run
from tests.support.faults.killed_at import killed_at
from ttcrawl import config
from ttcrawl.config import Config, read
from ttcrawl.snapshot.snapshot import view

QUEUED = 6_000
A, WWW = "http://a.test", "http://www.a.test"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """A stopped crawl with much in the queue of an alias, of which a part is queued under the other name too."""
    pages = {f"{origin}/{n}": Made(body=f"page {n}") for origin in (A, WWW) for n in range(30)}
    pages |= {f"{WWW}/queued-{n}": Made(state="queued") for n in range(QUEUED)}
    pages |= {f"{A}/queued-{n}": Made(state="queued") for n in range(0, QUEUED, 4)}
    pages |= {f"{WWW}/alone-{n}": Made(body=f"alone {n}") for n in range(50)}
    scope = config.Scope(scope="any")
    return made(tmp_path_factory.mktemp("merge") / "crawl", pages, [f"{A}/0"], Config(scope=scope))


def start(directory):
    return subprocess.Popen(
        command("aliases", directory, "--merge"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def ledger(directory):
    """The URLs, and what has to agree with them."""
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        urls = set(db.execute("SELECT url, state, reason FROM url"))
        assert len(urls) == db.execute("SELECT count(*) FROM url").fetchone()[0]
        queued = sum(state == "queued" for _, state, _ in urls)
        assert db.execute("SELECT value FROM crawl WHERE name = 'total_queued'").fetchone() == (str(queued),)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return urls


def aliases(directory):
    return read(directory / "config.ini").url.aliases


@pytest.fixture(scope="module")
def done(crawl, tmp_path_factory):
    """The ledger after a merge that nobody killed, and the seconds it took."""
    copy = shutil.copytree(crawl, tmp_path_factory.mktemp("done") / "crawl")
    began = time.monotonic()
    process = start(copy)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    after = ledger(copy)
    states = {(state, reason) for url, state, reason in after if url.startswith(f"{WWW}/queued")}
    assert states == {("refused", "alias")}
    assert sum(url.startswith(f"{A}/queued") and state == "queued" for url, state, _ in after) == QUEUED
    assert sum(reason == "alias: fetched" for _, _, reason in after) == 50
    return after, time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize("part", [0.5, 0.8, 0.95])
def test_killed_after_a_part_of_the_time(crawl, done, tmp_path, part):
    after, seconds = done
    copy = shutil.copytree(crawl, tmp_path / "crawl")
    process = start(copy)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=seconds * part)
    os.kill(process.pid, signal.SIGKILL) if process.poll() is None else None
    process.communicate()
    with view(copy) as db:
        merged = bool(db.config.url.aliases)
    assert ledger(copy) == (after if merged else ledger(crawl))
    assert start(copy).wait(60) == 0
    assert ledger(copy) == after


@pytest.mark.parametrize("number", some_fast([1, 2], 2))
def test_killed_before_a_file_gets_its_name(crawl, done, tmp_path, number):
    """config.ini under another name before the transaction, and its own name after it."""
    after, _ = done
    copy = shutil.copytree(crawl, tmp_path / "crawl")
    assert killed_at(f"os.rename:{number}", copy, "aliases", copy, "--merge") == -signal.SIGKILL
    assert not read(copy / "config.ini").url.aliases and ledger(copy) == (after if number == 2 else ledger(crawl))
    with view(copy) as db:
        assert db.config.url.aliases == ("www.a.test=a.test" if number == 2 else "")
    assert run("aliases", copy, "--merge").returncode == 0
    assert ledger(copy) == after and aliases(copy) == "www.a.test=a.test"
