"""Who may read crawl.db and the archive: only their owner, if cookies are in them or what a login shows.

crawl.db says so by its mode. SQLite gives its log the same one, and new WARC files follow it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ttcrawl.store.regular import is_regular, open_regular

OWNER, OTHERS = 0o600, 0o077


def create_private(path: Path) -> None:
    """Create an empty file that only its owner may read."""
    os.close(open_regular(path, os.O_RDWR | os.O_CREAT, OWNER))


def make_private(directory: Path) -> None:
    """Keep others from crawl.db and the WARC files of a crawl directory."""
    for path in (*directory.glob("crawl.db*"), *(directory / "warc").glob("*.warc.gz")):
        if is_regular(path) and (mode := stat.S_IMODE(path.stat().st_mode)) & OTHERS:
            path.chmod(mode & ~OTHERS)


def is_private(directory: Path) -> bool:
    """Whether only its owner may read the crawl.db of a directory."""
    try:
        return not os.stat(directory / "crawl.db").st_mode & OTHERS
    except OSError:
        return False


def mode_of_new(directory: Path) -> int:
    """Return the mode of a new file with contents of crawl.db or of the archive, before the umask."""
    return OWNER if is_private(directory) else 0o666
