"""Kept connections, and whether bytes have come on one that nobody has asked for.

Data without an outstanding request is not a response to the next one (RFC 9112 section 9.2). libcurl looks for it once
a second, so it would take such bytes for the next response, and each response for the one to the request after it.
"""

from __future__ import annotations

import select
from typing import TypeAlias

import pycurl

from ttcrawl.ring.poll import readable

#: A multiple of the connections that libcurl keeps; the files of older ones are forgotten.
MOST = 1024

#: Our address and port of a connection.
Own: TypeAlias = tuple[str, int]


class Connections:
    """The file of each kept connection: libcurl tells our address before it sends a request, and the file after it."""

    def __init__(self) -> None:
        self._files: dict[Own, tuple[int, bool]] = {}  # and whether it speaks HTTP/2
        self._failed: dict[str, Own] = {}  # by server

    def note(self, curl: pycurl.Curl, own: Own) -> None:
        """Note the connection of a request that has ended."""
        self._files.pop(own, None)
        file = curl.getinfo(pycurl.ACTIVESOCKET)
        if file < 0:
            return
        self._files[own] = file, curl.getinfo(pycurl.INFO_HTTP_VERSION) >= pycurl.CURL_HTTP_VERSION_2_0
        if len(self._files) > MOST:
            del self._files[next(iter(self._files))]

    def can_carry(self, server: str, own: Own) -> bool:
        """Whether a kept connection can carry a request: nothing has come on it, and the server has not closed it.

        Over HTTP/2 there are frames between requests. libcurl keeps such a connection also when the request is not
        sent, unless reuse is forbidden.
        """
        file, http2 = self._files.get(own, (-1, False))
        if file < 0 or not (_ended(file) if http2 else readable([file], 0.0)):
            return True
        if http2:
            self._note_failed(server, own)
        return False

    def failed(self, curl: pycurl.Curl, server: str, own: Own) -> None:
        """Note that a request has failed. libcurl ends only the stream of HTTP/2, and would go on using a connection
        that is of no use any more (RFC 9113 section 9.1)."""
        self._files.pop(own, None)
        if curl.getinfo(pycurl.ACTIVESOCKET) >= 0:
            self._note_failed(server, own)

    def take_failed(self, server: str) -> Own | None:
        """Return, once, the failed connection to a server that libcurl may have kept: if reuse is forbidden, it
        closes the one that it chooses next."""
        return self._failed.pop(server, None)

    def _note_failed(self, server: str, own: Own) -> None:
        self._failed[server] = own
        if len(self._failed) > MOST:
            del self._failed[next(iter(self._failed))]


def _ended(file: int) -> bool:
    """Whether the other side of a socket has closed it."""
    poll = select.poll()
    poll.register(file, select.POLLRDHUP)
    return bool(poll.poll(0))
