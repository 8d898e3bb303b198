"""Commands whose output nobody takes keep no snapshot, so the log of a crawl that runs can be cut."""

import os
import select
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import generated
from tests.support.crawls.crawling import command
from ttcrawl.config import Config, example
from ttcrawl.store.lock import Lock
from ttcrawl.store.locks import readers_of_log

COMMANDS = {
    **{name: ("export", "--table", name) for name in ("urls", "links", "visits")},
    **{f"{name} with texts": ("export", "--text", "--format", name) for name in ("jsonl", "csv")},
    **{name: ("export", "--format", name) for name in ("crawl-log", "alvis", "dc", "wet", "parquet")},
    "diff": ("diff",),
}


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A crawl that runs, as far as others can tell."""
    directory = generated(tmp_path_factory.mktemp("r") / "c", urls=5000, links=9000, pages=3000, hosts=5, texts=3000)
    (directory / "config.ini").write_text(example(Config()))
    with closing(sqlite3.connect(directory / "crawl.db")) as db, closing(Lock(directory)):
        db.execute("PRAGMA journal_mode = WAL")
        with db:
            db.execute("INSERT INTO crawl VALUES ('seeds', (SELECT url FROM url WHERE id = 1))")
            db.execute("UPDATE url SET processed = discovered + 1")
        yield directory


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_nobody_reads(running, name):
    begun, *options = COMMANDS[name]
    moments = ["1990-01-01"] if begun == "diff" else []
    reads, writes = os.pipe()
    full = select.poll()
    full.register(writes, select.POLLOUT)
    process = subprocess.Popen(command(begun, running, *moments, *options), stdout=writes, stderr=subprocess.DEVNULL)
    try:
        end, free = time.monotonic() + 100, 0
        while free < 10:
            assert process.poll() is None, "it wrote less than a pipe holds"
            assert time.monotonic() < end
            waits = not full.poll(0) and process.pid not in readers_of_log(running / "crawl.db")
            free = free + 1 if waits else 0
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
        os.close(reads)
        os.close(writes)
