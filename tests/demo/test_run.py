"""The demo as a user runs it, and that it tells a wrong number from a right one."""

import os
import signal
import subprocess
import time
from dataclasses import replace

import pytest

from tests.crawling import command
from ttcrawl.demo.run import VARIANTS, compare
from ttcrawl.report.read import summarize


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    place = tmp_path_factory.mktemp("demo")
    done = subprocess.run(command("demo", "-d", "d"), capture_output=True, text=True, timeout=300, cwd=place)
    return place / "d", done


def test_ctrl_c_ends_it_all(tmp_path):
    process = subprocess.Popen(command("demo", "-d", tmp_path / "d"), stderr=subprocess.PIPE, start_new_session=True)
    while not (tmp_path / "d" / "obeyed" / "lock").exists():
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3 and b"Traceback" not in err
    assert [path.name for path in (tmp_path / "d").iterdir()] == ["obeyed"]


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
