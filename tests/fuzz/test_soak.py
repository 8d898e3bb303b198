"""Some rounds of the soak, always the same ones; `python -m tests.fuzz.soak` plays others for as long as one likes."""

import random
import subprocess
import sys

import pytest

from tests.fuzz.soak.__main__ import soak
from tests.fuzz.soak.mutated import CHANGES, mutated, mutated_zip
from tests.fuzz.soak.play import ALWAYS, SOMETIMES, play
from tests.fuzz.soak.real import DOCUMENTS
from tests.fuzz.soak.responses import KINDS, web
from tests.fuzz.soak.shrink import How, put, shrunk
from tests.fuzz.soak.shrink import play as play_apart
from ttcrawl.config import read


@pytest.mark.slow
def test_a_short_round(tmp_path):
    """In this process, with every check and the commands that take no seconds."""
    put(tmp_path, web(7, 12))
    this = play(tmp_path, 7, dear=False, ring=False)
    assert this.found == []
    assert this.ran > 30


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(1200)
def test_some_minutes(tmp_path):
    """A round of each kind at least: in one process, in several, with all commands."""
    soaked = soak(3, 2026, tmp_path, most=12)
    assert soaked.kinds == {}
    assert soaked.counts["rounds"] >= 1 and soaked.counts["fetched"] > 50 * soaked.counts["rounds"] / 2


@pytest.mark.slow
def test_a_round_is_the_same_every_time():
    assert web(3, 20) == web(3, 20) != web(4, 20)


def test_the_options_of_a_round_are_options():
    for each in SOMETIMES:
        read(None, [tuple(key.split("=", 1)) for key in [*ALWAYS, *each.split("\n")]])


@pytest.mark.parametrize("kind", KINDS)
def test_answers_of_every_kind(kind):
    for seed in range(20):
        body, mime = KINDS[kind][0](random.Random(seed))
        assert isinstance(body, bytes) and "/" in mime


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_changes_of_anything(change):
    for data in (b"", b"1", b"<a href='xyz'>12</a>", b"\xff" * 500):
        for seed in range(20):
            assert isinstance(change(data, random.Random(seed)), bytes)


def test_changes_within_archives():
    data = (DOCUMENTS / "text.docx").read_bytes()
    made = {mutated_zip(data, random.Random(seed)) for seed in range(9)}
    assert len(made) > 5 and sum(each.startswith(b"PK") for each in made) > 5
    assert mutated(data, random.Random(0)) == data or len(data) < 400_000


@pytest.mark.slow
@pytest.mark.long
def test_what_is_found_is_made_small(tmp_path, monkeypatch):
    """Of many answers one breaks the process that plays: that one is left, and of it what does."""
    answers = web(1, 6) | {
        "3.http": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + b"<p>x</p>" * 99 + b"BREAK IT"
    }
    breaking = tmp_path / "sitecustomize.py"
    breaking.write_text(
        "import os, sys\n"
        "import tests.fuzz.soak.server as server\n"
        "made = server.shelf\n"
        "def shelf(answers):\n"
        "    if any(b'BREAK' in each for each in answers.values()):\n"
        "        os._exit(7)\n"
        "    return made(answers)\n"
        "server.shelf = shelf\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{':'.join(sys.path)}")
    how = How(options=0, dear=False, ring=False)
    kind = "the process ended: status 7"
    assert set(play_apart(answers, how).findings) == {kind}
    small = shrunk(answers, kind, how)
    assert list(small) == ["3.http"] and b"BREAK" in small["3.http"] and len(small["3.http"]) < 100


@pytest.mark.slow
def test_its_command():
    run = [sys.executable, "-m", "tests.fuzz.soak", "--minutes", "0.01", "--size", "5", "--seed", "9"]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "nothing was found"), done.stdout
    assert "1 rounds, 5 answers" in done.stdout
