"""What the system lets a process have: known, and raised where we may, before anything is begun."""

from __future__ import annotations

import resource
import tempfile
from multiprocessing import util

from ttcrawl.errors import UsageError

#: Files that the crawl process or a fetch process needs beside those for each worker, and for each exchange.
FILES = 40
FILES_A_WORKER = 4
FILES_A_THREAD = 2

#: No more is of use.
MOST_FILES = 1 << 16

#: Bytes of the path of a socket (unix(7)), and what multiprocessing puts behind that of the directory.
SOCKET_PATH = 107
BEHIND = len("/pymp-01234567/listener-01234567")

#: Directories for temporary files where the chosen one has too long a name.
SHORT = ("/tmp", "/var/tmp", "/dev/shm")


def allow_files(workers: int = 2, threads: int = 0) -> None:
    """Let this process, and those that it starts, open as many files as the system permits.

    Raises UsageError where that is less than so many workers, each with so many exchanges, need.
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


def shorten_sockets() -> None:
    """multiprocessing makes the socket of its fork server among temporary files, also where TMPDIR is too long."""
    chosen = tempfile.gettempdir()
    if len(chosen.encode("utf-8", "surrogateescape")) + BEHIND <= SOCKET_PATH:
        return
    for tempfile.tempdir in SHORT:
        try:
            util.get_temp_dir()  # which is kept, and removed at the end
            break
        except OSError:
            continue
    tempfile.tempdir = chosen
