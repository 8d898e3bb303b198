"""The header of a record in warc/, without its content."""

from __future__ import annotations

import zlib
from pathlib import Path

from ttcrawl.store.archive_objects import read_at

#: Bytes that are read first; few headers are longer.
PIECE = 2048

#: Longest header of a record, bytes.
LONGEST = 1 << 16


def header(directory: Path, file: str, offset: int, size: int) -> dict[str, str]:
    """Return the named fields of a record, names in lower case; {} if the record cannot be read.

    `offset` and `size` of its gzip member, in bytes (WARC 1.1, annex D).
    """
    if Path(file).name != file:
        return {}
    try:
        warc = directory / "warc"
        head = _head(read_at(warc, file, offset, min(size, PIECE))) or _head(
            read_at(warc, file, offset, min(size, LONGEST))
        )
    except (OSError, zlib.error):
        return {}
    lines = head.decode("utf-8", "replace").split("\r\n")[1:]
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _head(member: bytes) -> bytes:
    """Everything before the first empty line; b"" if there is none."""
    head, end, _ = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(member, LONGEST).partition(b"\r\n\r\n")
    return head if end else b""
