"""One end of the connection between the conductor and a ring: letters go out and come in, nothing waits.

A letter may be lost, as on any carrier: the post sends again what must arrive.
"""

from __future__ import annotations

import contextlib
import socket

from ttcrawl.cluster.frames import Connection
from ttcrawl.cluster.messages import AnyMessage, Letter

#: Most bytes that wait for a process that reads nothing: what comes then is lost.
MOST = 64 << 20

#: Bytes that are read at once.
_PIECE = 1 << 20

#: Seconds that the last letters of a process may take.
LAST = 5.0


class Courier:
    """`closed`: the other side has ended. Raises UntrustedError for what does not come from the cluster."""

    def __init__(self, connection: socket.socket, secret: bytes, *, first: bool, most: int = MOST) -> None:
        connection.setblocking(False)
        self._socket, self._most = connection, most
        self._frames = Connection(secret, first=first)
        self._outgoing = bytearray(self._frames.nonce)
        self._unsealed: list[Letter] = []  # until the other side has sent its nonce
        self.closed = False
        self.flush()

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, to: int, message: AnyMessage) -> None:
        """Take a letter along with the next `flush`."""
        letter = Letter(to=to, message=message)
        if not self._frames.ready:
            self._unsealed.append(letter)
        elif len(self._outgoing) < self._most:
            self._outgoing += self._frames.sealed(letter)

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
            letters += self._frames.received(data)
        if self._frames.ready and self._unsealed:
            for letter in self._unsealed:
                self._outgoing += self._frames.sealed(letter)
            self._unsealed.clear()
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
        self.receive()  # the nonce of the other side, without which nothing can be sent
        self._socket.settimeout(LAST)
        with contextlib.suppress(OSError):
            if not self.closed:
                self._socket.sendall(self._outgoing)
        self._socket.close()


def pair(secret: bytes) -> tuple[Courier, socket.socket]:
    """Return the conductor's end of a new connection, and the socket for the ring."""
    ours, theirs = socket.socketpair()
    return Courier(ours, secret, first=True), theirs
