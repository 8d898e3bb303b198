"""A process that runs tests, and what the process that has started it knows of it."""

from __future__ import annotations

import atexit
import mmap
import os
import pickle
import random
import signal
import struct
import traceback
import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, NoReturn

import pytest
from _pytest.runner import runtestprotocol

from tests.support.forks.chunks import Queue

#: The length of a message, and the index of a test.
NUMBER = struct.Struct("i")

#: What a process sends: the `test` with this index is done with these `reports`, or pytest has recorded a `warning`.
Message = dict[str, Any]


class Worker:
    """A process that takes chunks of the tests `items` from a queue; it begins at once.

    `pidfd` can be waited for, `pipe` has its messages. The end of the pipe may come later: a process that a test has
    left behind holds it open.
    """

    def __init__(self, session: pytest.Session, items: list[pytest.Item], queue: Queue) -> None:
        self.pipe, writing = os.pipe()
        os.set_blocking(self.pipe, False)
        self._current = mmap.mmap(-1, NUMBER.size)
        self._current[:] = NUMBER.pack(-1)
        self._unread = bytearray()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self.pipe)
            _live(session, items, queue, _Sender(writing, self._current))
        os.close(writing)
        self.pidfd = os.pidfd_open(self._pid)

    def messages(self) -> Iterator[Message]:
        """Those that have come."""
        with suppress(BlockingIOError):
            while data := os.read(self.pipe, 1 << 20):
                self._unread += data
        while len(self._unread) >= NUMBER.size:
            end = NUMBER.size + NUMBER.unpack_from(self._unread)[0]
            if len(self._unread) < end:
                return
            message = bytes(self._unread[NUMBER.size : end])
            del self._unread[:end]
            yield pickle.loads(message)

    def close(self) -> tuple[int, int]:
        """To be called at its end: its exit status, negative for a signal, and the index of its last test."""
        _, status = os.waitpid(self._pid, 0)
        for descriptor in (self.pidfd, self.pipe):
            os.close(descriptor)
        return os.waitstatus_to_exitcode(status), NUMBER.unpack(self._current[:])[0]

    def kill(self) -> None:
        signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)


# ---- in the process ----


class _Sender:
    """The plugin that sends what pytest would report in the first process."""

    def __init__(self, pipe: int, current: mmap.mmap) -> None:
        self._pipe, self._current = pipe, current
        self.failed = False

    def begin(self, test: int) -> None:
        self._current[:] = NUMBER.pack(test)

    def _test(self) -> int:
        return int(NUMBER.unpack(self._current[:])[0])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """One report of a test that passed is enough: three cost more than most tests."""
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        self.failed |= any(report.failed for report in reports)
        options = item.config.option
        if not (options.durations or options.xmlpath):
            reports = [report for report in reports if report.when == "call" or not report.passed]
        write = item.config.hook.pytest_report_to_serializable
        self._send({"test": self._test(), "reports": [write(config=item.config, report=report) for report in reports]})
        return True

    def pytest_warning_recorded(
        self,
        warning_message: warnings.WarningMessage,
        when: str,
        nodeid: str,
        location: tuple[str, int, str] | None,
    ) -> None:
        """Its class may be one that is not imported elsewhere: its name is sent."""
        if self._test() < 0:  # a new plugin is told of all warnings before it
            return
        shown = (str(warning_message.message), warning_message.category.__name__)
        where = (warning_message.filename, warning_message.lineno)
        self._send({"warning": (*shown, *where), "about": {"when": when, "nodeid": nodeid, "location": location}})

    def _send(self, message: Message) -> None:
        data = pickle.dumps(message)
        rest = memoryview(NUMBER.pack(len(data)) + data)
        while rest:
            rest = rest[os.write(self._pipe, rest) :]


def _live(session: pytest.Session, items: list[pytest.Item], queue: Queue, sender: _Sender) -> NoReturn:
    """Run tests until the queue is empty. Nothing that belongs to the first process, such as its files, is ended."""
    status = 1
    try:
        random.seed()
        plugins = session.config.pluginmanager
        plugins.register(sender)
        capture = plugins.get_plugin("capturemanager")
        capture.stop_global_capturing()
        capture.start_global_capturing()
        capture.suspend_global_capture()
        for test, following in pairwise(_taken(queue)):
            sender.begin(test)
            nextitem = None if following is None else items[following]
            session.config.hook.pytest_runtest_protocol(item=items[test], nextitem=nextitem)
        plugins.get_plugin("tmpdir").pytest_sessionfinish(session, exitstatus=int(sender.failed))
        atexit._run_exitfuncs()
        status = 0
    except KeyboardInterrupt:
        pass
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _taken(queue: Queue) -> Iterator[int | None]:
    """The indices of the tests, then None. The next one is known before a test ends: their fixtures may be the same."""
    while (chunk := queue.take()) is not None:
        for test in chunk:
            if queue.stopped():
                break
            yield test
    yield None
