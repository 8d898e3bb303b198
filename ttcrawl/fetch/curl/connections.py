"""Kept connections, and whether bytes have come on one that nobody has asked for.

Data without an outstanding request is no response to the next one (RFC 9112 section 9.2). libcurl looks for it once a
second, so it would take such bytes for the next response, and each response for that of the request after it.
"""

from __future__ import annotations

from typing import TypeAlias

import pycurl

from ttcrawl.ring.wait import readable

#: A multiple of the connections that libcurl keeps; the files of older ones are forgotten.
MOST = 1024

#: Our address and port of a connection.
Own: TypeAlias = tuple[str, int]


class Connections:
    """The file of each kept connection: libcurl tells our address before it sends a request, and the file after it."""

    def __init__(self) -> None:
        self._files: dict[Own, int] = {}

    def note(self, curl: pycurl.Curl) -> None:
        """Note the connection of a request that has ended."""
        own = curl.getinfo(pycurl.LOCAL_IP), curl.getinfo(pycurl.LOCAL_PORT)
        self._files.pop(own, None)
        file = curl.getinfo(pycurl.ACTIVESOCKET)
        if file < 0 or curl.getinfo(pycurl.INFO_HTTP_VERSION) >= pycurl.CURL_HTTP_VERSION_2_0:
            return  # connections of HTTP/2 carry data between requests
        self._files[own] = file
        if len(self._files) > MOST:
            del self._files[next(iter(self._files))]

    def is_clean(self, own: Own) -> bool:
        """Whether a kept connection can carry a request: nothing has come on it, and the server has not closed it."""
        file = self._files.get(own)
        return file is None or not readable([file], 0.0)
