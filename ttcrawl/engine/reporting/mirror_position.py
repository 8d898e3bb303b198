"""How far the copy of a crawl in PostgreSQL has come, and what is in its way, for `ttcrawl status`: a file in the crawl
directory.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from ttcrawl.store.regular import is_regular, replace_file

NAME = "mirror.position"


class Position(msgspec.Struct, frozen=True, kw_only=True):
    request: int  # the id of the last request that is copied
    time: float  # when this was so, seconds since the epoch
    complete: bool  # everything of a crawl that has ended
    trouble: str = ""  # why nothing is copied at present


#: Before the first step.
NOTHING = Position(request=0, time=0.0, complete=False)


def write(directory: Path, position: Position) -> None:
    with contextlib.suppress(OSError):  # the directory may be read-only, and the copy does not need the file
        replace_file(directory / NAME, msgspec.json.encode(position) + b"\n")


def write_trouble(directory: Path, trouble: str) -> None:
    write(directory, msgspec.structs.replace(read(directory) or NOTHING, trouble=trouble))


def read(directory: Path) -> Position | None:
    """Return None if the crawl was never copied, or the file is damaged."""
    path = directory / NAME
    try:
        return msgspec.json.decode(path.read_bytes(), type=Position) if is_regular(path) else None
    except (OSError, msgspec.DecodeError):
        return None
