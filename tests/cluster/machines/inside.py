"""Run a function in namespaces of its own: nothing of it is visible outside, and there is no path out.

`inside` starts `python -m tests.cluster.machines.inside` below `unshare`. All processes that the function starts,
wherever they are, end with it: the kernel kills them when the first process of their process namespace ends.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]

#: What a machine is made with.
PROGRAMS = ("unshare", "nsenter", "setpriv", "ip", "mount", "hostname")

#: Namespaces of their own for the network, mounts and processes; `setpriv` ends them with the test process.
UNSHARE = (
    *("setpriv", "--pdeathsig", "KILL"),
    *("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"),
)

#: What a user who is not root needs in addition.
USER = ("--user", "--map-root-user")


def inside(function: Callable[..., Any], *arguments: Any, seconds: float = 120, user: bool = os.geteuid() != 0) -> Any:
    """Return what a function of a module returns; arguments and result are JSON.

    `user`: in a user namespace too, without any right outside. Raises AssertionError with all that was written to
    stderr if the function raises, or takes longer than `seconds`.
    """
    command = [*UNSHARE, *(USER if user else ()), sys.executable, "-m", __name__]
    process = subprocess.Popen(
        [*command, function.__module__, function.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=_environment(),
        text=True,
    )
    try:
        out, err = process.communicate(json.dumps(arguments), seconds)
    except subprocess.TimeoutExpired:
        process.kill()  # SIGKILL: unshare would pass nothing else on
        _, err = process.communicate()
        raise AssertionError(f"{function.__name__} has not ended after {seconds:.0f} s\n{err}") from None
    except BaseException:
        process.kill()
        process.wait()
        raise
    assert process.returncode == 0, f"{function.__name__} has ended with status {process.returncode}\n{err}"
    sys.stderr.write(err)  # pytest shows it if the test fails
    return json.loads(out)


@functools.cache
def missing(user: bool = os.geteuid() != 0) -> str:
    """Return why there can be no machines here, "" if there can be."""
    for program in PROGRAMS:
        if shutil.which(program, path=_environment()["PATH"]) is None:
            return f"virtual machines need the program {program}"
    command = [*UNSHARE, *(USER if user else ()), "sh", "-ec", "ip link add lab0 type bridge; ip link add type veth"]
    try:
        trial = subprocess.run(command, capture_output=True, text=True, env=_environment(), timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"namespaces cannot be made here: {error}"
    return f"namespaces cannot be made here: {trial.stderr.strip()}" if trial.returncode else ""


def _environment() -> dict[str, str]:
    path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))  # where users seldom look for `ip`
    return os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)}


def _main() -> None:
    _, module, name = sys.argv
    arguments = json.load(sys.stdin)
    result = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what anybody prints is for people, in the order in which it happens
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    json.dump(getattr(import_module(module), name)(*arguments), result)
    result.close()


if __name__ == "__main__":
    _main()
