"""The part of a URL that rules are compared with: path and query."""

from __future__ import annotations

import re

_HEAD = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?")


def path_of(url: str) -> str:
    """Path and query.

    >>> path_of("http://a.test/x?y"), path_of("http://a.test?y#z"), path_of("/x")
    ('/x?y', '/?y', '/x')
    """
    pieces = url.split("/", 3)
    if len(pieces) == 4 and not pieces[1] and "?" not in pieces[2] and "#" not in pieces[2]:
        path = "/" + pieces[3]
    else:  # not a canonical URL
        match = _HEAD.match(url)
        path = url[match.end() :] if match else url
        path = path if path.startswith("/") else "/" + path
    return path.partition("#")[0] if "#" in path else path


def is_robots(path: str) -> bool:
    """Whether this is the path of robots.txt, with any query."""
    return path.startswith("/robots.txt") and path.partition("?")[0] == "/robots.txt"
