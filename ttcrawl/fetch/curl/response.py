"""The response to one attempt, as it is received."""

from __future__ import annotations

import http
import http.client

from ttcrawl.fetch.answer import length_of
from ttcrawl.fetch.curl.body import Pieces
from ttcrawl.fetch.curl.head import Fields, HeadLines
from ttcrawl.fetch.curl.reasons import AttemptFailed, NotReadable, Unclosed, cut, in_response
from ttcrawl.fetch.destination import check_login
from ttcrawl.fetch.framing import Framing
from ttcrawl.fetch.head import LONGEST_LINE, TooLargeHead
from ttcrawl.fetch.settings import Settings
from ttcrawl.fetch.wanted import kind_of
from ttcrawl.ring.messages import HEAD_ROOM, HTTP_2, ROBOTS, Head, Request
from ttcrawl.vocabulary.reason import (
    KEPT_CLOSED,
    NO_CONTENT_STATUSES,
    NONE,
    PROTOCOL,
    TOO_LARGE,
    TRUNCATED,
    TYPE,
    Code,
)
from ttcrawl.web.fields import transfer_codings
from ttcrawl.web.status_line import status_line

#: RFC 9112 section 6.3: these responses have no body, whatever their headers state.
NO_BODY = frozenset((http.HTTPStatus.SWITCHING_PROTOCOLS, http.HTTPStatus.NO_CONTENT, http.HTTPStatus.NOT_MODIFIED))


class Response:
    """Takes the lines of the head and the pieces of the body; `begin` and `piece` return whether more is wanted."""

    head: Head  # once it is complete
    fields: Fields
    ended: float  # when the attempt ended

    def __init__(self, method: str, request: Request, slot: memoryview, settings: Settings, *, forwarded: bool) -> None:
        self._method = method
        self._request = request
        self._settings = settings
        self._forwarded = forwarded
        self._kind = kind_of(request)
        self.lines = HeadLines(limits=settings.head)
        self._stray = bytearray()  # bytes that are no head
        self._bodiless = self._to_the_close = False
        self._framing = Framing()
        self.body = Pieces(room=slot[HEAD_ROOM:], most=settings.max_body, chunked=False)
        self.error: Exception | None = None  # why there is no answer
        self.dead = False  # the connection was kept, and is closed: nothing was sent
        self.refused: Code = NONE  # why the body was not wanted, or not all of it
        self.incomplete: Code = NONE  # why the body is incomplete
        self.unclosed = False  # it is complete by assumption only

    @property
    def begun(self) -> bool:
        """Whether anything was received."""
        return bool(self.lines.size or self._stray)

    @property
    def lost(self) -> int:
        """Bytes of an incomplete head."""
        return 0 if self.lines.complete else self.lines.size + len(self._stray)

    def begin(self, address: str, *, reused: bool) -> bool:
        """The head is complete. Raises HTTPException, InvalidHeader, ProxyFailed, AttemptFailed."""
        head, self.fields = self.lines.parsed(address)
        if self._forwarded:
            check_login(head.status)
        if head.status == http.HTTPStatus.REQUEST_TIMEOUT and reused:
            # a server may send this when it closes an idle connection: RFC 9110 section 15.5.9
            raise AttemptFailed(KEPT_CLOSED, "408 for a connection that was idle")
        more = self._expect_body(head)
        self.head = head  # now: an error before this leaves no answer
        return more

    def _expect_body(self, head: Head) -> bool:
        encodings = self.fields.get("transfer-encoding", [])
        codings = transfer_codings(encodings) if encodings else []
        lengths = ", ".join(self.fields.get("content-length", ()))
        never = self._method == "HEAD" or head.status in NO_BODY
        self._bodiless = never or (not codings and lengths == "0")
        self._to_the_close = not never and bool(encodings) and encodings[0].lower() != "chunked"
        self.body.chunked = codings[-1:] == ["chunked"]
        page = self._kind != ROBOTS and 200 <= head.status < 300 and head.status not in NO_CONTENT_STATUSES
        length = None
        if page and not self._settings.wants(self._request, self.fields.get("content-type", [])):
            self.refused = TYPE
        elif page or not self._bodiless:
            length = length_of(lengths, transfer_encoding=bool(codings))
            if (length or 0) > self._settings.max_body and self._kind != ROBOTS:
                self.refused = TOO_LARGE
        coding = ", ".join(self.fields.get("content-encoding", ()))
        streamed = head.version == HTTP_2
        most = self._settings.max_body
        self._framing = Framing(chunked=self.body.chunked, length=length, coding=coding, most=most, streamed=streamed)
        return (self._bodiless or not self.refused) and not self._over

    @property
    def _over(self) -> bool:
        """Whether the body is complete and libcurl does not know it: with codings that it does not know it waits for
        the end of the connection."""
        return self._to_the_close and (self._bodiless or self.body.over or self._framing.has(self.body.size))

    def piece(self, data: bytes) -> bool:
        """Take a piece of the body. Raises HTTPException for invalid framing, or if there was no head."""
        if not self.lines.complete:
            return self._no_head(data)
        if self._to_the_close and self._framing.length is not None:
            data = data[: self._framing.length - self.body.size]
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
            self.error = self._without_head(error)
        elif not hasattr(self, "head"):
            self.error = error
        elif not self._bodiless:
            self._end_body(error)

    def _without_head(self, error: Exception | None) -> Exception:
        """The error of an attempt whose head is incomplete."""
        if error is None or (self.lost and isinstance(error, Unclosed)):
            return AttemptFailed(TRUNCATED, f"the head breaks off after {self.lost} bytes")
        return in_response(error) if self.lost else error

    def _end_body(self, error: Exception | None) -> None:
        body, end = self.body, NONE if error is None else cut(error)
        long_size = end == TRUNCATED and body.in_long_line
        if long_size or isinstance(error, TooLargeHead):  # of libcurl, about a chunk size or a trailer
            end = PROTOCOL
        last_chunk = body.chunked and body.complete
        self.incomplete, self.unclosed = self._framing.ended(body.room[: body.size], last_chunk=last_chunk, end=end)
