"""The option `--forks` of pytest: as many processes run the tests."""

from __future__ import annotations

import selectors
import time
import warnings
from collections.abc import Iterator

import pytest

from tests.support.forks.chunks import Queue, chunks
from tests.support.forks.worker import Message, Worker

#: Seconds in which processes end after an interrupt, with their fixtures.
PATIENCE = 10.0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forks", type=int, default=0, help="run tests in so many processes, forked after collection")


def pytest_configure(config: pytest.Config) -> None:
    number = config.getoption("--forks")
    if number and config.getoption("basetemp"):
        raise pytest.UsageError("--forks and --basetemp: each process would empty the directory of the others")
    if number and not config.getoption("collectonly"):
        config.pluginmanager.register(Forks(number), "forks")


class Forks:
    """Stands in for pytest's loop over the tests."""

    def __init__(self, number: int) -> None:
        self._number = number

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed and not session.config.option.continue_on_collection_errors:
            return None  # pytest's own loop says that something was not collected
        items = list(session.items)
        while items:
            left = self._run(session, items)
            if len(left) == len(items):
                raise session.Failed("the processes end before their first test")
            items = left
        return True

    def _run(self, session: pytest.Session, items: list[pytest.Item]) -> list[pytest.Item]:
        """Run tests. Returns those that are left where processes have crashed."""
        queue = Queue(chunks([item.getparent(pytest.Module) for item in items], self._number))
        workers = [Worker(session, items, queue) for _ in range(min(self._number, len(items)))]
        left = dict(enumerate(items))
        try:
            for message in _messages(workers, left):
                left.pop(message.get("test", -1), None)
                _report(session.config, message)
                if session.shouldfail or session.shouldstop:
                    queue.stop()
        except BaseException:
            queue.stop()
            _end(workers)
            raise
        finally:
            queue.close()
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        return list(left.values())


def _messages(workers: list[Worker], left: dict[int, pytest.Item]) -> Iterator[Message]:
    """What processes send until all have ended, and what those that have crashed could not send.

    `workers` has those that have not ended, `left` the tests that are not done.
    """
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            selector.register(worker.pipe, selectors.EVENT_READ)
            selector.register(worker.pidfd, selectors.EVENT_READ)
        while workers:
            ready = {key.fd for key, _ in selector.select()}
            for worker in [each for each in workers if {each.pipe, each.pidfd} & ready]:
                yield from worker.messages()
                if worker.pidfd in ready:
                    selector.unregister(worker.pipe)
                    selector.unregister(worker.pidfd)
                    workers.remove(worker)
                    status, test = worker.close()
                    if status and test in left:
                        yield _crash(left[test], test, status)


def _crash(item: pytest.Item, test: int, status: int) -> Message:
    text = f"its process has ended with status {status}"
    report = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
    return {
        "test": test,
        "reports": [item.config.hook.pytest_report_to_serializable(config=item.config, report=report)],
    }


def _report(config: pytest.Config, message: Message) -> None:
    """Tell pytest what a process has sent."""
    for data in message.get("reports", ()):
        report = config.hook.pytest_report_from_serializable(config=config, data=data)
        config.hook.pytest_runtest_logreport(report=report)
    if "warning" in message:
        text, category, *where = message["warning"]
        shown = warnings.WarningMessage(text, type(category, (Warning,), {}), *where)
        config.hook.pytest_warning_recorded.call_historic(kwargs={"warning_message": shown, **message["about"]})


def _end(workers: list[Worker]) -> None:
    """Let processes end their tests and fixtures, then kill them."""
    end = time.monotonic() + PATIENCE
    for worker in workers:
        with selectors.DefaultSelector() as selector:
            selector.register(worker.pidfd, selectors.EVENT_READ)
            if not selector.select(max(0.0, end - time.monotonic())):
                worker.kill()
        worker.close()
