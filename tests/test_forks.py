"""Processes that are forked once tests are collected: each test runs once, and is reported as pytest reports it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.forks.chunks import Queue, chunks

ROOT = Path(__file__).parent.parent

#: Modules as (name, number of tests).
SUITES = {
    "none": [],
    "one test": [("a", 1)],
    "less than processes": [("a", 1), ("b", 1)],
    "one module": [("a", 1000)],
    "a long one last": [*((f"m{number}", 20) for number in range(100)), ("long", 700)],
    "one test each": [(f"m{number}", 1) for number in range(300)],
}


@pytest.mark.parametrize("processes", [1, 2, 6])
@pytest.mark.parametrize("suite", SUITES)
def test_a_chunk_has_neighbours_of_one_module_and_the_last_ones_are_short(suite, processes) -> None:
    modules = [name for name, number in SUITES[suite] for _ in range(number)]
    found = list(chunks(modules, processes))
    assert [test for chunk in found for test in chunk] == list(range(len(modules)))
    assert all(len({modules[test] for test in chunk}) == 1 for chunk in found)
    for chunk in found:
        assert len(chunk) <= max(1, (len(modules) - chunk.start) / processes / 2)


def test_chunks_of_a_module_become_shorter() -> None:
    sizes = [len(chunk) for chunk in chunks(["a"] * 1000, 2)]
    assert sizes[0] == 125 and sizes[-1] == 1
    assert all(before >= after for before, after in pairwise(sizes))


def test_processes_share_one_queue() -> None:
    """What one has taken no other one takes."""
    queue = Queue(iter(range(number, number + 1) for number in range(1000)))
    reading, writing = os.pipe()
    pids = []
    for _ in range(4):
        pid = os.fork()
        if pid == 0:
            while chunk := queue.take():
                os.write(writing, chunk.start.to_bytes(4, "big"))
            os._exit(0)
        pids.append(pid)
    os.close(writing)
    with open(reading, "rb") as file:
        data = file.read()
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * 4
    assert sorted(int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4)) == list(range(1000))
    assert queue.take() is None
    queue.close()


#: Each test says that it runs; some do what tests may do.
TESTS = """
import os, signal, time, warnings
import pytest

@pytest.fixture(autouse=True)
def log(request):
    with open("log", "a") as file:
        file.write(request.node.name + "\\n")

@pytest.fixture(scope="module")
def server(tmp_path_factory):
    yield tmp_path_factory.mktemp("server")
    with open("ended", "a") as file:
        file.write(f"{os.getpid()}\\n")

@pytest.mark.parametrize("number", range(40))
def test_good(number, server, capfd):
    os.system("echo written")
    assert capfd.readouterr().out == "written\\n"
"""

ODD = """
def test_warns(): warnings.warn("an odd thing")
def test_fails():
    print("before it failed")
    assert 1 == 2
def test_crashes(server): os.kill(os.getpid(), signal.SIGKILL)
def test_is_skipped(): pytest.skip("not here")
@pytest.mark.xfail
def test_fails_as_expected(): assert False
@pytest.fixture
def broken():
    yield
    raise ValueError
def test_cannot_be_torn_down(broken): pass
@pytest.mark.timeout(0.2)
def test_hangs(): time.sleep(30)
"""


def environment(directory: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "TTCRAWL"))}
    ours = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DEBUG_TEMPROOT": str(directory)}
    return kept | ours


def command(directory: Path, text: str, *options: str) -> list[str]:
    (directory / "test_it.py").write_text(text)
    (directory / "pytest.ini").write_text("[pytest]\n")
    plugin = ("-p", "tests.support.forks.plugin", "--forks", "3", "-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    return [sys.executable, "-m", "pytest", "-ra", *plugin, *options]


def run(directory: Path, text: str, *options: str) -> tuple[int, str, list[str]]:
    """The exit status, what is printed, and the names of the tests that ran."""
    words = command(directory, text, *options)
    done = subprocess.run(words, cwd=directory, capture_output=True, text=True, env=environment(directory), timeout=60)
    return done.returncode, done.stdout, (directory / "log").read_text().splitlines()


def test_each_test_runs_once_and_is_reported(tmp_path) -> None:
    status, printed, names = run(tmp_path, TESTS + ODD)
    assert status == 1 and sorted(names) == sorted(set(names)) and len(names) == 47
    assert "3 failed, 42 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in " in printed
    shown = set(re.findall(r"^(?:FAILED|ERROR|XFAIL) test_it\.py::(\w+)", printed, re.MULTILINE))
    assert shown == {"test_fails", "test_crashes", "test_hangs", "test_fails_as_expected", "test_cannot_be_torn_down"}
    assert "its process has ended with status -9" in printed
    assert "before it failed" in printed and "UserWarning: an odd thing" in printed
    assert "[100%]" in printed


@pytest.mark.slow
def test_the_fixtures_of_each_process_end(tmp_path) -> None:
    status, printed, _ = run(tmp_path, TESTS, "-o", "tmp_path_retention_policy=failed")
    assert status == 0 and "40 passed" in printed
    ended = (tmp_path / "ended").read_text().splitlines()
    assert len(ended) == len(set(ended)) <= 3
    (folder,) = tmp_path.glob("pytest-of-*")
    assert not [each for each in folder.iterdir() if not each.is_symlink()]


@pytest.mark.slow
def test_a_first_failure_can_end_the_run(tmp_path) -> None:
    text = TESTS.replace("assert capfd", "time.sleep(1)\n    assert number and capfd")
    status, printed, names = run(tmp_path, text, "-x")
    assert status == 1 and "1 failed" in printed and len(names) < 20


@pytest.mark.slow
@pytest.mark.parametrize("text", ["import no_such_module\n", "x = 1\n"], ids=["an error", "no tests"])
def test_what_cannot_be_collected_is_an_error(tmp_path, text) -> None:
    words = command(tmp_path, text)
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=environment(tmp_path), timeout=60)
    assert done.returncode in (2, 5) and ("no_such_module" in done.stdout or "no tests ran" in done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupt_ends_all_processes(tmp_path, signum) -> None:
    """With their fixtures, unless they were killed."""
    text = TESTS.replace("assert capfd", "time.sleep(0.3)\n    assert capfd")
    words, streams = command(tmp_path, text), {"stdout": subprocess.PIPE, "env": environment(tmp_path)}
    with subprocess.Popen(words, cwd=tmp_path, **streams) as process:
        end = time.monotonic() + 30
        while not (tmp_path / "log").exists() and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signum)
        process.communicate(timeout=30)  # the processes hold the stream open
    assert process.returncode == (2 if signum == signal.SIGINT else -signal.SIGKILL)
    assert len((tmp_path / "log").read_text().splitlines()) < 40
    assert signum == signal.SIGKILL or (tmp_path / "ended").exists()
