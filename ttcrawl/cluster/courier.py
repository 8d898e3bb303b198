"""One end of the connection between a ring and the process that has started it: nothing waits, all comes in order.

The connection is inherited, so nobody else can write to it. A letter that does not fit in is lost, as on any carrier:
the post sends again what must arrive. What comes is data: it is decoded by type.
"""

from __future__ import annotations

import contextlib
import socket

from msgspec.msgpack import Decoder

from ttcrawl.cluster.messages import AnyMessage, Letter
from ttcrawl.ring.channel import Inbox, encode

#: Most bytes that wait for a process that reads nothing: what comes then is lost.
MOST = 64 << 20

#: Largest letter, bytes: a thousand URLs of the greatest length are fewer.
LARGEST = 16 << 20

#: Bytes that are read at once.
_PIECE = 1 << 20

#: Seconds that the last letters of a process may take.
LAST = 5.0


class UnknownLetterError(Exception):
    """The other side has another version of ttcrawl."""


class Courier:
    """`closed`: the other side has ended. Raises UnknownLetterError for bytes that are no letter."""

    def __init__(self, connection: socket.socket, most: int = MOST) -> None:
        connection.setblocking(False)
        self._socket, self._most = connection, most
        self._outgoing, self._inbox = bytearray(), Inbox(Decoder(Letter), LARGEST)
        self.closed = False

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, to: int, message: AnyMessage) -> None:
        """Take a letter along with the next `flush`."""
        if len(self._outgoing) < self._most:
            self._outgoing += encode(Letter(to=to, message=message))

    def receive(self) -> list[Letter]:
        """Return the letters that have come."""
        letters = list[Letter]()
        while not self.closed:
            try:
                data = self._socket.recv(_PIECE)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            self.closed = not data
            try:
                letters += self._inbox.feed(data)
            except ValueError as error:
                raise UnknownLetterError(f"a letter of another version of ttcrawl: {error}") from error
        return letters

    def flush(self) -> None:
        """Send as much as the connection takes."""
        while self._outgoing and not self.closed:
            try:
                sent = self._socket.send(self._outgoing)
            except BlockingIOError:
                return
            except OSError:
                self.closed = True
                return
            del self._outgoing[:sent]

    def hang_up(self) -> None:
        """Send no more: the other side sees the end. What it sends still comes."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Send what is left, within some seconds."""
        if self.fileno() < 0:
            return  # closed before
        self._socket.settimeout(LAST)
        with contextlib.suppress(OSError):
            if not self.closed:
                self._socket.sendall(self._outgoing)
        self._socket.close()
