"""A request as it is sent: its target, and its bytes for the archive, without the credentials of the configuration.

An archive is passed on, so the values of Authorization and Proxy-Authorization are replaced. Cookies stay: servers set
them, and their values are in the archived responses too.
"""

from __future__ import annotations

import re
from urllib.parse import quote

#: RFC 3986 sections 3.3 and 3.4: characters that are sent as they are, and complete escapes.
SOUND = re.compile(
    r"/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})*(?:\?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-F]{2})*)?"
)

#: A percent sign that starts no escape.
STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")

ESCAPE = re.compile("%[0-9a-fA-F]{2}")

PATH = "!$&'()*+,;=:@/%"
QUERY = PATH + "?"

REMOVED = b"(removed)"

CREDENTIALS = re.compile(rb"(?im)^((?:proxy-)?authorization:[ \t]*)[^\r\n]*")


def request_target(target: str) -> str:
    """The path and query of a URL as they are sent.

    >>> request_target("/a|b%c%3d?d=%C3%A9 ")
    '/a%7Cb%25c%3D?d=%C3%A9%20'
    """
    if SOUND.fullmatch(target):
        return target
    escaped = ESCAPE.sub(lambda escape: escape[0].upper(), STRAY_PERCENT.sub("%25", target))
    path, question, query = escaped.partition("#")[0].partition("?")
    return quote(path, PATH) + question + quote(query, QUERY)


def sent(method: str, target: str, authority: str, headers: list[bytes]) -> bytes:
    r"""Return a request as libcurl sends it over HTTP/1.1.

    >>> sent("GET", "/x", "a.test", [b"Accept: text/html", b"Authorization: Basic bWU6c2VjcmV0"])
    b'GET /x HTTP/1.1\r\nHost: a.test\r\nAccept: text/html\r\nAuthorization: (removed)\r\n\r\n'
    """
    first = f"{method} {target} HTTP/1.1\r\nHost: {authority}".encode("iso-8859-1")
    return without_credentials(b"\r\n".join((first, *headers, b"\r\n")))


def without_credentials(request: bytes) -> bytes:
    return CREDENTIALS.sub(rb"\1" + REMOVED, request) if b"uthorization" in request else request
