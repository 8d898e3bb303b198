"""Processes whose crawl process is gone before they begin."""

import subprocess
import sys

import pytest

GONE = """
import socket, sys
from pathlib import Path
from ttcrawl.clock import SteadyClock
from ttcrawl.config import read
from ttcrawl.pool import _live
from ttcrawl.scope import compile_scope
from ttcrawl.slots import Slots
from ttcrawl.store.position import Position

config, (ours, theirs) = read(None), socket.socketpair()
ours.close()
fetch = (Slots(1, 1), config, SteadyClock.start(), frozenset())
parse = (Slots(1, 1), config, compile_scope(config.scope, [], []), Path(sys.argv[2]), Position(series=0))
_live(sys.argv[1], theirs, *(fetch if sys.argv[1] == "fetch" else parse))
"""


@pytest.mark.parametrize("role", ["fetch", "parse"])
def test_they_end_and_say_nothing(tmp_path, role):
    done = subprocess.run([sys.executable, "-c", GONE, role, tmp_path], capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
