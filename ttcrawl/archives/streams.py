"""Archives as one stream of bytes, and the WARC records in it: of files that are not packed, or packed as a whole."""

from __future__ import annotations

import io
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from ttcrawl.archives.header import LONGEST, header_of
from ttcrawl.archives.members import DamagedMemberError, Members
from ttcrawl.archives.packer import Packer, ShortBlockError
from ttcrawl.archives.sources import SKIPPABLE, ZSTD

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PIECE = 1 << 18

#: Bytes of a dictionary at most.
DICTIONARY = 16 << 20

#: Called with a position and what is wrong there.
Wrong = Callable[[int, str], None]


class Pieces(io.RawIOBase):
    """A stream of pieces of bytes. `error`: what ended it too early, "" if nothing did."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest = pieces, memoryview(b"")  # a slice of it copies nothing: a piece may have 64 MB
        self.error = ""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            try:
                self._rest = memoryview(next(self._pieces))
            except StopIteration:
                return 0
            except (DamagedMemberError, zstd.ZstdError, EOFError, ValueError) as error:
                self.error = str(error) or type(error).__name__
                self._pieces = iter(())
                return 0
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def gzip_pieces(file: BinaryIO) -> Iterator[bytes]:
    members = Members(file)
    while not members.at_end():
        yield from members.pieces()


def zstd_pieces(file: BinaryIO) -> Iterator[bytes]:
    """Unpack frames of zstd; a frame to be skipped at the beginning has the dictionary of the others.

    Raises ZstdError, EOFError, and ValueError for a dictionary that is none.
    """
    dictionary = _dictionary(file)
    with zstd.ZstdFile(file, zstd_dict=dictionary) as unpacked:
        while piece := unpacked.read(PIECE):
            yield piece


def _dictionary(file: BinaryIO) -> zstd.ZstdDict | None:
    start = file.tell()
    head = file.read(8)
    if head[:4] != SKIPPABLE or len(head) < 8:
        file.seek(start)
        return None
    (size,) = struct.unpack("<I", head[4:])
    data = file.read(min(size, DICTIONARY))
    if data.startswith(ZSTD):
        data = zstd.ZstdDecompressor().decompress(data, DICTIONARY)
    return zstd.ZstdDict(data)


def pack_warc(path: Path, packer: Packer, wrong: Wrong, pieces: Callable[[BinaryIO], Iterator[bytes]] | None) -> None:
    """Pack all records of a WARC file. `pieces` unpacks it; None: it is not packed. Raises OSError."""
    with open(path, "rb") as file:
        raw = None if pieces is None else Pieces(pieces(file))
        stream = file if raw is None else io.BufferedReader(cast("io.RawIOBase", raw), PIECE)
        position = 0
        skipped = -1  # where bytes that are not a record began
        while line := stream.readline(LONGEST):
            start, position = position, position + len(line)
            if not line.startswith(b"WARC/"):
                skipped = start if skipped < 0 and line.strip() else skipped
                continue
            if skipped >= 0:
                wrong(skipped, "bytes that are not a record")
                skipped = -1
            position = _pack(stream, line, start, position, packer, wrong)
        if skipped >= 0:
            wrong(skipped, "bytes that are not a record")
        if raw is not None and raw.error:
            wrong(position, f"the rest cannot be unpacked: {raw.error}")


def _pack(stream: BinaryIO, first: bytes, start: int, position: int, packer: Packer, wrong: Wrong) -> int:
    """Pack one record; return the position behind it."""
    lines = [first]
    while line := stream.readline(LONGEST):
        lines.append(line)
        position += len(line)
        if not line.strip() or position - start > LONGEST:
            break
    header = b"".join(lines)
    parsed = header_of(header)
    if parsed is None or parsed[0].length is None:
        wrong(start, "no length" if parsed else "no WARC record")
        return position
    length = parsed[0].length
    try:
        packer.copy(header, exactly(stream, length), length)
    except ShortBlockError:
        wrong(start, "shorter than its length")
    return position + length


def exactly(stream: BinaryIO, length: int) -> Iterator[bytes]:
    """Yield the next bytes of a stream; fewer if it ends."""
    while length > 0 and (piece := stream.read(min(length, PIECE))):
        length -= len(piece)
        yield piece
