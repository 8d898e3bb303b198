"""The scheme of a link that is not http(s), for the statistics."""

from __future__ import annotations

import re

import ada_url

from ttcrawl.web.url import DROPPED

INVALID = "invalid"
LONGEST = 30  # maximum characters of a scheme that is counted by name

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*+(?=:)", re.IGNORECASE)


def scheme(base: str, href: str) -> str:
    """The scheme of `href` in lower case, INVALID if it is not a URL.

    >>> scheme("http://a.test/", " MailTo:x"), scheme("http://a.test/", "http://[")
    ('mailto', 'invalid')
    """
    match = _SCHEME.match(href[:1000].lstrip("".join(map(chr, range(33)))).translate(DROPPED))
    if match is None:
        try:
            name = ada_url.join_url(base, href).partition(":")[0]
        except ValueError:
            return INVALID
    else:
        name = match[0].lower()
    return INVALID if name in ("http", "https") or len(name) > LONGEST else name
