"""The response to one attempt, as it is received."""

from __future__ import annotations

import http
import http.client

from ttcrawl.fetch.answer import length_of
from ttcrawl.fetch.curl.body import Pieces
from ttcrawl.fetch.curl.head import Fields, HeadLines
from ttcrawl.fetch.curl.reasons import AttemptFailed, NotReadable, cut
from ttcrawl.fetch.destination import check_login
from ttcrawl.fetch.head import LONGEST_LINE, TooLargeHead
from ttcrawl.fetch.settings import Settings
from ttcrawl.fetch.wanted import wanted
from ttcrawl.ring.messages import HEAD_ROOM, ROBOTS, Head
from ttcrawl.vocabulary.reason import NONE, PROTOCOL, TOO_LARGE, TRUNCATED, TYPE, Code
from ttcrawl.web.fields import is_chunked
from ttcrawl.web.status_line import status_line

#: RFC 9112 section 6.3: these responses have no body, whatever their headers state.
NO_BODY = frozenset((http.HTTPStatus.SWITCHING_PROTOCOLS, http.HTTPStatus.NO_CONTENT, http.HTTPStatus.NOT_MODIFIED))


class Response:
    """Takes the lines of the head and the pieces of the body; `begin` and `piece` return whether more is wanted."""

    head: Head  # once it is complete
    fields: Fields
    ended: float  # when the attempt ended

    def __init__(self, method: str, kind: str, slot: memoryview, settings: Settings, *, forwarded: bool) -> None:
        self._method, self._kind, self._settings, self._forwarded = method, kind, settings, forwarded
        self.lines = HeadLines(limits=settings.head)
        self._stray = bytearray()  # bytes that are no head
        self._bodiless = self._only_chunked = False
        self.body = Pieces(room=slot[HEAD_ROOM:], most=settings.max_body, chunked=False)
        self.error: Exception | None = None  # why there is no answer
        self.dead = False  # the connection was kept, and did not carry the request
        self.refused: Code = NONE  # why the body was not wanted, or not all of it
        self.incomplete: Code = NONE  # why the body is incomplete

    @property
    def lost(self) -> int:
        """Bytes of an incomplete head."""
        return 0 if self.lines.complete else self.lines.size + len(self._stray)

    def begin(self, address: str, *, reused: bool) -> bool:
        """The head is complete. Raises HTTPException, InvalidHeader, ProxyFailed."""
        head, self.fields = self.lines.parsed(address)
        if self._forwarded:
            check_login(head.status)
        if head.status == http.HTTPStatus.REQUEST_TIMEOUT and reused:
            self.dead = True  # a server may send this when it closes an idle connection: RFC 9110 section 15.5.9
            return False
        more = self._expect_body(head.status)
        self.head = head  # now: an error before this leaves no answer
        return more

    def _expect_body(self, status: int) -> bool:
        fields = self.fields
        codings = fields.get("transfer-encoding", [])
        lengths = ", ".join(fields.get("content-length", ()))
        self.body.chunked = is_chunked(codings)
        self._only_chunked = len(codings) == 1 and codings[0].lower() == "chunked"
        self._bodiless = self._method == "HEAD" or status in NO_BODY or (not codings and lengths == "0")
        page = self._kind != ROBOTS and 200 <= status < 300
        if page and not wanted(self._settings.types, fields.get("content-type", [])):
            self.refused = TYPE
        elif page or not self._bodiless:
            length = length_of(lengths, transfer_encoding=bool(codings)) or 0
            if length > self._settings.max_body and self._kind != ROBOTS:
                self.refused = TOO_LARGE
        return self._bodiless or not self.refused

    @property
    def _over(self) -> bool:
        """Whether the body is complete and libcurl does not know it: with another coding it waits for the end of the
        connection."""
        return self.body.chunked and not self._only_chunked and self.body.over

    def piece(self, data: bytes) -> bool:
        """Take a piece of the body. Raises HTTPException for invalid framing, or if there was no head."""
        if not self.lines.complete:
            return self._no_head(data)
        if not (self._bodiless or self.body.feed(data)):
            self.refused = TOO_LARGE
            return False
        return not self._over

    def _no_head(self, data: bytes) -> bool:
        """libcurl takes a response that does not begin as HTTP for a body."""
        self._stray += data
        line, end, _ = self._stray.partition(b"\n")
        longest = min(LONGEST_LINE, self._settings.head.size)
        if len(line) > longest:
            raise TooLargeHead(f"more than {longest:,} bytes")
        if end:
            if not line.strip() or status_line(bytes(line)) is not None:
                raise NotReadable("a status line with space before it, or of another protocol")
            raise http.client.BadStatusLine(repr(bytes(line[:100])))
        return True

    def end(self, ended: float, error: Exception | None) -> None:
        """The attempt has ended, with this error."""
        self.ended = ended
        if self.dead or self._over or (self.refused and self.lines.complete):
            return  # we ended it
        if self._stray and error is None:
            error = http.client.BadStatusLine(repr(bytes(self._stray[:100])))
        if not self.lines.complete:
            self.error = error or AttemptFailed(TRUNCATED, f"the head breaks off after {self.lost} bytes")
        elif error is not None:
            self._break(error)
        elif not (self._bodiless or self.body.complete):
            self.incomplete = TRUNCATED

    def _break(self, error: Exception) -> None:
        """An error ends the body."""
        if not hasattr(self, "head"):
            self.error = error
            return
        reason = cut(error)
        long_size = reason == TRUNCATED and self.body.in_long_line
        if long_size or isinstance(error, TooLargeHead):  # of libcurl, about a chunk size or a trailer
            reason = PROTOCOL
        if reason != TRUNCATED or not (self.body.chunked and self.body.complete):
            self.incomplete = reason
