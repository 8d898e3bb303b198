"""A request as it is sent: its target, and its bytes."""

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

    >>> sent("GET", "/x", "a.test", [b"Accept: text/html"])
    b'GET /x HTTP/1.1\r\nHost: a.test\r\nAccept: text/html\r\n\r\n'
    """
    first = f"{method} {target} HTTP/1.1\r\nHost: {authority}".encode("iso-8859-1")
    return b"\r\n".join((first, *headers, b"\r\n"))
