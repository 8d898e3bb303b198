"""The fork server: one process with one thread, which has imported what its processes need."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CHILDREN = """
from pathlib import Path
from ttcrawl.ring import fork_server

fork_server.prepare()
children = Path("/proc/thread-self/children").read_text().split()
print(children == [str(fork_server.server_pid())])
"""

ALONE = """
import contextlib, os, signal, sys, threading, time
from pathlib import Path
from multiprocessing import util
from ttcrawl.ring import fork_server

started = 0
start = util.spawnv_passfds

def counted(*arguments):
    global started
    started += 1
    return start(*arguments)

def files():
    names = set()
    for each in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # it was closed meanwhile
            names.add(os.readlink(each))
    return names

util.spawnv_passfds = counted
os.set_inheritable(os.open(sys.executable, os.O_RDONLY), True)
if "thread" in sys.argv:
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
fork_server.prepare(alone=True)
pid = fork_server.server_pid()
end = time.monotonic() + 20
while os.path.realpath(sys.executable) in files() and time.monotonic() < end:
    time.sleep(0.01)
blocked = next(row for row in Path(f"/proc/{pid}/status").read_text().splitlines() if row.startswith("SigBlk"))
children = Path("/proc/thread-self/children").read_text().split()
print(children == [str(pid)], started, os.path.realpath(sys.executable) in files(), blocked.split()[1][-4:])
os.kill(pid, signal.SIGKILL)
os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
fork_server.prepare()  # as for the next worker
print(fork_server.server_pid() not in (None, pid), started, util.spawnv_passfds is counted)
sys.stdout.flush()
os._exit(0)
"""

PRELOADED = """
import os, sys
import ttcrawl.ring.preload.fetch, ttcrawl.ring.preload.parse

print(len(os.listdir("/proc/self/task")), {"ttcrawl.fetch.curl.worker", "rensa"} <= set(sys.modules))
sys.stdout.flush()
"""

FORKED = """
import multiprocessing
from multiprocessing.forkserver import _forkserver as server

def crawl():
    from ttcrawl.ring import fork_server
    fork_server.prepare()
    print(fork_server.server_pid() not in (None, before), flush=True)

server.ensure_running()  # as a crawl does, or the program itself for its own processes
before = server._forkserver_pid
child = multiprocessing.get_context("fork").Process(target=crawl)
child.start()
child.join()
server.ensure_running()
print(child.exitcode, server._forkserver_pid == before)
"""


def output(program: str, *arguments: str, **environment: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | environment)
    assert done.stderr == ""
    return done.stdout


def test_no_other_process_is_started_with_it() -> None:
    assert output(CHILDREN) == "True\n"


@pytest.mark.parametrize("thread", ["", "thread"])
def test_a_command_that_is_alone_forks_it(thread: str) -> None:
    """It has no other file of the command; with a second thread, and in place of one that died, Python is started."""
    started = len(thread) > 0
    assert output(ALONE, thread) == f"True {started:d} False 4003\nTrue {started + 1} True\n"


LATER = """
import signal, sys, time
import ttcrawl.ring.preload.fetch, ttcrawl.ring.preload.parse_later
import os

before = "ttcrawl.parse.worker" in sys.modules
if os.fork() == 0:
    time.sleep(0.1)
    os._exit("ttcrawl.parse.worker" in sys.modules)
_, status = os.wait()
while "ttcrawl.ring.preload.parse" not in sys.modules or signal.getsignal(signal.SIGALRM) != signal.SIG_DFL:
    time.sleep(0.01)
print(before, status, "ttcrawl.fetch.curl.worker" in sys.modules, "ttcrawl.parse.worker" in sys.modules, flush=True)
"""


def test_what_parse_processes_need_is_imported_after_the_first_fork() -> None:
    assert output(LATER) == "False 0 True True\n"


@pytest.mark.parametrize("reader", ["", "python"])
def test_its_processes_share_what_they_would_all_import(reader: str) -> None:
    """With a second thread, a lock could be held in the processes for ever."""
    assert output(PRELOADED, TTCRAWL_READER=reader) == "1 True\n"


def test_a_process_forked_later_starts_its_own() -> None:
    """To wait for the one of its parent was ChildProcessError: a program that crawled could not crawl in a fork."""
    assert output(FORKED) == "True\n0 True\n"
