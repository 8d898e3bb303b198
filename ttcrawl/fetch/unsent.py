"""What the kernel still has to send when a request is given up.

It goes on trying after the socket is closed: when a network comes back, the request would arrive minutes after its
deadline, at a host that counts as idle.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import struct
import termios

#: For SO_LINGER: closing discards what is unsent, and resets the connection.
_DISCARD = struct.pack("ii", 1, 0)


def discard_unsent(file: int) -> None:
    """Let the bytes that the other side has not acknowledged end with this socket; without any, do nothing."""
    with contextlib.suppress(OSError, ValueError):  # -1: there is no connection yet
        unacknowledged = struct.unpack("i", fcntl.ioctl(file, termios.TIOCOUTQ, b"\0" * 4))[0]  # SIOCOUTQ: tcp(7)
        if unacknowledged:
            with socket.socket(fileno=os.dup(file)) as duplicate:
                duplicate.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _DISCARD)
