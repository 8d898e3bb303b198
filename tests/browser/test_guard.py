"""A guard ends what its command has started, in whatever group and state it is. It needs no browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.faults.killing import descendants, kill, running, until
from ttcrawl.browser import guard

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="prctl(2) is of Linux")

#: A command that begins processes in sessions of their own, one of which loses its parent, and then goes on.
FAMILY = "setsid sh -c 'sleep 1000 & sleep 1000' & (setsid sleep 1000 &) ; echo begun; exec cat"


def command(parent: object, *words: str) -> list[str]:
    return [sys.executable, "-I", "-S", guard.__file__, str(parent), *words]


def begun(words: list[str], count: int = 6) -> tuple[subprocess.Popen[bytes], set[tuple[int, str]]]:
    """A process, and what it has started once there are so many with itself."""
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"begun\n"
    until(lambda: len(descendants(process.pid)) >= count)
    return process, descendants(process.pid)


def stop(processes: set[tuple[int, str]], leader: int) -> None:
    for pid, _ in processes:
        if pid != leader:
            os.kill(pid, signal.SIGSTOP)


@pytest.mark.parametrize("stopped", [False, True], ids=["running", "stopped"])
@pytest.mark.parametrize("how", ["input", "signal", "command"])
def test_all_processes_end_with_the_command_or_by_a_signal(how, stopped):
    process, family = begun(command(os.getpid(), "/bin/sh", "-c", FAMILY))
    assert process.stdin is not None
    (cat,) = [pid for pid, _ in family if Path(f"/proc/{pid}/comm").read_text() == "cat\n"]
    if stopped:
        stop({each for each in family if each[0] != cat or how == "signal"}, process.pid)
    if how == "input":
        process.stdin.close()
    elif how == "signal":
        process.send_signal(guard.END)
    else:
        kill([cat])
    assert process.wait(30) == {"input": 0, "signal": 1, "command": 9}[how]
    assert not list(filter(running, family))


@pytest.mark.parametrize("stopped", [False, True], ids=["running", "stopped"])
def test_all_processes_end_with_the_parent(stopped):
    program = "import os, subprocess, sys; subprocess.run([*sys.argv[1:5], str(os.getpid()), *sys.argv[5:]])"
    words = command("/bin/sh", "-c", FAMILY)
    process, family = begun([sys.executable, "-c", program, *words], 7)
    (leader,) = [
        pid for pid, _ in family if guard.__file__ in Path(f"/proc/{pid}/cmdline").read_text().split("\0")[3:4]
    ]
    if stopped:
        stop({each for each in family if each[0] != process.pid}, leader)
    kill([process.pid])
    process.wait()
    until(lambda: not any(map(running, family)), 30)


def test_a_command_whose_parent_has_ended_before_does_not_begin():
    done = subprocess.run(command(1, "/bin/echo", "begun"), capture_output=True)
    assert (done.returncode, done.stdout) == (1, b"")


def test_temporary_files_end_with_the_command(tmp_path):
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    words = command(os.getpid(), "/bin/sh", "-c", 'mkdir "$TMPDIR/x"; touch "$TMPDIR/x/y"; ls "$TMPDIR"; exit 7')
    done = subprocess.run(words, env=environment, capture_output=True)
    assert (done.returncode, done.stdout) == (7, b"x\n")
    assert list(tmp_path.iterdir()) == []
