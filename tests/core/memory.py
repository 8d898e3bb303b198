"""A process that runs out of memory."""

import os
import subprocess
import sys

import pytest

#: Sanitizers reserve memory for themselves, and end a process that has no more.
can_run_out = pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="under a sanitizer")

PROGRAM = """
import itertools, resource
from ttcrawl.core import native
{begin}
with open("/proc/self/statm") as file:
    size = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (32 << 20), resource.RLIM_INFINITY))
try:
    for number in itertools.count():
        {repeat}
except MemoryError:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(({result}))
"""


def out_of_memory(begin: str, repeat: str, result: str) -> str:
    """What a process prints: after one statement, a second one for each `number` until memory ends, the expression."""
    program = PROGRAM.format(begin=begin, repeat=repeat, result=result)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout.strip()
