"""The gzip members of a file, one after the other, in pieces: in bounded memory, whatever they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from isal import isal_zlib

from ttcrawl.store.warc import GZIP

#: Bytes that are read at once; they unpack to at most 1,032 times as many (RFC 1951).
PIECE = 1 << 16

MAGIC = b"\x1f\x8b\x08"

#: Bytes that are searched at once for the next member behind a damaged one, and bytes of it that tell what it is.
SEARCHED, BEGINNING = 1 << 20, 4096


class DamagedMemberError(Exception):
    """A member that cannot be unpacked, or ends too early."""


class Members:
    """Reads a file member by member: `pieces` unpacks the one at `position`, and moves behind it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._rest = b""  # bytes behind `position` that were read already
        self.position = 0

    def seek(self, position: int) -> None:
        self._rest, self.position = b"", position
        self._file.seek(position)

    def at_end(self) -> bool:
        """Whether nothing, or only bytes that are 0, follows: tar and tape pad files."""
        while True:
            if not self._rest:
                self._rest = self._file.read(PIECE)
                if not self._rest:
                    return True
            stripped = self._rest.lstrip(b"\0")
            self.position += len(self._rest) - len(stripped)
            self._rest = stripped
            if stripped:
                return False

    def pieces(self) -> Iterator[bytes]:
        """Unpack a member. Raises DamagedMemberError; `position` then is where it began."""
        unpack, read = isal_zlib.decompressobj(wbits=GZIP), 0
        while not unpack.eof:
            data = self._rest or self._file.read(PIECE)
            self._rest = b""
            if not data:
                raise DamagedMemberError("truncated")
            read += len(data)
            try:
                piece = unpack.decompress(data)
            except isal_zlib.error as error:  # type: ignore[misc]  # its stubs have an instance
                raise DamagedMemberError("not a gzip member" if read <= PIECE else "damaged") from error
            if piece:
                yield piece
        self._rest = unpack.unused_data
        self.position += read - len(self._rest)

    def resume_behind(self, position: int) -> None:
        """Move to the next bytes behind `position` that look like the beginning of a WARC or ARC member, or the end."""
        start = position + 1
        while True:
            self._file.seek(start)
            data = self._file.read(SEARCHED)
            found = -1
            while (found := data.find(MAGIC, found + 1)) >= 0:
                if _begins_record(data[found : found + BEGINNING]):
                    self.seek(start + found)
                    return
            if len(data) < SEARCHED:
                self.seek(start + len(data))
                return
            start += SEARCHED - BEGINNING  # a member at the end of these bytes is judged by more of it


def _begins_record(data: bytes) -> bool:
    try:
        return isal_zlib.decompressobj(wbits=GZIP).decompress(data).startswith((b"WARC/", b"http", b"dns:"))
    except isal_zlib.error:  # type: ignore[misc]  # its stubs have an instance
        return False
