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

PRELOADED = """
import os, sys
import ttcrawl.ring.preload
from ttcrawl import core

of_fingerprints = {"numpy", "rensa"} if core.native is None else {"rensa"}
print(len(os.listdir("/proc/self/task")), {"ttcrawl.fetch.curl.worker", *of_fingerprints} <= set(sys.modules))
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


def output(program: str, **environment: str) -> str:
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | environment)
    assert done.stderr == ""
    return done.stdout


def test_no_other_process_is_started_with_it() -> None:
    assert output(CHILDREN) == "True\n"


@pytest.mark.parametrize("reader", ["", "python"])
def test_its_processes_share_what_they_would_all_import(reader: str) -> None:
    """With a second thread, a lock could be held in the processes for ever."""
    assert output(PRELOADED, TTCRAWL_READER=reader) == "1 True\n"


def test_a_process_forked_later_starts_its_own() -> None:
    """To wait for the one of its parent was ChildProcessError: a program that crawled could not crawl in a fork."""
    assert output(FORKED) == "True\n0 True\n"
