"""A window over the crawl of this process, in a process of its own: a thread would take time from the crawl."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ttcrawl.errors import CrawlFailedError
from ttcrawl.output.display import tell


@contextmanager
def window_beside(directory: Path) -> Iterator[None]:
    """Print the address of a window, and keep it open until Ctrl-C after the block, or until this process ends."""
    command = [sys.executable, "-m", "ttcrawl.window", os.fspath(directory)]
    # in a session of its own, so that Ctrl-C stops the crawl and not the window
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert child.stdin and child.stdout
    with child.stdin, child.stdout:
        if not (address := child.stdout.readline().strip()):
            raise CrawlFailedError(f"the window has ended with status {child.wait()}; leave --view out to crawl")
        tell(f"the window over the crawl: {address}")
        yield
        with suppress(KeyboardInterrupt):  # from the line on that invites to it
            tell(f"the window stays open until Ctrl-C: {address}")
            child.wait()
    child.wait()
