"""The response to a request: head and body, stored in a slot."""

from __future__ import annotations

from msgspec import Struct, msgpack

from ttcrawl.fetch.head import Fields
from ttcrawl.fetch.reasons import TooLargeHead
from ttcrawl.ring.messages import HEAD_ROOM, Head
from ttcrawl.vocabulary.reason import Code


class Answer(Struct, frozen=True, kw_only=True):
    """The response that is in the slot."""

    status: int
    address: str
    started: float  # when the first byte of the request was sent
    ended: float  # when the last byte of the response was received
    head: Head
    fields: Fields
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


def keep_head(head: Head, slot: memoryview) -> int:
    """Store the head in the slot; return its size in bytes. Raises TooLargeHead."""
    packed = msgpack.encode(head)
    if len(packed) > HEAD_ROOM:
        raise TooLargeHead(f"more than {HEAD_ROOM:,} bytes as they are kept")
    slot[: len(packed)] = packed
    return len(packed)
