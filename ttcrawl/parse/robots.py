"""The text of a robots.txt from its response."""

from __future__ import annotations

from ttcrawl.parse.head import coding
from ttcrawl.ring.messages import Head
from ttcrawl.web import robots
from ttcrawl.web.coding.decode import CodingError, beginning

#: Bytes that may be decoded in intermediate steps for a robots.txt with nested codings.
MAX_CODED = 10 * robots.MAX_BYTES


def robots_text(head: Head, body: bytes, ratio: int, *, cut: bool) -> str | None:
    """The decoded text; "" unless the status is 2xx; None if the body cannot be decoded. `cut`: it is incomplete."""
    if not 200 <= head.status < 300:
        return ""
    size = robots.MAX_BYTES + 1  # one more byte shows that the body is longer
    try:
        return robots.decoded(beginning(body, coding(head), size, MAX_CODED, ratio, cut=cut), cut=cut)
    except CodingError:
        return None
