"""Binary files: neither HTML nor text. And files that were looked at and not downloaded."""

from __future__ import annotations

from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.reason import TOO_LARGE, TYPE
from ttcrawl.vocabulary.state import REFUSED

#: Types that are neither pages nor binary files, other than text/*; "": not known.
_TEXTS = frozenset(
    {"application/json", "application/ld+json", "application/xml", "application/rss+xml", "application/atom+xml"}
    | {"application/javascript", "application/x-tex", ""}
)

#: SQL for a URL that was refused by the head of its answer, or when its body became too long: its row in `page` has the
#: type and, if it was stated, the length. What was received and is not a sitemap has the reason TYPE too.
NOT_DOWNLOADED = (
    f"(url.state = '{REFUSED}' AND page.status BETWEEN 200 AND 299"
    f" AND (url.reason = '{TOO_LARGE}' OR url.reason = '{TYPE}' AND page.length = 0))"
)


def is_binary(mime_type: str) -> bool:
    """Whether a file of this type is a binary file.

    >>> [is_binary(each) for each in ("application/pdf", "image/png", "text/csv", "application/xml", "text/html")]
    [True, True, False, False, False]
    """
    return mime_type not in HTML_TYPES and mime_type not in _TEXTS and not mime_type.startswith("text/")
