"""The tables of rings on other machines, copied to where a command reads them; their archives stay where they are.

A ring copies its tables as they are after one commit, and sends the copy in pieces, so that no process needs memory
for all of it. The copy is deleted with its last piece; what an interrupted command has left, the next one deletes.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from isal import isal_zlib
from msgspec import Struct, msgpack

from ttcrawl.cluster.results.at_rings import Work
from ttcrawl.errors import CrawlFailedError, plain
from ttcrawl.output.steps import Progress
from ttcrawl.store.copied_tables import copy_tables
from ttcrawl.store.database import StoreError
from ttcrawl.store.private import create_private, is_private

#: Bytes of a piece, and the level at which it is compressed: a network of 1 Gbit/s would be slower.
PIECE, LEVEL = 8 << 20, 1

#: Calls a function at each ring; returns ring -> answer.
Call: TypeAlias = Callable[[Work, bytes], Mapping[int, bytes]]


class Copied(Struct, frozen=True, kw_only=True):
    """What a ring has copied: `size` bytes of crawl.db, and path -> contents of its other files."""

    size: int
    private: bool
    others: dict[str, bytes]


class Piece(Struct, frozen=True, kw_only=True):
    """The copy, its first byte that is wanted, and whether no other piece follows."""

    copy: str
    offset: int
    last: bool


def fetch_tables(call: Call, directories: Mapping[int, Path], progress: Progress) -> None:
    """Write the tables of each ring into a new directory of its own.

    Raises UsageError if the machine of a ring is not there, CrawlFailedError if one is lost, OSError.
    """
    copy = uuid.uuid4().hex
    copies = {ring: msgpack.decode(answer, type=Copied) for ring, answer in call(copy_at_ring, copy.encode()).items()}
    for ring, copied in copies.items():
        _begin(directories[ring], copied)
    size = max(copied.size for copied in copies.values())
    for offset in range(0, size, PIECE):
        progress("tables of the rings", offset, size)
        wanted = Piece(copy=copy, offset=offset, last=offset + PIECE >= size)
        for ring, piece in call(piece_at_ring, msgpack.encode(wanted)).items():
            with open(directories[ring] / "crawl.db", "ab") as file:
                file.write(isal_zlib.decompress(piece))


def _begin(directory: Path, copied: Copied) -> None:
    directory.mkdir(mode=0o700)
    for path, contents in copied.others.items():
        (directory / path).parent.mkdir(exist_ok=True)
        (directory / path).write_bytes(contents)
    if copied.private:
        create_private(directory / "crawl.db")


# -- at a ring --------------------------------------------------------------------------------------------------------


def copy_at_ring(ring: Path, argument: bytes) -> bytes:
    """Copy the tables of a ring under a name; return what was copied. Raises CrawlFailedError."""
    try:
        shutil.rmtree(_copies(ring), ignore_errors=True)
        _copies(ring).mkdir(mode=0o700)
        copy = copy_tables(ring, _copies(ring) / argument.decode())
        files = [path for path in copy.rglob("*") if path.is_file() and path.name != "crawl.db"]
        copied = Copied(
            size=(copy / "crawl.db").stat().st_size,
            private=is_private(ring),
            others={str(path.relative_to(copy)): path.read_bytes() for path in files},
        )
    except (StoreError, OSError) as error:
        raise CrawlFailedError(f"cannot copy the tables of {ring.name}: {plain(error)}") from error
    return msgpack.encode(copied)


def piece_at_ring(ring: Path, argument: bytes) -> bytes:
    """Return a piece of a copy, compressed; empty behind its end. Raises CrawlFailedError."""
    wanted = msgpack.decode(argument, type=Piece)
    try:
        with open(_copies(ring) / wanted.copy / "crawl.db", "rb") as file:
            file.seek(wanted.offset)
            piece = isal_zlib.compress(file.read(PIECE), LEVEL)
    except OSError as error:  # another command makes a copy of its own
        raise CrawlFailedError(
            f"cannot read the tables of {ring.name}: {plain(error)}; run the command again"
        ) from error
    if wanted.last:
        shutil.rmtree(_copies(ring), ignore_errors=True)
    return piece


def _copies(ring: Path) -> Path:
    return ring.with_name(f".{ring.name}.tables")
