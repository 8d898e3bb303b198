"""The benchmark's clock: CPU time of processes that multiprocessing starts behind the command's back is counted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.measure import run

COMMAND = """
import multiprocessing, os, time

def burn():
    while time.process_time() < 0.5:
        pass

if __name__ == "__main__":
    context = multiprocessing.get_context("{method}")
    workers = [context.Process(target=burn) for _ in range(2)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    print("done")
"""


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_cpu_of_pools(method: str, tmp_path: Path) -> None:
    script = tmp_path / "burn.py"
    script.write_text(COMMAND.replace("{method}", method))
    measured = run([sys.executable, str(script)], tmp_path / "output", 60, {})
    assert (measured.returncode, measured.output) == (0, "done\n")
    assert 1.0 <= measured.cpu < 2.5
    assert measured.wall >= 0.5


@pytest.mark.slow
def test_cpu_by_the_name_of_the_process(tmp_path: Path) -> None:
    script = tmp_path / "burn.py"
    name = 'open("/proc/self/comm", "w").write("burning")'
    script.write_text(COMMAND.replace("{method}", "fork").replace("    while", f"    {name}\n    while"))
    measured = run([sys.executable, str(script)], tmp_path / "output", 60, {})
    assert 0.7 <= measured.roles["burning"] <= measured.cpu
    assert sum(measured.roles.values()) <= measured.cpu + 0.1


def test_variables_are_added(tmp_path: Path) -> None:
    script = "import os; print(os.environ['ADDED'], 'PATH' in os.environ)"
    assert run([sys.executable, "-c", script], tmp_path / "output", 60, {"ADDED": "x"}).output == "x True\n"


def test_what_outlives_its_time_is_killed(tmp_path: Path) -> None:
    script = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).wait()"
    measured = run([sys.executable, "-c", script], tmp_path / "output", 0.5, {})
    assert (measured.returncode, measured.wall < 5) == (-9, True)


@pytest.mark.slow
def test_memory_that_processes_share_counts_once(tmp_path: Path) -> None:
    script = "import os, time; data = b'x' * (200 << 20); os.fork(); time.sleep(2)"
    measured = run([sys.executable, "-c", script], tmp_path / "output", 60, {})
    assert 200 << 20 <= max(size for _, size in measured.memory) < 300 << 20
