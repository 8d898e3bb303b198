"""URLs in plain text."""

from __future__ import annotations

import re

from ttcrawl.web.late import late

_URL = late(r"(?<![A-Za-z0-9])https?://[^\s<>\"'`{}|\\^\[\]\x00-\x1f\x7f\ufffd]++", re.IGNORECASE)
#: Elements whose text is not part of the page's text.
NO_TEXT = frozenset(("script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp", "option"))
_AFTER = ".,;:!?…*_»”’"


def urls(text: str) -> list[str]:
    """The http(s) URLs in a text; trailing punctuation belongs to the text.

    >>> urls("see http://a.test/x_(y), (or https://b.test/z).")
    ['http://a.test/x_(y)', 'https://b.test/z']
    """
    return [_bare(url) for url in _URL.findall(text)] if "://" in text else []


def _bare(url: str) -> str:
    surplus = url.count(")") - url.count("(")
    end = len(url)
    while end and (url[end - 1] in _AFTER or (url[end - 1] == ")" and surplus > 0)):
        surplus -= url[end - 1] == ")"
        end -= 1
    return url[:end]
