"""Run one command in its own process: a private directory, a minimal environment, limits on time, memory and output.

With bubblewrap (`ttcrawl.read.documents.bubblewrap`) it sees programs and its directory, and has no network. Without
bubblewrap it has the user's rights on files. It then has no network if the kernel lets a process give it up (Linux user
namespaces).
"""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from ttcrawl.read.documents import bubblewrap, orphans
from ttcrawl.read.documents.libc import LIBC
from ttcrawl.read.documents.private import fills

CHUNK = 1 << 16
STDERR = 4096  # maximum bytes kept
TICK = 0.05  # seconds between two checks of the directory and the process
PR_SET_PDEATHSIG = 1  # linux/prctl.h
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000  # linux/sched.h
OPEN_FILES = 64


class Limits(Struct, frozen=True, kw_only=True):
    """Limits on a command."""

    deadline: float  # by time.monotonic()
    memory: int  # bytes of address space
    output: int  # bytes on stdout
    disk: int  # bytes in the directory


class Ran(Struct, frozen=True, kw_only=True):
    """The result of a command: up to `Limits.output` bytes of its stdout, and why it is incomplete."""

    output: bytes = b""
    stderr: str = ""
    stopped: str = ""  # timeout, too much output
    status: int = 0  # as in subprocess: -N if signal N killed it


def environment(directory: Path) -> dict[str, str]:
    """A minimal environment: no proxies, keys or home of the user. One thread for libraries that would start one per
    core."""
    home = str(directory)
    threads = {"RAYON_NUM_THREADS": "1", "TOKIO_WORKER_THREADS": "1", "OMP_NUM_THREADS": "1"}
    names = {"HOME": home, "TMPDIR": home, "XDG_CACHE_HOME": home, "LC_ALL": "C.UTF-8"}
    return {"PATH": os.environ.get("PATH", os.defpath), **names, **threads}


def run(command: Sequence[str], directory: Path, limits: Limits) -> Ran:
    """Run a program (no shell) in `directory`. When this returns, all processes that it started have ended.

    Raises OSError if it cannot be started.
    """
    seconds = limits.deadline - time.monotonic()
    if seconds <= 0:
        return Ran(stopped="timeout")
    orphans.adopt()
    children = orphans.children()
    in_namespaces = bubblewrap.works()
    try:
        process = subprocess.Popen(
            bubblewrap.wrapped(command, directory, limits.disk) if in_namespaces else command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=environment(directory),
            start_new_session=True,
            preexec_fn=_limit(limits, seconds, network=in_namespaces),
        )
    except subprocess.SubprocessError as error:  # an error between fork and exec, most likely of memory
        raise OSError(0, str(error)) from error
    try:
        output, stderr, stopped = _watch(process, directory, limits)
    finally:
        _kill(process)
        orphans.end(directory, children)
    messages, status = stderr.decode("utf-8", "replace"), process.returncode
    if in_namespaces and status == 1 and messages.startswith("bwrap: "):
        raise OSError(0, messages.strip())
    if in_namespaces and status > bubblewrap.SIGNALLED:
        status = bubblewrap.SIGNALLED - status
    return Ran(output=output, stderr=messages, stopped=stopped, status=status)


def _limit(limits: Limits, seconds: float, *, network: bool) -> Callable[[], None]:
    """Setup that the child runs before exec; `network`: it keeps the network."""
    parent = os.getpid()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    memory = limits.memory if hard == resource.RLIM_INFINITY else min(limits.memory, hard)
    cpu = int(seconds) + 1
    # root needs no user namespace, in which it could not read files of other users
    namespaces = CLONE_NEWNET if os.geteuid() == 0 else CLONE_NEWNET | CLONE_NEWUSER

    def limit() -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        if LIBC is not None:
            LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:  # the parent died before prctl
                os._exit(1)
            if not network:
                LIBC.unshare(namespaces)  # may fail if not permitted
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limits.disk, limits.disk))
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return limit


def _watch(process: subprocess.Popen[bytes], directory: Path, limits: Limits) -> tuple[bytes, bytes, str]:
    """(stdout, stderr, why it was stopped), once the process has ended, even if others hold its pipes."""
    assert process.stdout and process.stderr
    out, stderr = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)

        def result(stopped: str) -> tuple[bytes, bytes, str]:
            return bytes(out[: limits.output]), bytes(stderr), stopped

        last_check = time.monotonic()
        while True:
            ended = _ended(process)  # before the read, so that all output is read
            for key, _ in selector.select(0 if ended else TICK if selector.get_map() else TICK / 25):
                data = os.read(key.fd, CHUNK)
                if not data:
                    selector.unregister(key.fileobj)
                elif key.fileobj is process.stdout:
                    out += data
                elif len(stderr) < STDERR:
                    stderr += data[:STDERR]
            if len(out) > limits.output:
                return result("too much output")
            now = time.monotonic()
            if ended and (not selector.get_map() or not selector.select(0)):
                return result("")
            if now >= limits.deadline:
                return result("timeout")
            if now - last_check > TICK:
                last_check = now
                if fills(directory, limits.disk):
                    return result("too much output")


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has ended. It is not reaped: until then its process group id cannot be reused."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()
