"""What works beside a crawl comes after it, and after what the user lets come first."""

import os
import subprocess
import sys

import pytest

from ttcrawl.engine.reporting.following import give_way


@pytest.mark.parametrize(("begun", "then"), [(0, 10), (9, 10), (10, 10), (15, 15), (19, 19)])
def test_a_lower_priority_is_kept(begun, then):
    """`nice -n 19 ttcrawl crawl ...`: the copy must not come before its crawl."""
    if (own := os.getpriority(os.PRIO_PROCESS, 0)) > begun:
        pytest.skip(f"the tests run with niceness {own}")
    command = ["nice", "-n", str(begun - own), sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        give_way(process.pid)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == then
        process.communicate(b"\n")
