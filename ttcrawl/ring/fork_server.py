"""The process from which the workers of a crawl are forked: multiprocessing's fork server.

A command that is still alone in its process, without threads and open files, forks it: what both need is imported once.
Programs, and a crawl whose server has died, start another Python for it. Commands do so before they import what they
need themselves, so this module imports little.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import pairwise
from multiprocessing import forkserver, resource_tracker, util
from types import ModuleType
from typing import Any, NoReturn

from ttcrawl.ring.limits import allow_files, shorten_sockets
from ttcrawl.ring.modules import safe_path

#: Signals that go to all processes of a terminal, or of a group: the crawl process decides how to handle them.
TO_ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


#: What the crawl process and the fork server both import.
BOTH = (
    "ttcrawl.ring.pool",
    "ttcrawl.ring.sizes",
    "ttcrawl.ring.clock",
    "ttcrawl.ring.garbage",
    "ttcrawl.ring.poll",
    "ttcrawl.ring.slots",
    "ttcrawl.config.compiled",
    "ttcrawl.web.robots",
    "ttcrawl.web.sitemaps.read",
    "ttcrawl.web.filename",
    "ttcrawl.web.scope.chosen",
    "ttcrawl.topic.files",
    "ttcrawl.topic.best_first",
    "ttcrawl.topic.model",
    "ttcrawl.topic.score",
    "ttcrawl.topic.assess",
    "ttcrawl.topic.links",
    "ttcrawl.topic.sites",
    "ttcrawl.topic.url_list",
    "ttcrawl.recrawl.validators",
    "ttcrawl.recrawl.undated",
    "ttcrawl.recrawl.visible",
    "ttcrawl.store.files",
    "ttcrawl.store.archive_objects",
    "pycurl",
    "ttcrawl.fetch.choice",
    "ttcrawl.fetch.lookups",
    "ttcrawl.fetch.addresses",
    "ttcrawl.output.number",
    "ttcrawl.read.fingerprints.soft404",
    "ttcrawl.read.fingerprints.keys",
    "ttcrawl.web.traps.shells",
    "ttcrawl.vocabulary.requisite",
    "ttcrawl.vocabulary.region",
    "ttcrawl.ring.position",
    "ttcrawl.web.mime.kind",
    "ttcrawl.store.private",
    "ttcrawl.read.fingerprints.similarity",
    "hashlib",
    "http",
    "traceback",
)


def prepare(*, alone: bool = False, fetch_first: bool = False) -> None:
    """Start the fork server if it is not running. It imports the workers' modules while the caller continues.

    It starts with signals to process groups blocked: when it dies, all workers die with it.
    `alone`: nothing but a command has run in this process, so the server may be forked from it. `fetch_first`: parse
    processes begin after fetch processes, so their modules are imported then.
    Raises UsageError if too few files may be open.
    """
    allow_files()  # first: it inherits the limit
    shorten_sockets()
    modules = ("preload", "preload.fetch", "preload.parse_later" if fetch_first else "preload.parse")
    preloaded = [f"ttcrawl.ring.{name}" for name in modules]
    multiprocessing.get_context("forkserver").set_forkserver_preload(preloaded)
    with _forked() if alone and threading.active_count() == 1 else starting():
        forkserver.ensure_running()


class _Begun(BaseException):
    """This is the new process: it leaves what it was in the middle of, with its locks, files and replacements."""

    def __init__(self, program: str, files: Mapping[int, int]) -> None:
        super().__init__()
        self.program = program
        self.files = files  # number by which the program knows a file -> its number now


@contextlib.contextmanager
def _forked() -> Iterator[None]:
    """For what starts the fork server: it is forked from this process."""
    gc.disable()  # garbage does not exist yet
    for name in BOTH:
        with contextlib.suppress(Exception):  # too little memory: who needs it next can report that
            import_module(name)
    gc.freeze()  # what both share stays shared
    gc.enable()
    before = util.spawnv_passfds
    with _no_signals():
        util.spawnv_passfds = _fork  # type: ignore[assignment]
        try:
            with starting():
                yield
        except _Begun as new:
            sys.modules["__main__"] = ModuleType("__main__")
            _become(new.program, new.files)
        finally:
            util.spawnv_passfds = before


def _fork(_path: bytes, arguments: list[str], files: list[int]) -> int:
    """Stands in for the start of Python for a program. Raises _Begun in the new process."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    pid = os.fork()
    if pid == 0:
        raise _Begun(arguments[-1], {number: os.dup(number) for number in files})
    return pid


def _become(program: str, files: Mapping[int, int]) -> NoReturn:
    """Run a program as if Python had been started for it: no other files, and no function for Ctrl-C."""
    status = 1
    try:
        for number, now in files.items():
            os.dup2(now, number)
        numbers = [2, *sorted(files), os.sysconf("SC_OPEN_MAX")]
        for before, after in pairwise(numbers):
            os.closerange(before + 1, after)
        if callable(signal.getsignal(signal.SIGINT)):
            signal.signal(signal.SIGINT, signal.default_int_handler)
        with contextlib.suppress(SystemExit):
            exec(program, {})
        status = 0
    finally:
        os._exit(status)


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


@contextlib.contextmanager
def without_main() -> Iterator[None]:
    """Hide the main program from workers, which do not need it.

    multiprocessing would import it in each of them, and a script without a guard (if __name__ == "__main__") would
    begin to crawl there.
    """
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = program


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
