"""A command of ttcrawl that works beside a crawl, in a session of its own: `ttcrawl COMMAND DIR --follow`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from ttcrawl.ring.modules import PYTHON, environment
from ttcrawl.store.regular import open_regular


def following(command: str, directory: Path, log: Path) -> subprocess.Popen[bytes]:
    """Start it; its messages are added to `log`."""
    with open(open_regular(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "ab") as messages:
        return subprocess.Popen(
            [*PYTHON, "-m", "ttcrawl", command, str(directory.absolute()), "--follow"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            start_new_session=True,
            env=environment(),
        )
