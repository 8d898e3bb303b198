"""Runs of pytest whose failed tests are run once more, alone: `python -m tests.support.second_run COMMAND...`.

Each command, such as `make test`, goes on where tests fail, also to its next run of pytest: this module is a plugin of
these runs that notes the failed tests. At the end they run again, one after the other.

The exit status is 1 if a test fails twice, if too many fail, or if a command failed for another reason: an error while
tests are collected, no tests, a crash, a missing program.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

#: The environment variable with the name of the file of notes.
NOTES = "TTCRAWL_FAILED_TESTS"

#: Failed tests above which there is no second run: they have one cause, which is no accident.
MOST = 10

#: Seconds that the second run may take.
LIMIT = 900

#: Variables with which pytest ends with the whole values of what differs, pages of them.
IN_CI = ("CI", "BUILD_NUMBER")


class Noted:
    """The failed tests of one run of pytest, in the process that reports them."""

    def __init__(self, notes: Path) -> None:
        self._notes = notes
        self._failed: dict[str, None] = {}  # in order
        self._broken = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._broken |= report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:  # of a fixture, too
            self._failed[report.nodeid] = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object, error: object) -> None:
        """A process of pytest-xdist has ended; `error`: it has crashed."""
        self._broken |= error is not None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Failed tests are noted, and are then no reason for the command to stop."""
        if session.exitstatus == pytest.ExitCode.TESTS_FAILED and self._failed and not self._broken:
            with open(self._notes, "a") as file:
                file.writelines(f"{json.dumps(each)}\n" for each in self._failed)
            session.exitstatus = pytest.ExitCode.OK


def pytest_configure(config: pytest.Config) -> None:
    # the processes of pytest-xdist report to one that notes; runs of pytest inside tests are not ours
    notes = os.environ.pop(NOTES, "")
    os.environ.pop("PYTEST_ADDOPTS", None)
    if notes and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Noted(Path(notes)))


def run(commands: list[str], limit: float = LIMIT) -> int:
    """Return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / "first", Path(folder) / "second"
        broken = [command for command in commands if _status(command, first)]
        failed, alone = _noted(first), []
        if 0 < len(failed) <= MOST:
            if _status([sys.executable, "-m", "pytest", *failed], second, limit):
                broken.append("the second run")
            else:
                alone = [each for each in failed if each not in _noted(second)]
    _print("failed otherwise than by a test", broken)
    _print("passed only alone", alone)
    _print("failed twice" if len(failed) <= MOST else "too many failed", [each for each in failed if each not in alone])
    return 1 if broken or len(alone) < len(failed) else 0


def _status(command: str | list[str], notes: Path, limit: float | None = None) -> int:
    """Run a command whose runs of pytest note their failed tests."""
    environment = {name: value for name, value in os.environ.items() if name not in IN_CI}
    environment |= {NOTES: str(notes), "PYTEST_ADDOPTS": f"-p {__spec__.name}"}
    process = subprocess.Popen(command, shell=isinstance(command, str), env=environment, start_new_session=True)
    try:
        return process.wait(limit)
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if isinstance(error, subprocess.TimeoutExpired):
            return 1
        raise


def _noted(notes: Path) -> list[str]:
    lines = notes.read_text().splitlines() if notes.exists() else []
    return list(dict.fromkeys(map(json.loads, lines)))


def _print(title: str, lines: list[str]) -> None:
    if lines:
        # a run that was ended has not ended its line
        print(f"\n{title}:", *(f"  {line}" for line in lines), sep="\n", flush=True)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
