"""The view of a converter under bubblewrap, if it is installed and may create namespaces: programs, its document, no
network.

Containers often do not let a process create namespaces. In this case, and without `bwrap`, a converter runs unwrapped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ttcrawl.read.documents.child import ROOT

#: Paths that programs need, if they exist: the programs, their libraries, fonts, alternatives and settings.
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix/store",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/catdocrc",
    "/etc/ghostscript",
    "/var/lib/ghostscript",
    "/var/cache/fontconfig",
)

#: The interpreter and the package, for the converters written in Python.
PYTHON = (sys.prefix, sys.base_prefix, str(Path(ROOT, "ttcrawl")))

#: Time limit of the trial, seconds.
TRIAL = 10.0

#: If a signal ended the program, bwrap's status is this number plus the signal.
SIGNALLED = 128


def wrapped(command: Sequence[str], directory: Path, size: int) -> list[str]:
    """The command in its own file system, in which only `directory` and `size` bytes of /tmp are writable.

    Paths that the command names absolutely are visible.
    """
    words = (shutil.which(command[0]) or "", *command)
    paths = [each for each in words if os.path.isabs(each) and not _overlaps(Path(each), directory)]
    bindings = [word for each in (*SYSTEM, *PYTHON, *paths) for word in ("--ro-bind-try", each, each)]
    temporary = [word for path in ("/tmp", "/dev/shm") for word in ("--size", str(size), "--tmpfs", path)]
    path = str(directory)
    return [
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        *temporary,
        *bindings,
        "--bind",
        path,
        path,
        "--remount-ro",
        "/",
        "--chdir",
        path,
        "--",
        *command,
    ]


def _overlaps(path: Path, directory: Path) -> bool:
    """Whether the path is already visible, or contains a visible path, which it would hide."""
    mounts = [*map(Path, (*SYSTEM, *PYTHON)), directory]
    return any(path.is_relative_to(each) or each.is_relative_to(path) for each in mounts)


@cache
def works(trial_time: float = TRIAL) -> bool:
    """Whether bwrap is installed and permitted; tried once per process."""
    if shutil.which("bwrap") is None:
        return False
    trial = wrapped(["true"], Path("/usr"), 1 << 20)
    try:
        return subprocess.run(trial, stdin=subprocess.DEVNULL, capture_output=True, timeout=trial_time).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False
