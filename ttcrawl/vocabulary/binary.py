"""Binary files: neither HTML nor text."""

from __future__ import annotations

from ttcrawl.vocabulary.html import HTML_TYPES

#: Types that are neither pages nor binary files, other than text/*; "": not known.
_TEXTS = frozenset(
    {"application/json", "application/ld+json", "application/xml", "application/rss+xml", "application/atom+xml"}
    | {"application/javascript", "application/x-tex", ""}
)


def is_binary(mime_type: str) -> bool:
    """Whether a file of this type is a binary file.

    >>> [is_binary(each) for each in ("application/pdf", "image/png", "text/csv", "application/xml", "text/html")]
    [True, True, False, False, False]
    """
    return mime_type not in HTML_TYPES and mime_type not in _TEXTS and not mime_type.startswith("text/")
