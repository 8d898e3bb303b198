"""Images and documents in files of their own: files/HOST/TYPE/NAME in the crawl directory.

HOST and TYPE are the host of the URL and the media type made safe. NAME is the name of the file from the server or the
URL, made safe, with a digest of its bytes before the extension. So a name identifies the contents: two URLs with equal
bytes, type and name share one file, whichever parse process comes first. A file that is fetched again after a kill has
the same name. Other bytes are never overwritten, even on a file system that ignores the case of letters.

A file with its name is complete: it is written under a temporary name, which no other name can equal, and renamed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from ttcrawl.store.regular import is_link, is_regular, open_regular, sync_directory
from ttcrawl.web.filename import file_name, marked_name

#: Hexadecimal digits of the digest in a name.
DIGITS = 16

#: Prefix of unfinished files; one for each parse process, and the next process overwrites it.
PART = ".part-"


class Files:
    """The directory files/ of one crawl, for one parse process."""

    def __init__(self, directory: Path, series: int, *, power: bool) -> None:
        """`power`: a saved file survives a power failure of the machine."""
        self._directory, self._power = directory, power
        self._part = directory / f"{PART}{series}"

    def save(self, host: str, media_type: str, name: str, body: bytes) -> str:
        """Write a file; return its path under files/. Raises OSError with the path of the file."""
        path = path_of(host, media_type, name, body)
        target = self._directory / path
        try:
            if is_link(target.parent.parent) or is_link(target.parent):
                raise OSError(0, "is among symbolic links, which are not followed")
            target.parent.mkdir(parents=True, exist_ok=True)
            self._part.unlink(missing_ok=True)  # whatever it is, even a link
            with open(open_regular(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
                file.write(body)
                if self._power:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(self._part, target)
            if self._power:
                for directory in (target.parent, *target.parent.parents[:3]):  # the last one is the crawl directory
                    sync_directory(directory)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(target)) from error
        return path


def path_of(host: str, media_type: str, name: str, body: bytes) -> str:
    """Return the path of a file under files/, separated by /.

    >>> path_of("a.test:8080", "image/png", "../Logo.png", b"")
    'a.test_8080/image-png/_Logo-e4a6a0577479b2b4.png'
    """
    kind = media_type.replace("/", "-") or "unknown"
    return f"{file_name(host)}/{file_name(kind)}/{marked_name(name, f'-{digest(body)}')}"


def digest(body: bytes) -> str:
    return blake2b(body, digest_size=DIGITS // 2).hexdigest()


def is_ours(path: str) -> bool:
    """Whether `path_of` may have made this path, which leads nowhere else."""
    parts = path.split("/")
    return len(parts) == 3 and all(part == file_name(part) for part in parts)


def saved_files(directory: Path) -> Iterator[str]:
    """Yield the path of every complete file under files/."""
    for place, _, names in os.walk(directory):
        inside = Path(place).relative_to(directory)
        yield from ((inside / name).as_posix() for name in names if not name.startswith(PART))


def remove_parts(directory: Path) -> None:
    """Delete the unfinished files of a crawl that was stopped."""
    for path in directory.glob(f"{PART}*"):
        if path.name.removeprefix(PART).isdecimal() and is_regular(path):
            path.unlink(missing_ok=True)
