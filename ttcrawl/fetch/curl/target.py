"""The request target, spelled as urllib3 spells it: both transports send the same bytes. Pure."""

from __future__ import annotations

import re
from urllib.parse import quote

from ttcrawl.fetch.http import STRAY_PERCENT

#: RFC 3986 sections 3.3 and 3.4: characters that are sent as they are, and complete escapes.
SOUND = re.compile(
    r"/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})*(?:\?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-F]{2})*)?"
)

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
