"""Start processes that have done their imports: each is forked from one process that does nothing else.

To import ttcrawl takes longer than most crawls of tests. That one process, `python -m
tests.support.crawls.preforked`, is started on first use and ends with the test processes. It has no threads, and it
passes environment, directory and streams on. Where the environment has other options of Python there is another such
process. The fork server of a crawl in such a process is forked as well. Whoever needs processes exactly as a user
starts them uses tests.support.crawls.crawling.command.
"""

from __future__ import annotations

import atexit
import functools
import gc
import os
import pickle
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from multiprocessing import forkserver, resource_tracker, util
from pathlib import Path
from typing import IO, NoReturn

from ttcrawl.config import Duplicates
from ttcrawl.read.fingerprints.fingerprint import prepare
from ttcrawl.web.url import registrable_domain

#: What commands import when they begin; `inline` with all that fetches and parses.
IMPORTED = (
    *("ttcrawl.cli", "ttcrawl.engine.inline", "ttcrawl.engine.run.session", "ttcrawl.report.summarize"),
    *("ttcrawl.cli.crawling", "ttcrawl.engine.run.seed_files", "encodings.utf_8_sig", "ttcrawl.report.brief"),
    *("ttcrawl.__main__", "ttcrawl.output.sparkline", "ttcrawl.maintain.requeue", "ttcrawl.config.foreign_words"),
    *("ttcrawl.output.tables", "ttcrawl.report.politeness", "ttcrawl.snapshot.status"),
    *("ttcrawl.inspect.verify.tables", "ttcrawl.inspect.verify.archive", "ttcrawl.maintain.repair"),
    *("ttcrawl.inspect.why.life", "ttcrawl.inspect.why.replay", "ttcrawl.maintain.apply_rules"),
    *("ttcrawl.inspect.check.health", "ttcrawl.inspect.check.results.for_programs", "ttcrawl.fetch.curl.transport"),
    *("ttcrawl.report.study", "ttcrawl.report.forms", "ttcrawl.report.laws.law", "ttcrawl.export.format"),
    *(f"ttcrawl.cli.commands.{name}" for name in ("crawl", "resume", "requeue", "why", "verify", "status")),
    *("multiprocessing.popen_forkserver", "concurrent.futures.thread", "tests.support.web.site"),
)

ROOT = Path(__file__).parents[3]

#: How multiprocessing starts a program.
START = util.spawnv_passfds


class Forked:
    """A process that calls a function of a module and ends; `files` are its descriptors 0, 1, 2 and so on.

    The arguments are pickled. Descriptors from 3 on have new numbers there: they follow the arguments.
    """

    def __init__(self, function: Callable[..., object], *arguments: object, files: Sequence[int], cwd: Path) -> None:
        self._report, theirs = os.pipe()
        request = os.memfd_create("request")
        try:
            with open(request, "wb", closefd=False) as file:
                pickle.dump((function, arguments, dict(os.environ), str(cwd)), file)
            socket.send_fds(_server(_for_python()), [b"fork"], [theirs, request, *files])
        finally:
            os.close(theirs)
            os.close(request)
        self.pid = int.from_bytes(os.read(self._report, 8), "big")

    def wait(self, seconds: float | None = None) -> int:
        """Its exit status, negative for a signal. Raises TimeoutExpired while it runs, once the seconds are over."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._report, selectors.EVENT_READ)
            if not selector.select(seconds):
                raise subprocess.TimeoutExpired(f"process {self.pid}", seconds or 0.0)
        status = os.waitstatus_to_exitcode(int.from_bytes(os.read(self._report, 8), "big"))
        os.close(self._report)
        return status

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


def run(
    *options: object, cwd: Path | None = None, timeout: float = 120, start: Callable[[list[str]], object] | None = None
) -> subprocess.CompletedProcess[str]:
    """`ttcrawl OPTION...` to its end, as subprocess.run does it with captured output; `start` begins it there."""
    arguments = [str(option) for option in options]
    with ExitStack() as opened:
        streams: list[IO[bytes]] = [opened.enter_context(open(os.devnull, "rb"))]
        for name in ("out", "err"):
            streams.append(opened.enter_context(open(os.memfd_create(name), "r+b")))
        process = Forked(
            start or command, arguments, files=[stream.fileno() for stream in streams], cwd=cwd or Path.cwd()
        )
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        out, err = (os.pread(stream.fileno(), os.fstat(stream.fileno()).st_size, 0) for stream in streams[1:])
    return subprocess.CompletedProcess(["ttcrawl", *arguments], status, out.decode(), err.decode())


def begin() -> None:
    """Start that one process now; processes that are forked from this one use it, too."""
    _server(_for_python())


def _for_python() -> tuple[tuple[str, str], ...]:
    """The variables that Python reads once, when it starts."""
    return tuple(item for item in os.environ.items() if item[0].startswith("PYTHON"))


@functools.cache
def _server(for_python: tuple[tuple[str, str], ...]) -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "tests.support.crawls.preforked"]
        process = subprocess.Popen(command, stdin=theirs.fileno(), cwd=ROOT, env=environment)
    atexit.register(process.wait)
    atexit.register(ours.close)  # called first: with that the process ends
    return ours


# ---- below: the process that forks ----


def command(arguments: list[str]) -> None:
    """`ttcrawl ARGUMENT...` in this process, which ends with it."""
    from ttcrawl import __main__

    sys.modules["__main__"] = __main__  # multiprocessing names it to the processes that the crawl starts
    sys.argv = ["ttcrawl", *arguments]
    util.spawnv_passfds = _program  # type: ignore[assignment]
    __main__.command()


def _program(path: bytes, arguments: list[str], files: list[int]) -> int:
    """Stands in for the start of multiprocessing's fork server, and of its tracker: programs in Python that import."""
    if threading.active_count() > 1:
        return START(path, arguments, files)
    pid = os.fork()
    if pid == 0:
        _become(arguments[-1], files)
    return pid


def _become(program: str, files: list[int]) -> NoReturn:
    """Run a program as if Python had been started for it: no other files, no functions for signals, no lock held."""
    try:
        last = 2
        for number in sorted(files):
            os.closerange(last + 1, number)
            last = max(last, number)
        os.closerange(last + 1, os.sysconf("SC_OPEN_MAX"))
        signal.set_wakeup_fd(-1)
        for signum in signal.valid_signals():
            if callable(signal.getsignal(signum)):
                signal.signal(signum, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        forkserver._forkserver.__init__()  # type: ignore[misc]
        resource_tracker._resource_tracker.__init__()  # type: ignore[misc]
        gc.freeze()
        with suppress(SystemExit):
            exec(program, {})
        os._exit(0)
    finally:
        os._exit(1)


def _serve(requests: socket.socket) -> list[int]:
    """Returns in each forked process, with its files, and in this one at the end, without."""
    for module in IMPORTED:
        with suppress(ModuleNotFoundError):  # hidden by a test
            import_module(module)
    registrable_domain("a.test")
    prepare(Duplicates())
    gc.freeze()  # what is imported is not looked through, and so not copied, in each of them
    with selectors.DefaultSelector() as selector:
        selector.register(requests, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.data is None:
                    message, files, _, _ = socket.recv_fds(requests, 16, 64)
                    if not message:
                        return []
                    pid = os.fork()
                    if pid == 0:
                        return files
                    for file in files[1:]:
                        os.close(file)
                    os.write(files[0], pid.to_bytes(8, "big"))
                    selector.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, files[0]))
                else:
                    pid, report = key.data
                    selector.unregister(key.fd)
                    os.close(key.fd)
                    _, status = os.waitpid(pid, 0)
                    with suppress(BrokenPipeError):  # the test does not wait for it any more
                        os.write(report, status.to_bytes(8, "big"))
                    os.close(report)


def _live(files: list[int]) -> None:
    """The life of a forked process."""
    os.close(files[0])
    with open(files[1], "rb") as request:
        request.seek(0)
        function, arguments, environment, directory = pickle.load(request)
    for number, file in enumerate(files[2:5]):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    os.chdir(directory)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = 0
    try:
        function(*arguments, *files[5:])
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    _end(status)


def _end(status: int) -> NoReturn:
    """End as Python ends, but that memory is left to the system: to free each object takes longer than a command."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=os.dup(0)) as requests:
        files = _serve(requests)
    if files:
        _live(files)


if __name__ == "__main__":
    _main()
