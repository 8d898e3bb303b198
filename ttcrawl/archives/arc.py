"""ARC files, the form of the Internet Archive before WARC (https://archive.org/web/researcher/ArcFileFormat.php)."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import BinaryIO, cast

from msgspec import Struct

from ttcrawl.archives.header import END, LONGEST, moment
from ttcrawl.archives.packer import Packer
from ttcrawl.archives.streams import PIECE, Pieces, Wrong, exactly, gzip_pieces

#: Bytes of a response in memory; a longer one is left out.
MOST = 1 << 30

#: What tells the line of a record from other lines.
_DATE, _LENGTH = re.compile("[0-9]{14}"), re.compile("[0-9]{1,18}")


class Line(Struct, frozen=True, kw_only=True):
    """The line in front of a record."""

    url: str
    address: str
    time: float
    type: str
    length: int


def line_of(text: str) -> Line | None:
    """Return what a line says, of version 1 (URL, address, date, type, length) or 2; None: it is none.

    A URL may have spaces.

    >>> line_of("http://a.example/x y 192.0.2.1 20050309012345 text/html 12").url
    'http://a.example/x y'
    """
    for fields in (5, 10):
        parts = text.rsplit(" ", fields - 1)
        if len(parts) < fields or not _DATE.fullmatch(parts[2]) or not _LENGTH.fullmatch(parts[-1]):
            continue
        if (time := moment(parts[2])) is not None:
            return Line(url=parts[0], address=parts[1], time=time, type=parts[3], length=int(parts[-1]))
    return None


def pack_arc(path: Path, packer: Packer, wrong: Wrong, *, packed: bool) -> None:
    """Pack all records with answers of HTTP servers. Raises OSError."""
    with open(path, "rb") as file:
        raw = Pieces(gzip_pieces(file)) if packed else None
        stream = file if raw is None else io.BufferedReader(cast("io.RawIOBase", raw), PIECE)
        position, skipped = 0, -1
        while data := stream.readline(LONGEST):
            start, position = position, position + len(data)
            line = line_of(data.decode("utf-8", "replace").strip())
            if line is None:
                skipped = start if skipped < 0 and data.strip() else skipped
                continue
            if skipped >= 0:
                wrong(skipped, "bytes that are not a record")
                skipped = -1
            _pack(stream, line, start, packer, wrong)
            position += line.length
        if skipped >= 0:
            wrong(skipped, "bytes that are not a record")
        if raw is not None and raw.error:
            wrong(position, f"the rest cannot be unpacked: {raw.error}")


def _pack(stream: BinaryIO, line: Line, start: int, packer: Packer, wrong: Wrong) -> None:
    if line.length > MOST:
        wrong(start, "too long")
        for _ in exactly(stream, line.length):
            pass
        return
    block = b"".join(exactly(stream, line.length))
    if line.url.startswith("filedesc://"):
        packer.information(line.time, block.decode("utf-8", "replace"))
    elif len(block) < line.length:
        wrong(start, "shorter than its length")
    elif line.url.startswith(("http://", "https://")):
        end = END.search(block)
        head, body = (block[: end.start()], block[end.end() :]) if end else (block, b"")
        packer.response(line.url, line.time, head + b"\r\n\r\n", body, line.address)
