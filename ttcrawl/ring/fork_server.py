"""The process from which the workers of a crawl are forked: multiprocessing's fork server.

Commands start it before they import what they need themselves, so this module imports little.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Iterator
from multiprocessing import forkserver, resource_tracker
from typing import Any

from ttcrawl.ring.limits import allow_files, shorten_sockets
from ttcrawl.ring.modules import safe_path

#: Signals that go to all processes of a terminal, or of a group: the crawl process decides how to handle them.
TO_ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def prepare() -> None:
    """Start the fork server if it is not running. It imports the workers' modules while the caller continues.

    It starts with signals to process groups blocked: when it dies, all workers die with it.
    Raises UsageError if too few files may be open.
    """
    allow_files()  # first: it inherits the limit
    shorten_sockets()
    multiprocessing.get_context("forkserver").set_forkserver_preload(["ttcrawl.ring.preload"])
    with starting():
        forkserver.ensure_running()


def server_pid() -> int | None:
    """Return the process of the fork server; None: it is dead."""
    server: Any = forkserver
    pid: int | None = server._forkserver._forkserver_pid
    try:
        return None if pid is None or _has_ended(pid) else pid
    except ChildProcessError:
        return None


def _has_ended(pid: int) -> bool:
    """Whether a child has ended; it is not waited for. Raises ChildProcessError unless it is a child."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """For what starts the fork server, or another one in its place if it has died."""
    _forget_one_of_the_parent()
    with _no_signals(), _without_tracker(), safe_path():
        yield


def _forget_one_of_the_parent() -> None:
    """A forked process has the server of its parent, but not as a child: multiprocessing fails to wait for it."""
    module: Any = forkserver
    server = module._forkserver
    if server._forkserver_pid is not None:
        try:
            _has_ended(server._forkserver_pid)
        except ChildProcessError:
            os.close(server._forkserver_alive_fd)  # the server lives as long as somebody holds it
            server._forkserver_address = server._forkserver_alive_fd = server._forkserver_pid = None


@contextlib.contextmanager
def _no_signals() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, TO_ALL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _without_tracker() -> Iterator[None]:
    """Keep multiprocessing from starting one more process, which removes the named memory that dead processes leave.

    A crawl uses no named memory. To start Python for it takes 0.07 s of processor time.
    """
    tracker: Any = resource_tracker
    before = tracker.ensure_running, tracker.getfd
    with open(os.devnull, "wb") as nowhere:
        tracker.ensure_running, tracker.getfd = (lambda: None), nowhere.fileno
        try:
            yield
        finally:
            tracker.ensure_running, tracker.getfd = before
