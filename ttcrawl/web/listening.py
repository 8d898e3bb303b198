"""A socket for those who open an address of this machine."""

from __future__ import annotations

import socket

from ttcrawl.errors import UsageError

LOOPBACK = "127.0.0.1"


def listen(host: str, port: int) -> socket.socket:
    """`port` 0: a free one. Raises UsageError if it is taken, or the host is not this machine."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(f"port {port} of {host} cannot be used ({error.strerror}): choose another --port") from error
