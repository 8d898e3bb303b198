"""The scheme of a link that is not http(s), for the statistics."""

from __future__ import annotations

import json
import re
from collections import Counter

import ada_url

from ttcrawl.web.url import DROPPED

INVALID = "invalid"
SCHEMES = 20  # maximum schemes of a page that are counted by name
LONGEST = 30  # maximum characters of a scheme that is counted by name

#: What a URL parser strips at both ends (URL standard 4.4).
_BLANKS = "".join(map(chr, range(33)))
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*+(?=:)", re.IGNORECASE)


def scheme(base: str, href: str) -> str:
    """The scheme of `href` in lower case, INVALID if it is not a URL.

    >>> scheme("http://a.test/", " MailTo:x"), scheme("http://a.test/", "http://[")
    ('mailto', 'invalid')
    """
    match = _SCHEME.match(href) or _SCHEME.match(href[:1000].lstrip(_BLANKS).translate(DROPPED))
    if match is None:
        try:
            name = ada_url.join_url(base, href).partition(":")[0]
        except ValueError:
            return INVALID
    else:
        name = match[0].lower()
    return INVALID if name in ("http", "https") or len(name) > LONGEST else name


def counted(base: str, hrefs: list[str]) -> str:
    """A JSON object: the number of links per scheme, the most frequent first; beyond SCHEMES of them, the rest is
    counted together."""
    if not hrefs:
        return "{}"
    counts: dict[str, int] = {}
    for href in hrefs:
        name = scheme(base, href)
        counts[name] = counts.get(name, 0) + 1
    if len(counts) > SCHEMES:
        most = Counter(counts).most_common()
        counts = dict(most[:SCHEMES])
        counts["other"] = counts.get("other", 0) + sum(times for _, times in most[SCHEMES:])
    elif len(counts) > 1:
        counts = dict(Counter(counts).most_common())
    return "{" + ", ".join([f'"{name}": {times}' for name, times in counts.items()]) + "}"  # names need no escapes


def together(counts: str, more: str) -> str:
    """The sums of two such objects."""
    if more == "{}":
        return counts
    return json.dumps(dict(Counter(json.loads(counts)) + Counter(json.loads(more))))
