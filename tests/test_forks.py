"""Tests in forked processes: each runs once, and is reported as it is without them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

#: Each test leaves a file that names its process; the fixture of the module another one.
MANY = """
import os, time, uuid
import pytest
from pathlib import Path

def leave(folder, number):
    Path(__file__).with_name(f"{folder}-{os.getpid()}-{number}-{uuid.uuid4()}").touch()

@pytest.fixture(scope="module")
def shared():
    leave("begun", 0)
    yield
    leave("ended", 0)

@pytest.mark.parametrize("number", range(60))
def test_each(shared, number):
    leave("test", number)
"""
KINDS = """
import sys, warnings
import pytest
def test_passed(): pass
def test_failed():
    print("from the failed test")
    assert 1 == 2
def test_skipped(): pytest.skip("for a reason")
@pytest.mark.xfail
def test_expected(): assert False
def test_warns(): warnings.warn("as a test does", UserWarning)
@pytest.fixture
def broken(): raise LookupError("in a fixture")
def test_not_set_up(broken): pass
def test_prints(capfd):
    print("from the test that prints")
    assert capfd.readouterr().out == "from the test that prints\\n"
"""
CRASH = """
import os, signal
import pytest
@pytest.mark.parametrize("number", range(20))
def test_each(number):
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
"""
MANY_FAIL = """
import pytest
@pytest.mark.parametrize("number", range(400))
def test_each(number): assert False
"""


def run(directory: Path, text: str, *options: str) -> tuple[int, str]:
    """The exit status of pytest and what it prints."""
    (directory / "test_some.py").write_text(text)
    words = [sys.executable, "-m", "pytest", "-p", "tests.support.forks", "-p", "no:cacheprovider", "-ra", *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for name in ("PYTEST_ADDOPTS", "CI", "BUILD_NUMBER"):
        environment.pop(name, None)
    done = subprocess.run(words, cwd=directory, env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def test_each_runs_once_and_each_process_has_the_fixture_once(tmp_path):
    status, output = run(tmp_path, MANY, "--forks", "3")
    left = [path.name.split("-") for path in tmp_path.iterdir() if path.name.startswith(("begun", "ended", "test-"))]
    assert (status, "60 passed" in output) == (0, True), output
    assert sorted(int(number) for kind, _, number, *_ in left if kind == "test") == list(range(60))
    processes = sorted({process for kind, process, *_ in left if kind == "test"})
    assert len(processes) == 3
    for expected in ("begun", "ended"):
        assert sorted(process for kind, process, *_ in left if kind == expected) == processes


def summary(output: str) -> list[str]:
    """What pytest prints from its failures on, without durations and numbers of processes."""
    lines = output[output.index("= ERRORS =") :].splitlines()
    return [re.sub(r"in [\d.]+s", "", line.strip("=")) for line in lines]


def test_the_report_is_the_one_of_a_single_process(tmp_path):
    alone, forked = run(tmp_path, KINDS), run(tmp_path, KINDS, "--forks", "3")
    assert alone[0] == forked[0] == 1
    assert "1 failed, 3 passed, 1 skipped, 1 xfailed, 1 warning, 1 error" in forked[1]
    assert sorted(summary(alone[1])) == sorted(summary(forked[1]))


def test_a_process_that_is_killed_fails_one_test(tmp_path):
    status, output = run(tmp_path, CRASH, "--forks", "2")
    assert status == 1
    assert "1 failed, 19 passed" in output
    assert "FAILED test_some.py::test_each[7]" in output
    assert "has ended with status -9" in output


def test_the_first_failure_is_the_last(tmp_path):
    status, output = run(tmp_path, MANY_FAIL, "--forks", "2", "-x")
    assert status == 1
    assert re.search(r"stopping after \d failures", output)
    assert int(re.search(r"(\d+) failed", output)[1]) < 20


@pytest.mark.parametrize(
    "options", [["--forks", "1"], ["--forks", "3", "-k", "test_passed"], ["--forks", "3", "-n", "2"]]
)
def test_where_nothing_is_forked(tmp_path, options):
    status, output = run(tmp_path, KINDS, *options)
    assert status == (0 if "-k" in options else 1), output
