"""A program that runs another one and ends with it all processes that it has started, however deep and in which group.

`python guard.py PARENT COMMAND...`: it kills them when COMMAND has ended, when PARENT (the PID of its own parent) ends,
and at a signal. A process that is stopped, or that an ended one has left behind, does not outlive it. Their temporary
files are in a folder that ends with them. Linux only (prctl(2), /proc); it imports nothing of ttcrawl, to begin soon.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterable

#: linux/prctl.h
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

#: Not SIGTERM: who stops a service sends that to all of its processes, and pages in the browser are to be finished.
END = signal.SIGUSR1
AWAITED = (END, signal.SIGCHLD)


def main(parent: int, command: list[str]) -> int:
    """Return the exit status of the command, 1 if it did not end by itself."""
    prctl = ctypes.CDLL(None).prctl
    signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # what loses its parent becomes our child
    prctl(PR_SET_PDEATHSIG, END)
    if os.getppid() != parent:
        return 1  # it ended before
    folder = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"ttcrawl-browser-{os.urandom(8).hex()}")
    os.mkdir(folder, 0o700)
    os.environ["TMPDIR"] = folder
    child = os.fork()
    if child == 0:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, AWAITED)
        os.execv(command[0], command)
    _leave_files()
    status = _wait(child)
    _end_all()
    import shutil  # late: the browser waits for no import

    shutil.rmtree(folder, ignore_errors=True)
    return status


def _leave_files() -> None:
    """Leave standard input and output to the command: they end with it."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for file in (0, 1, 2):
        os.dup2(nowhere, file)


def _wait(child: int) -> int:
    while signal.sigwait(AWAITED) == signal.SIGCHLD:
        for pid, status in _ended():
            if pid == child:
                return max(status, -status)
    return 1


def _ended() -> Iterable[tuple[int, int]]:
    """Yield each child that has ended since the last call, and its exit status."""
    with contextlib.suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found[0], os.waitstatus_to_exitcode(found[1])


def _end_all() -> None:
    """Kill all children, and those that become ours by that, until there are none."""
    with contextlib.suppress(ChildProcessError):
        while True:
            for pid in _descendants():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)


def _descendants() -> list[int]:
    children: dict[int, list[int]] = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
            # the name of the program, in parentheses, may contain anything
            parent = int(file.read().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(name))
    found = [os.getpid()]
    for pid in found:
        found += children.get(pid, [])
    return found[1:]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
