"""Read a body from the wire into its buffer. If an error ends it, everything received before is kept.

http.client and urllib3 lose the received bytes of an incomplete piece, and do not report how many there were.
"""

from __future__ import annotations

import http.client
from dataclasses import dataclass
from typing import Protocol

#: Bytes per read.
PIECE = 64 << 10

#: The longest line of the framing, as in http.client, bytes.
LONGEST_LINE = 65536


class Wire(Protocol):
    """The source of a body."""

    def read(self, size: int, /) -> bytes: ...

    def read1(self, size: int, /) -> bytes: ...

    def readline(self, limit: int, /) -> bytes: ...

    def peek(self, size: int, /) -> bytes: ...


@dataclass(slots=True, kw_only=True)
class Body:
    """The part of a body that was received."""

    room: memoryview
    most: int  # maximum bytes to keep
    size: int = 0  # bytes in `room`
    framing: int = 0  # bytes of framing
    last_chunk: bool = False  # it was received; the trailer may be missing

    @property
    def received(self) -> int:
        """Bytes received over the wire."""
        return self.size + self.framing

    def read(self, wire: Wire, length: int | None, *, chunked: bool) -> bool:
        """Read to the end of the body, or until `room` is full; return whether the body is complete. `length`: None if
        the body ends with the connection.

        Raises IncompleteRead if the connection ends first, LineTooLong and HTTPException for invalid framing, and what
        the wire raises.
        """
        if chunked:
            return self._chunks(wire)
        if length is not None:
            self._take(wire, min(length, self.most))
            return length <= self.most
        while self.size < self.most:
            if not (piece := wire.read1(min(PIECE, self.most - self.size))):
                return True
            self._keep(piece)
        return not wire.peek(1)

    def _take(self, wire: Wire, wanted: int) -> None:
        """Read exactly `wanted` bytes."""
        while wanted:
            if not (piece := wire.read1(min(PIECE, wanted))):
                raise http.client.IncompleteRead(b"", wanted)
            self._keep(piece)
            wanted -= len(piece)

    def _keep(self, piece: bytes) -> None:
        end = self.size + len(piece)
        self.room[self.size : end] = piece
        self.size = end

    # -- RFC 9112 section 7.1 -------------------------------------------------------------------------------------

    def _chunks(self, wire: Wire) -> bool:
        while size := self._chunk_size(wire):
            room = self.most - self.size
            self._take(wire, min(size, room))
            if size > room:
                return False
            end = wire.read(2)
            self.framing += len(end)
            if end != b"\r\n":
                raise http.client.IncompleteRead(b"")
        self.last_chunk = True
        while self._line(wire, "trailer line") not in (b"\r\n", b"\n", b""):
            pass
        return True

    def _chunk_size(self, wire: Wire) -> int:
        """The size of the next chunk; 0: it is the last. An invalid number raises IncompleteRead, as in http.client."""
        digits = self._line(wire, "chunk size").partition(b";")[0]
        try:
            size = int(digits, 16)
        except ValueError:
            raise http.client.IncompleteRead(b"") from None
        if size < 0:
            raise http.client.HTTPException(f"a chunk of {digits[:20]!r} bytes")
        return size

    def _line(self, wire: Wire, name: str) -> bytes:
        line = wire.readline(LONGEST_LINE + 1)
        self.framing += len(line)
        if len(line) > LONGEST_LINE:
            raise http.client.LineTooLong(name)
        return line
