"""Run the tests in processes that are forked when all tests are collected: `pytest --forks 4`.

To collect takes as long as hundreds of tests do, and each process of pytest-xdist does it again. A forked process runs
tests one after the other, and its reports go to the process that forked it. That one gives each process a run of tests
in their order, so that fixtures of a module are made once, and half of the longest run to a process that has no more.
A process that dies fails the test that it ran, and another one goes on.
"""

from __future__ import annotations

import gc
import os
import selectors
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, cast

import pytest

#: `when` of the report of a test whose process has ended, as pytest-xdist has it.
CRASHED: Any = "???"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forks", type=int, default=0, help="run the tests in so many forked processes")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected is no garbage: to look for it takes a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    config = session.config
    count = min(config.getoption("forks"), len(session.items))
    if count < 2 or config.getoption("collectonly") or session.testsfailed:
        return None
    return _Forks(session, count).run()


@dataclass(slots=True, eq=False)
class _Fork:
    """A forked process. `waiting`: the tests that it has not yet; `held`: those that it has, the first one is run."""

    number: int
    waiting: list[int]
    held: list[int] = field(default_factory=list)
    pid: int = 0


class _Forks:
    def __init__(self, session: pytest.Session, count: int) -> None:
        self._session = session
        self._hook = session.config.hook
        self._selector = selectors.DefaultSelector()
        bounds = [len(session.items) * number // count for number in range(count + 1)]
        self._forks = [_Fork(number, list(range(*pair))) for number, pair in enumerate(pairwise(bounds))]

    def run(self) -> bool:
        """True when all is done: in the first process, and in each forked one, which then ends as pytest does."""
        for fork in self._forks:
            if self._start(fork):
                return True
        while self._selector.get_map():
            for key, _ in self._selector.select():
                if self._serve(key.data, cast(Connection, key.fileobj)):
                    return True
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if self._session.shouldstop:
            raise self._session.Interrupted(self._session.shouldstop)
        return True

    def _start(self, fork: _Fork) -> bool:
        """Fork; True in the new process, when it has run its tests."""
        ours, theirs = Pipe()
        if (reporter := self._session.config.pluginmanager.get_plugin("terminalreporter")) is not None:
            reporter.flush()  # else the new process would write it too
        fork.pid = os.fork()
        if fork.pid:
            theirs.close()
            self._selector.register(ours, selectors.EVENT_READ, fork)
            return False
        ours.close()
        for key in self._selector.get_map().values():  # the others see the end of the first process by these
            cast(Connection, key.fileobj).close()
        self._selector.close()
        _Tests(self._session, theirs, fork.number).run()
        return True

    def _serve(self, fork: _Fork, connection: Connection) -> bool:
        """Read one message of a process; True in a process that was forked because this one has ended."""
        try:
            kind, content = connection.recv()
        except (EOFError, ConnectionResetError):
            self._selector.unregister(connection)
            connection.close()
            return self._ended(fork, os.waitstatus_to_exitcode(os.waitpid(fork.pid, 0)[1]))
        if kind == "next":
            index = self._next(fork)
            fork.held += [] if index is None else [index]
            connection.send(index)
        elif kind == "done":
            del fork.held[0]
        elif kind == "report":
            report = self._hook.pytest_report_from_serializable(config=self._session.config, data=content)
            self._hook.pytest_runtest_logreport(report=report)
        else:
            text, category, *position = content.pop("warning")
            message = warnings.WarningMessage(text, category, *position)
            self._hook.pytest_warning_recorded.call_historic(kwargs={"warning_message": message, **content})
        return False

    def _next(self, fork: _Fork) -> int | None:
        if self._session.shouldfail or self._session.shouldstop:
            return None
        if not fork.waiting:
            longest = max((each.waiting for each in self._forks), key=len)
            half = len(longest) // 2
            fork.waiting, longest[half:] = longest[half:], []
        return fork.waiting.pop(0) if fork.waiting else None

    def _ended(self, fork: _Fork, status: int) -> bool:
        if not fork.held:
            return False
        item = self._session.items[fork.held[0]]
        text = f"the process that ran this test has ended with status {status}"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, CRASHED)
        self._hook.pytest_runtest_logreport(report=report)
        fork.waiting[:0], fork.held = fork.held[1:], []
        return self._start(fork)


class _Tests:
    """The tests of a forked process, and what it reports."""

    def __init__(self, session: pytest.Session, connection: Connection, number: int) -> None:
        self._session, self._connection = session, connection
        config: Any = session.config
        config.workerinput = {"workerid": f"fork{number}"}  # plugins leave to the first process what is done once
        plugins = config.pluginmanager
        plugins.unregister(plugins.get_plugin("terminalreporter"))
        capture = plugins.get_plugin("capturemanager")
        capture.stop_global_capturing()  # into files with one position for all processes
        capture.start_global_capturing()
        plugins.register(self, "forked tests")

    def run(self) -> None:
        index = self._next()
        while index is not None:
            following = self._next()
            after = None if following is None else self._session.items[following]
            item = self._session.items[index]
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            self._connection.send(("done", None))
            index = following

    def _next(self) -> int | None:
        self._connection.send(("next", None))
        index: int | None = self._connection.recv()
        return index

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        config = self._session.config
        data = config.hook.pytest_report_to_serializable(config=config, report=report)
        self._connection.send(("report", data))

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: object
    ) -> None:
        if when == "runtest":  # the first process has collected
            warning = warning_message
            plain = (str(warning.message), warning.category, warning.filename, warning.lineno)
            content = {"warning": plain, "when": when, "nodeid": nodeid, "location": location}
            self._connection.send(("warning", content))
