"""The demo as a user runs it, and that it tells a wrong number from a right one."""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.crawls.crawling import command
from ttcrawl.demo.compare import PORT, VARIANTS, compare
from ttcrawl.report.summarize import summarize

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    place = tmp_path_factory.mktemp("demo")
    done = subprocess.run(command("demo", "-d", "d"), capture_output=True, text=True, timeout=300, cwd=place)
    return place / "d", done


@pytest.mark.slow
def test_ctrl_c_ends_it_all(tmp_path):
    """Also with somebody else at its port."""
    with socket.socket() as taken:
        with suppress(OSError):  # by another demo
            taken.bind(("127.0.0.1", PORT))
            taken.listen()
        stopped_by_ctrl_c(tmp_path)
    with closing(sqlite3.connect(tmp_path / "d" / "obeyed" / "crawl.db")) as database:
        ((seed,),) = database.execute("SELECT value FROM crawl WHERE name = 'seeds'")
    assert seed.startswith("http://campus.test:") and f":{PORT}/" not in seed


def stopped_by_ctrl_c(tmp_path):
    process = subprocess.Popen(command("demo", "-d", tmp_path / "d"), stderr=subprocess.PIPE, start_new_session=True)
    while not list((tmp_path / "d" / "obeyed" / "warc").glob("*")):  # it is made, and crawled
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3 and b"Traceback" not in err
    assert [path.name for path in (tmp_path / "d").iterdir()] == ["obeyed"]


def test_the_manual_names_its_port():
    named = {port for path in DOCS.glob("*.md") for port in re.findall(r"campus\.test:(\d+)", path.read_text(), re.I)}
    assert named == {str(PORT)}


@pytest.mark.slow
def test_what_the_manual_shows_is_what_comes(demo):
    _, done = demo
    free = re.compile(r"[\d,]+(?=  ~)")  # the order of pages, and so this number, is free without a delay
    shown, came = (
        [free.sub("#", line.rstrip()) for line in text.splitlines() if re.search(r"(?:\d  [=~]|requests) ?", line)]
        for text in ((DOCS / "demo.md").read_text().split("![")[0], done.stdout)
    )
    *table, time_taken = shown
    assert table == came[: len(table)] and len(table) == 11
    assert time_taken.partition(" took ")[0] == came[len(table)].partition(" took ")[0]


@pytest.mark.slow
def test_every_number_is_the_published_one(demo):
    place, done = demo
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every number is the published one." in done.stdout and " ! " not in done.stdout
    assert {"report.txt", "plots", "obeyed", "not-obeyed", "regex"} == {path.name for path in place.iterdir()}
    assert (place / "plots" / "growth.png").stat().st_size > 10_000


@pytest.mark.slow
@pytest.mark.parametrize("variant", range(3))
def test_a_wrong_number_is_found(demo, variant):
    place, _ = demo
    summaries = [summarize(place / each.directory) for each in VARIANTS]
    assert compare(summaries)[1]
    wrong = replace(summaries[variant], found=replace(summaries[variant].found, total=7))
    text, right = compare([*summaries[:variant], wrong, *summaries[variant + 1 :]])
    assert not right and "7  !" in text
