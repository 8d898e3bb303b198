"""Resource limits of a process: checked, and raised if permitted, before anything begins."""

from __future__ import annotations

import resource
import sys
import tempfile
from multiprocessing import util
from pathlib import Path

from ttcrawl.errors import UsageError

#: Files of the crawl process or a fetch process, then additional ones for each worker, and for each request in flight.
FILES = 40
FILES_A_WORKER = 4
FILES_A_THREAD = 2

#: Files with which a process may have many requests in flight.
MANY_FILES = 4096

#: A higher limit is useless.
MOST_FILES = 1 << 16

#: Bytes of the path of a socket (unix(7)), and of the part that multiprocessing appends to its directory.
SOCKET_PATH = 107
BEHIND = len("/pymp-01234567/listener-01234567")

#: Directories for temporary files if the name of the chosen one is too long.
SHORT = ("/tmp", "/var/tmp", "/dev/shm")


def allow_files(workers: int = 2, threads: int = 0) -> None:
    """Let this process, and its child processes, open as many files as the system permits.

    Raises UsageError if this is less than `workers` workers, with `threads` requests each, need.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    needed = FILES + FILES_A_WORKER * workers + FILES_A_THREAD * threads
    if soft != resource.RLIM_INFINITY and soft < needed:
        raise UsageError(
            f"only {soft} files may be open at once, {needed} are needed: raise the limit (ulimit -n), or lower"
            " crawl.threads, crawl.fetchers or crawl.parsers"
        )


def ample() -> bool:
    """Whether nothing limits the address space, in which each request in flight has a slot, or the files to a few."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    space = resource.getrlimit(resource.RLIMIT_AS)[0]
    return space == resource.RLIM_INFINITY and (files == resource.RLIM_INFINITY or files >= MANY_FILES)


def limit_memory(margin: int) -> None:
    """Let this process use `margin` bytes above its current memory (Linux; other systems have no limit)."""
    if sys.platform == "linux":
        current = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = current + margin if hard == resource.RLIM_INFINITY else min(current + margin, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def shorten_sockets() -> None:
    """Choose a short directory for the socket of the fork server if TMPDIR is too long for it."""
    chosen = tempfile.gettempdir()
    if len(chosen.encode("utf-8", "surrogateescape")) + BEHIND <= SOCKET_PATH:
        return
    for tempfile.tempdir in SHORT:
        try:
            util.get_temp_dir()  # this directory is kept, and removed at the end
            break
        except OSError:
            continue
    tempfile.tempdir = chosen
