"""A body, read from the wire into its room: whatever ends it, what came before is there.

http.client and urllib3 lose what came of a piece when its rest does not come, and do not say how much it was.
"""

from __future__ import annotations

import http.client
from dataclasses import dataclass
from typing import Protocol

#: Bytes read at once.
PIECE = 64 << 10

#: The longest line of the framing, as http.client takes it, bytes.
LONGEST_LINE = 65536


class Wire(Protocol):
    """What a body is read from."""

    def read(self, size: int, /) -> bytes: ...

    def read1(self, size: int, /) -> bytes: ...

    def readline(self, limit: int, /) -> bytes: ...

    def peek(self, size: int, /) -> bytes: ...


@dataclass(slots=True, kw_only=True)
class Body:
    """What has come of a body so far."""

    room: memoryview
    most: int  # bytes that are kept
    size: int = 0  # bytes in the room
    framing: int = 0  # bytes around them

    @property
    def received(self) -> int:
        """Bytes that came over the wire."""
        return self.size + self.framing

    def read(self, wire: Wire, length: int | None, *, chunked: bool) -> bool:
        """Read to its end, or as far as there is room: whether that is all of it. `length`: None where it ends with
        the connection.

        Raises IncompleteRead where the wire ends before, LineTooLong and HTTPException for framing that is none, and
        what the wire raises.
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
        """Just so many bytes."""
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
        while self._line(wire, "trailer line") not in (b"\r\n", b"\n", b""):
            pass
        return True

    def _chunk_size(self, wire: Wire) -> int:
        """0: this is the last chunk. What is no number is as good as the end, as for http.client."""
        digits = self._line(wire, "chunk size").partition(b";")[0]
        try:
            size = int(digits, 16)
        except ValueError:
            raise http.client.IncompleteRead(b"") from None
        if size < 0:
            raise http.client.HTTPException(f"a chunk of {digits[:20]!r} bytes")
        return size

    def _line(self, wire: Wire, what: str) -> bytes:
        line = wire.readline(LONGEST_LINE + 1)
        self.framing += len(line)
        if len(line) > LONGEST_LINE:
            raise http.client.LineTooLong(what)
        return line
