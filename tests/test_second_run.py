"""What CI makes of tests that fail: those that pass alone are named, and everything else is a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.second_run import MOST

ROOT = Path(__file__).parent.parent

GOOD = "def test_good(): pass\n"
ONCE = """
import os
def test_once():
    path = os.path.join(os.path.dirname(__file__), "tried")
    if not os.path.exists(path):
        open(path, "w").close()
        raise AssertionError
"""
ALWAYS = "def test_always(): assert False\n"
FIXTURE = (
    ONCE.replace("def test_once", "import pytest\n@pytest.fixture\ndef fixture") + "def test_set_up(fixture): pass\n"
)
TEARDOWN = FIXTURE.replace("def fixture():", "def fixture():\n    yield")
MANY = f"import pytest\n@pytest.mark.parametrize('n', range({MOST + 1}))\ndef test_many(n): assert False\n"
CRASH = "import os\ndef test_crash(): os._exit(1)\n"
COLLECTION = "import no_such_module\n"
INTERRUPT = "def test_interrupt(): raise KeyboardInterrupt\n"
HANG = ONCE + "    import time\n    time.sleep(60)\n"

#: Files of tests -> exit status, and the lines that are printed.
RUNS: dict[str, tuple[list[str], int, list[str]]] = {
    "all pass": ([GOOD], 0, []),
    "once": ([ONCE, GOOD], 0, ["passed only alone:", "  test_0.py::test_once"]),
    "in a fixture": ([FIXTURE], 0, ["passed only alone:", "  test_0.py::test_set_up"]),
    "in a fixture's end": ([TEARDOWN], 0, ["passed only alone:", "  test_0.py::test_set_up"]),
    "twice": ([ALWAYS, GOOD], 1, ["failed twice:", "  test_0.py::test_always"]),
    "one of each": (
        [ALWAYS, ONCE],
        1,
        ["passed only alone:", "  test_1.py::test_once", "failed twice:", "  test_0.py::test_always"],
    ),
    "too many": ([MANY], 1, ["too many failed:", *(f"  test_0.py::test_many[{n}]" for n in range(MOST + 1))]),
    "a crash": ([CRASH, GOOD], 1, ["failed otherwise than by a test:", "  COMMAND"]),
    "a crash beside a failure": ([CRASH, ONCE], 1, ["failed otherwise than by a test:", "  COMMAND"]),
    "while collecting": ([COLLECTION, ONCE], 1, ["failed otherwise than by a test:", "  COMMAND"]),
    "an interrupt": ([INTERRUPT], 1, ["failed otherwise than by a test:", "  COMMAND"]),
    "no tests": (["x = 1\n"], 1, ["failed otherwise than by a test:", "  COMMAND"]),
}


def second_run(directory: Path, commands: list[str], limit: float = 60) -> tuple[int, list[str]]:
    """The exit status, and the lines that pytest does not print."""
    program = f"import sys; from tests.support.second_run import run; sys.exit(run(sys.argv[1:], {limit}))"
    words = [sys.executable, "-c", program, *commands]
    done = subprocess.run(words, cwd=directory, capture_output=True, text=True, env=environment())
    titles = ("passed only alone:", "failed twice:", "too many failed:", "failed otherwise than by a test:")
    lines = [line for line in done.stdout.splitlines() if line]
    first = min((lines.index(each) for each in titles if each in lines), default=len(lines))
    return done.returncode, lines[first:]


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "TTCRAWL"))}
    return kept | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


#: A run of pytest, and how its tests are spread: by pytest-xdist, or over forked processes.
PYTEST = f"{sys.executable} -m pytest -q -p no:cacheprovider"
SPREAD = ("once", "in a fixture", "twice", "a crash beside a failure", "while collecting")
FORKS, FORKED = "-p tests.support.forks.plugin --forks 2", ("once", "in a fixture's end", "twice", "while collecting")


def fill(directory: Path, files: list[str]) -> None:
    for number, text in enumerate(files):
        (directory / f"test_{number}.py").write_text(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "command"),
    [
        *((name, PYTEST) for name in RUNS),
        *((name, f"{PYTEST} -n 2") for name in SPREAD),
        *((name, f"{PYTEST} {FORKS}") for name in FORKED),
    ],
)
def test_a_failed_test_has_a_second_chance_alone(tmp_path, name, command) -> None:
    files, status, lines = RUNS[name]
    fill(tmp_path, files)
    assert second_run(tmp_path, [command]) == (status, [line.replace("COMMAND", command) for line in lines])


@pytest.mark.slow
def test_each_command_runs_whatever_became_of_the_one_before(tmp_path) -> None:
    fill(tmp_path, [ONCE])
    lines = ["failed otherwise than by a test:", "  false", "passed only alone:", "  test_0.py::test_once"]
    assert second_run(tmp_path, ["false", f"{PYTEST} && touch after", "touch last"]) == (1, lines)
    assert (tmp_path / "after").exists() and (tmp_path / "last").exists()


@pytest.mark.slow
def test_the_second_run_ends_in_time(tmp_path) -> None:
    fill(tmp_path, [HANG])
    lines = ["failed otherwise than by a test:", "  the second run", "failed twice:", "  test_0.py::test_once"]
    assert second_run(tmp_path, [PYTEST], limit=8) == (1, lines)


@pytest.mark.slow
def test_a_run_of_pytest_inside_a_test_is_its_own(tmp_path) -> None:
    inner = tmp_path / "inner.py"
    inner.write_text(ALWAYS)
    run = (
        f"import subprocess, sys\ndef test_inner():\n    subprocess.run([sys.executable, '-m', 'pytest', '{inner}'])\n"
    )
    fill(tmp_path, [run])
    assert second_run(tmp_path, [PYTEST]) == (0, [])
