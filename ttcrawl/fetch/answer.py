"""What came in answer to a request: its head and its body, put into a slot."""

from __future__ import annotations

from dataclasses import dataclass

import urllib3
from msgspec import msgpack
from urllib3.exceptions import InvalidHeader

from ttcrawl.fetch.head import TooLargeHead
from ttcrawl.ring.messages import HEAD_ROOM, Head
from ttcrawl.vocabulary.reason import Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What lies in the slot now."""

    status: int
    address: str
    started: float  # when the first byte left
    ended: float  # when the last one had come
    head: Head
    head_size: int
    body_size: int
    retry_after: float | None  # seconds
    received: int  # bytes of the body that came, kept or not, and its framing
    refused: Code  # why not all of the body was wanted
    incomplete: Code  # why not all came that was
    requests: int  # that were sent
    method: str  # of the one that this answers
    set_cookies: tuple[str, ...]


def head_of(response: urllib3.BaseHTTPResponse, address: str) -> Head:
    return Head(
        status=response.status,
        phrase=response.reason or "",
        version={9: "HTTP/0.9", 10: "HTTP/1.0"}.get(response.version, "HTTP/1.1"),
        headers=tuple(response.headers.iteritems()),
        address=address,
    )


def keep_head(head: Head, slot: memoryview) -> int:
    """Put the head into the slot: bytes it takes. Raises TooLargeHead."""
    packed = msgpack.encode(head)
    if len(packed) > HEAD_ROOM:
        raise TooLargeHead(f"more than {HEAD_ROOM:,} bytes as they are kept")
    slot[: len(packed)] = packed
    return len(packed)


def length_of(response: urllib3.BaseHTTPResponse) -> int | None:
    """What Content-Length says, None when it says nothing that counts; as far as 19 digits tell.

    Raises InvalidHeader when it is no number: such an answer is to be discarded (RFC 9112 section 6.3). urllib3 takes
    it as unsaid, or as int() understands it, but refuses numbers that differ.
    """
    said = response.headers.get("Content-Length", "")
    if not said or "Transfer-Encoding" in response.headers:
        return None
    first, *others = (part.strip() for part in said.split(","))
    if not (first.isascii() and first.isdigit()) or set(others) - {first}:
        raise InvalidHeader(f"Content-Length: {said[:100]}")
    return int(first.lstrip("0")[:19] or "0")
