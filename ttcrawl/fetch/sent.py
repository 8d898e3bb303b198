"""The request as it was sent, for the archive: without the credentials of the configuration.

An archive is passed on, so the values of Authorization and Proxy-Authorization are replaced. Cookies stay: servers set
them, and their values are in the archived responses too.
"""

from __future__ import annotations

import re

REMOVED = b"(removed)"

CREDENTIALS = re.compile(rb"(?im)^((?:proxy-)?authorization:[ \t]*)[^\r\n]*")


def sent(method: str, target: str, authority: str, headers: list[bytes]) -> bytes:
    r"""Return a request as libcurl sends it over HTTP/1.1.

    >>> sent("GET", "/x", "a.test", [b"Accept: text/html", b"Authorization: Basic bWU6c2VjcmV0"])
    b'GET /x HTTP/1.1\r\nHost: a.test\r\nAccept: text/html\r\nAuthorization: (removed)\r\n\r\n'
    """
    first = f"{method} {target} HTTP/1.1\r\nHost: {authority}".encode("iso-8859-1")
    return without_credentials(b"\r\n".join((first, *headers, b"\r\n")))


def without_credentials(request: bytes) -> bytes:
    return CREDENTIALS.sub(rb"\1" + REMOVED, request) if b"uthorization" in request else request
