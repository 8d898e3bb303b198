"""Run the command alone, and learn what it cost: CPU time and memory of its own process and of those it started."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

#: The peak is VmHWM: ru_maxrss is also that of the process which started this one, and that has run all tests before.
#: What it starts itself has that of this process at most, or its own. CPU time by RUSAGE_CHILDREN of the tests would be
#: that of all commands they ever ran.
ALONE = """
import json, re, resource, sys
from ttcrawl.cli import main
status = main(sys.argv[1:])
own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
peak = max(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]), others.ru_maxrss)
seconds = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
print("\\n" + json.dumps([seconds, peak / 1024]), file=sys.stderr)
sys.exit(status)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    status: int
    out: str
    err: str
    seconds: float  # of CPU time, its children's too
    peak: float  # MB, of the largest of its processes


def measured(*options: object) -> Measured:
    """`ttcrawl OPTIONS`, to its end."""
    done = subprocess.run([sys.executable, "-c", ALONE, *map(str, options)], capture_output=True, text=True)
    err, _, last = done.stderr.rstrip().rpartition("\n")
    seconds, peak = json.loads(last)
    return Measured(status=done.returncode, out=done.stdout, err=err, seconds=seconds, peak=peak)
