"""What libcurl does in its own way with odd responses: no head, codings that it does not know, long lines."""

from __future__ import annotations

from ttcrawl.fetch.body import Body
from ttcrawl.fetch.head import LONGEST_LINE, HeadLimits, not_http
from ttcrawl.fetch.reasons import AttemptFailed, NotReadable, TooLargeHead, explained, why_incomplete
from ttcrawl.fetch.response import Response
from ttcrawl.vocabulary.reason import PROTOCOL, TRUNCATED
from ttcrawl.web.status_line import status_line

#: How it begins the status line of a response over HTTP/2. It accepts that over no other connection.
OVER_HTTP_2 = b"HTTP/2 "


def check_stray(stray: bytearray, limits: HeadLimits) -> None:
    """Check the first bytes of a response that does not begin as HTTP.

    Raises NotReadable if it is HTTP nevertheless, BadStatusLine or TooLargeHead if it is not.
    """
    line, end, _ = stray.partition(b"\n")
    longest = min(LONGEST_LINE, limits.size)
    if len(line) > longest:
        raise TooLargeHead(f"more than {longest:,} bytes")
    if end and (not line.strip() or status_line(bytes(line)) is not None):
        raise NotReadable("a status line with space before it, or of another protocol")
    if end:
        raise not_http(bytes(line))


def check_codings(response: Response) -> None:
    """Raises NotReadable if chunks are not the last coding: libcurl ends such a body with its last chunk, but it ends
    with the connection (RFC 9112 section 6.3)."""
    codings = response.codings
    if "chunked" in codings and codings[-1] != "chunked":
        raise NotReadable("chunks within another coding")


def of_body(error: Exception, body: Body) -> Exception:
    """The error that ended a body; libcurl reads lines of the framing, too, and has limits of its own for them."""
    long_size = body.in_long_line and why_incomplete(error) == TRUNCATED
    if long_size or isinstance(error, TooLargeHead):
        return AttemptFailed(PROTOCOL, explained(error)[1])
    return error
