"""A body that arrives in pieces, with its framing. If an error ends it, everything received before is kept."""

from __future__ import annotations

import http.client
import re
from enum import Enum, auto

from msgspec import Struct, field

#: The longest line of the framing, as in http.client, bytes.
LONGEST_LINE = 65536

#: Maximum bytes of a chunk size with its extensions.
LONG_LINE = 4096

#: A chunk size, and what may follow it on its line. libcurl reads no longer ones either.
SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;.*)?\r?\n", re.DOTALL)

#: The least size of a chunk that no file has.
ENDLESS = 1 << 63

#: A chunk size without extensions.
PLAIN_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})\r\n")

#: The end of a line, and an empty line.
ENDS_OF_TRAILER = (b"\n\r\n", b"\n\n")


class Expected(Enum):
    """What comes next in a chunked body (RFC 9112 section 7.1)."""

    SIZE = auto()
    DATA = auto()
    END_OF_DATA = auto()
    TRAILER = auto()
    NOTHING = auto()


class Body(Struct, kw_only=True):
    """The part of a body that was received."""

    room: memoryview
    most: int  # maximum bytes to keep
    chunked: bool
    size: int = 0  # bytes in `room`
    framing: int = 0  # bytes of framing
    excess: bool = False  # bytes were received after the last chunk and the trailer
    _expected: Expected = Expected.SIZE
    _chunk: int = 0  # bytes of the chunk that are to come
    _line: bytearray = field(default_factory=bytearray)  # the beginning of a line of the framing

    @property
    def received(self) -> int:
        """Bytes received over the wire."""
        return self.size + self.framing

    @property
    def complete(self) -> bool:
        """Whether all chunks were received, if there are chunks; the trailer may be missing."""
        return not self.chunked or self._expected in (Expected.TRAILER, Expected.NOTHING)

    @property
    def over(self) -> bool:
        """Whether all chunks and the trailer were received."""
        return self._expected is Expected.NOTHING

    @property
    def in_long_line(self) -> bool:
        """Whether a line of the framing has begun that is too long for a chunk size."""
        return len(self._line) > LONG_LINE

    def feed(self, data: bytes) -> bool:
        """Keep the next piece; return False if there is no room for all of it.

        Raises IncompleteRead and LineTooLong for invalid framing.
        """
        return self._chunks(data) if self.chunked else self._keep(data)

    def _keep(self, data: bytes) -> bool:
        end = self.size + len(data)
        if end > self.most:
            self.room[self.size : self.most] = data[: self.most - self.size]
            self.size = self.most
            return False
        self.room[self.size : end] = data
        self.size = end
        return True

    def _chunks(self, data: bytes) -> bool:
        position, end = 0, len(data)
        while position < end and self._expected is not Expected.NOTHING:
            if self._expected is Expected.DATA:
                piece = data[position : position + self._chunk]
                position += len(piece)
                self._chunk -= len(piece)
                if not self._chunk:
                    self._expected = Expected.END_OF_DATA
                if not self._keep(piece):
                    return False
            else:
                if self._expected is Expected.SIZE and not self._line:
                    position = self._complete_chunks(data, position)
                elif self._expected is Expected.TRAILER and not self._line:
                    position = self._trailer_lines(data, position)
                position = self._frame(data, position)
            if self._expected is Expected.DATA and self.size == self.most:
                return False
        self.excess = position < end
        return True

    def _trailer_lines(self, data: bytes, position: int) -> int:
        """Skip the complete lines of a trailer; return the position after them."""
        ends = [end for each in ENDS_OF_TRAILER if (end := data.find(each, position)) >= 0]
        end = 1 + (min(ends) if ends else data.rfind(b"\n", position))
        if end > position and data[position : position + 2] != b"\r\n" and data[position : position + 1] != b"\n":
            self.framing += end - position
            return end
        return position

    def _complete_chunks(self, data: bytes, position: int) -> int:
        """Keep the chunks that are complete and plain; return the position after them. Tiny ones are many."""
        room, size, most, begin = self.room, self.size, self.most, position
        while line := PLAIN_SIZE.match(data, position):
            chunk, first = int(line[1], 16), line.end()
            end = first + chunk
            if not chunk or size + chunk > most or data[end : end + 2] != b"\r\n":
                break
            room[size : size + chunk] = data[first:end]
            size += chunk
            position = end + 2
        self.framing += position - begin - (size - self.size)
        self.size = size
        return position

    def _frame(self, data: bytes, position: int) -> int:
        """Read bytes of the framing; return the position after them."""
        if self._expected is Expected.END_OF_DATA:
            stop = position + 2 - len(self._line)
            complete = stop <= len(data)
        else:
            stop = data.find(b"\n", position) + 1
            complete = stop > 0
        longest = position + LONGEST_LINE + 1 - len(self._line)
        piece = data[position : min(stop if complete else len(data), longest)]
        self._line += piece
        self.framing += len(piece)
        if len(self._line) > LONGEST_LINE:
            raise http.client.LineTooLong("chunk size" if self._expected is Expected.SIZE else "trailer line")
        if complete:
            line = bytes(self._line)
            self._line.clear()
            self._next(line)
        return position + len(piece)

    def _next(self, line: bytes) -> None:
        """A line of the framing is complete."""
        if self._expected is Expected.TRAILER:
            if line in (b"\r\n", b"\n"):
                self._expected = Expected.NOTHING
            return
        if self._expected is Expected.END_OF_DATA:
            if line != b"\r\n":
                raise http.client.IncompleteRead(b"")
            self._expected = Expected.SIZE
            return
        size = SIZE.fullmatch(line)
        if size is None or (chunk := int(size[1], 16)) >= ENDLESS:
            raise http.client.IncompleteRead(b"")
        self._chunk = chunk
        self._expected = Expected.DATA if self._chunk else Expected.TRAILER
