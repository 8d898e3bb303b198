"""The process of a command."""

import os
import subprocess
import sys

import pytest

#: Ends the command with the number of threads that numpy has left it.
PROGRAM = """
import os
import ttcrawl.cli
from ttcrawl.__main__ import command

def threads():
    import numpy
    return len(os.listdir("/proc/self/task"))

ttcrawl.cli.main = threads
command()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are counted in /proc")
@pytest.mark.parametrize(("chosen", "threads"), [(None, 1), ("2", 2)])
def test_numpy_starts_only_threads_that_the_user_wants(chosen, threads):
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment |= {"OPENBLAS_NUM_THREADS": chosen} if chosen else {}
    if threads > len(os.sched_getaffinity(0)):
        pytest.skip("numpy starts no more threads than there are processors")
    assert subprocess.run([sys.executable, "-c", PROGRAM], env=environment, timeout=60).returncode == threads
