"""How the end of a body is known, and what its connection's end says about it. Pure."""

from __future__ import annotations

from msgspec import Struct

from ttcrawl.vocabulary.reason import NETWORK, NONE, PROTOCOL, RESET, TRUNCATED, Code
from ttcrawl.web.coding.decode import CodingError, decoded_size

#: Ends of a connection that bring nothing more; a trailer may last for ever, or be none.
LOST = frozenset({NONE, TRUNCATED, RESET, NETWORK})


class Framing(Struct, frozen=True, kw_only=True):
    """What a head states about the length of its body (RFC 9112 section 6.3)."""

    chunked: bool = False
    length: int | None = None  # bytes; None: it is not stated, or does not apply
    coding: str = ""  # Content-Encoding
    most: int = 0  # bytes to which a body is decoded to learn their number
    streamed: bool = False  # over HTTP/2, which marks the end of a body (RFC 9113 section 8.1)

    @property
    def by_close(self) -> bool:
        """Whether the body ends with the connection."""
        return not self.chunked and self.length is None and not self.streamed

    def ended(self, body: memoryview, *, last_chunk: bool, end: Code) -> tuple[Code, bool]:
        """(Why the body is incomplete, whether it is complete by assumption only); the body has less than its length.

        `end`: how the connection ended; NONE: in order, TRUNCATED: before the body did, or without the end of TLS.
        A body that ends with the connection may then be a part: as browsers do, we assume that it is complete (RFC 9112
        section 9.8).
        """
        if (last_chunk and end in LOST) or (end != PROTOCOL and self._is_of_decoded(body)):
            return NONE, False
        if self.by_close and end == TRUNCATED:
            return NONE, True
        return end or (NONE if self.by_close or self.streamed else TRUNCATED), False

    def _is_of_decoded(self, body: memoryview) -> bool:
        """Whether the length describes the body before it was compressed: browsers accept it if it is exact.

        A robots.txt is received whatever length it states: a small one could be decoded for hours.
        """
        if not (self.coding and self.length and body) or self.length > self.most:
            return False
        try:
            return decoded_size(bytes(body), self.coding, self.length) == self.length
        except CodingError:
            return False
