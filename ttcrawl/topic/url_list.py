"""A file with one URL per line."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.errors import UsageError

#: A larger list is not read, bytes.
LARGEST = 64 << 20


def urls_in(path: Path) -> list[str]:
    """Return the lines of a list without empty ones, comments and repeated ones. Raises UsageError."""
    return lines_of(list_bytes(path))


def list_bytes(path: Path) -> bytes:
    """Return what is in the file. Raises UsageError."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name a file with one URL per line") from error
    if len(data) > LARGEST or b"\0" in data:
        raise UsageError(f"{path} is not a list: name a file with one URL per line")
    return data


def lines_of(data: bytes) -> list[str]:
    """Return the lines.

    >>> lines_of(b"# known\\n\\nhttp://a.example/\\n http://a.example/ \\n")
    ['http://a.example/']
    """
    lines = (line.strip() for line in data.decode("utf-8-sig", "replace").splitlines())
    return list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
