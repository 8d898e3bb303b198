"""The response to a request: head and body, stored in a slot."""

from __future__ import annotations

from dataclasses import dataclass

import urllib3
from msgspec import msgpack
from urllib3.exceptions import InvalidHeader

from ttcrawl.fetch.head import TooLargeHead
from ttcrawl.ring.messages import HEAD_ROOM, Head
from ttcrawl.vocabulary.reason import Code
from ttcrawl.web.fields import content_length


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The response that is in the slot."""

    status: int
    address: str
    started: float  # when the first byte of the request was sent
    ended: float  # when the last byte of the response was received
    head: Head
    head_size: int
    body_size: int
    retry_after: float | None  # seconds
    received: int  # bytes of the body on the wire, kept or not, with its framing
    refused: Code  # why the body was not wanted, or not all of it
    incomplete: Code  # why the body is incomplete
    unclosed: bool = False  # complete by assumption only: TLS did not end (RFC 9112 section 9.8)
    requests: int  # sent
    method: str  # of the request that this response answers
    set_cookies: tuple[str, ...]


def head_of(
    response: urllib3.BaseHTTPResponse, raw: bytes, address: str, request: bytes, tls: str, cipher: str
) -> Head:
    return Head(
        status=response.status,
        phrase=response.reason or "",
        version={9: "HTTP/0.9", 10: "HTTP/1.0"}.get(response.version, "HTTP/1.1"),
        headers=tuple(response.headers.iteritems()),
        address=address,
        request=request,
        tls=tls,
        cipher=cipher,
        raw=raw,
    )


def keep_head(head: Head, slot: memoryview) -> int:
    """Store the head in the slot; return its size in bytes. Raises TooLargeHead."""
    packed = msgpack.encode(head)
    if len(packed) > HEAD_ROOM:
        raise TooLargeHead(f"more than {HEAD_ROOM:,} bytes as they are kept")
    slot[: len(packed)] = packed
    return len(packed)


def length_of(field: str, *, transfer_encoding: bool) -> int | None:
    """The value of Content-Length, None if it is absent or does not apply; of long numbers the first 19 digits.

    `field`: its values, joined by commas; `transfer_encoding`: the response has this header too. Raises InvalidHeader
    if it is not a number, or if it holds different numbers: such a response is to be discarded (RFC 9112 section 6.3).
    urllib3 ignores values that are not numbers, or parses them as int() does, but rejects numbers that differ.
    """
    if not field or transfer_encoding:
        return None
    if (length := content_length(field)) is None:
        raise InvalidHeader(f"Content-Length: {field[:100]}")
    return length
