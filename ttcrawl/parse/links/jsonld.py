"""URLs in JSON-LD: <script type="application/ld+json">."""

from __future__ import annotations

import re

from ttcrawl.web.json_ld import loads

LONGEST = 1 << 20  # characters; a longer script is not read
MOST = 1000  # maximum URLs per script

_URL = re.compile(r"https?://[^\s{}<>\"]++", re.IGNORECASE)
#: The URL of a vocabulary, not of a page.
_VOCABULARY = re.compile(r"https?://(?:www\.)?schema\.org(?:/|\Z)", re.IGNORECASE)
_NAMES = frozenset(("@context", "@type", "@vocab"))


def urls(script: str) -> list[str]:
    """The string values that consist of one absolute http(s) URL, in document order; [] for invalid JSON.

    >>> urls('{"@context": "https://schema.org", "@id": "http://a.test/#me", "name": "see http://b.test/"}')
    ['http://a.test/#me']
    """
    if len(script) > LONGEST or "://" not in script.replace("\\/", "/"):
        return []
    stack = [loads(script)]
    references: list[str] = []
    while stack and len(references) < MOST:
        value = stack.pop()
        if isinstance(value, dict):
            stack += [each for name, each in reversed(value.items()) if name not in _NAMES]
        elif isinstance(value, list):
            stack += reversed(value)
        elif isinstance(value, str) and _URL.fullmatch(value) and not _VOCABULARY.match(value):
            references.append(value)
    return references
