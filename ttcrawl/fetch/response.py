"""The response to one attempt, as a transport receives it."""

from __future__ import annotations

import http
import http.client

from ttcrawl.fetch.body import Body
from ttcrawl.fetch.destination import check_login
from ttcrawl.fetch.framing import Framing
from ttcrawl.fetch.head import Fields, HeadLines
from ttcrawl.fetch.reasons import AttemptFailed, Unclosed, in_response, why_incomplete
from ttcrawl.fetch.settings import Settings
from ttcrawl.fetch.wanted import kind_of
from ttcrawl.ring.messages import HEAD_ROOM, HTTP_2, ROBOTS, Head, Request
from ttcrawl.vocabulary.reason import KEPT_CLOSED, NO_CONTENT_STATUSES, NONE, TOO_LARGE, TRUNCATED, TYPE, Code
from ttcrawl.web.fields import content_length, transfer_codings

#: Python looks the names of an enumeration up by a function: this is asked of each response.
REQUEST_TIMEOUT: int = http.HTTPStatus.REQUEST_TIMEOUT

#: RFC 9112 section 6.3: these responses have no body, whatever their headers state.
NO_BODY = frozenset((http.HTTPStatus.SWITCHING_PROTOCOLS, http.HTTPStatus.NO_CONTENT, http.HTTPStatus.NOT_MODIFIED))


class Response:
    """Takes the lines of the head (`lines`) and, after `begin`, the pieces of the body."""

    head: Head  # once it is complete
    fields: Fields
    ended: float  # when the attempt ended
    request = b""  # as sent, without credentials; empty if it is not archived
    tls = cipher = ""  # of its connection: "tls/1.3"; "" if unknown, or without TLS
    _framing = Framing()  # until the head is complete

    def __init__(self, method: str, request: Request, slot: memoryview, settings: Settings, *, forwarded: bool) -> None:
        """`forwarded`: a proxy has read the request, and may answer itself."""
        self._method = method
        self._request = request
        self._settings = settings
        self._forwarded = forwarded
        self._kind = kind_of(request)
        self.lines = HeadLines(limits=settings.head)
        self.codings: list[str] = []  # transfer codings, in lower case; the last one is on the wire
        self._bodiless = False
        self.body = Body(room=slot[HEAD_ROOM:], most=settings.max_body, chunked=False)
        self.error: Exception | None = None  # why there is no answer
        self.dead = False  # the connection was kept, and is closed: nothing was sent
        self.refused: Code = NONE  # why the body was not wanted, or not all of it
        self.incomplete: Code = NONE  # why the body is incomplete
        self.unclosed = False  # it is complete by assumption only
        self._excess = False

    @property
    def begun(self) -> bool:
        """Whether anything was received."""
        return bool(self.lines.size)

    @property
    def answers(self) -> bool:
        """Whether its head is complete and acceptable."""
        return hasattr(self, "head")

    @property
    def lost(self) -> int:
        """Bytes of a head that is not an answer."""
        return 0 if self.answers else self.lines.size

    @property
    def over(self) -> bool:
        """Whether its end was received; a body without length ends only with the connection."""
        length = self._framing.length
        return self._bodiless or (self.body.over if length is None else self.body.size >= length)

    @property
    def coded(self) -> bool:
        """Whether its body has another transfer coding than chunks, or one below them."""
        first = next(iter(self.fields.get("transfer-encoding", ())), "chunked")
        return first.lower() != "chunked" and not self._bodiless

    @property
    def by_close(self) -> bool:
        """Whether it ends with the connection."""
        return self._framing.by_close and not self._bodiless

    @property
    def excess(self) -> bool:
        """Whether bytes were received after it: data without an outstanding request (RFC 9112 section 9.2)."""
        return self._excess or self.body.excess

    def begin(self, address: str, *, reused: bool, http2: bool = False) -> None:
        """The head is complete. Raises HTTPException, ProxyFailed, AttemptFailed."""
        head, self.fields = self.lines.parsed(address, http2=http2)
        if self._forwarded:
            check_login(head.status)
        if head.status == REQUEST_TIMEOUT and reused:
            # a server may send this when it closes an idle connection: RFC 9110 section 15.5.9
            raise AttemptFailed(KEPT_CLOSED, "408 for a connection that was idle")
        self._expect_body(head)
        self.head = head  # now: an error before this leaves no answer

    def _expect_body(self, head: Head) -> None:
        encodings = self.fields.get("transfer-encoding")
        codings = self.codings = transfer_codings(encodings) if encodings else []
        never = self._method == "HEAD" or head.status in NO_BODY
        page = self._kind != ROBOTS and 200 <= head.status < 300 and head.status not in NO_CONTENT_STATUSES
        length = None if codings or (never and not page) else self._length()
        self._bodiless = never or length == 0
        self.body.chunked = codings[-1:] == ["chunked"]
        if page and not self._settings.wants(self._request, self.fields.get("content-type", [])):
            self.refused = TYPE
        elif (length or 0) > self._settings.max_body and self._kind != ROBOTS:
            self.refused = TOO_LARGE
        self._framing = Framing(
            chunked=self.body.chunked,
            length=length,
            coding=", ".join(self.fields.get("content-encoding", ())),
            most=self._settings.max_body,
            streamed=head.version == HTTP_2,
        )

    def _length(self) -> int | None:
        """The value of Content-Length, None if it is absent; of long numbers the first 19 digits.

        Raises HTTPException if it is not a number, or if it holds different numbers: such a response is to be discarded
        (RFC 9112 section 6.3).
        """
        values = self.fields.get("content-length")
        if values is None:
            return None
        field = ", ".join(values)
        if (length := content_length(field)) is None:
            raise http.client.HTTPException(f"Content-Length: {field[:100]}")
        return length

    def piece(self, data: bytes) -> None:
        """Take a piece of the body, unless it is `over` or `refused`. Raises HTTPException for invalid framing."""
        if self._bodiless:
            return
        body, length = self.body, self._framing.length
        if length is not None:
            room = length - body.size
            self._excess = len(data) > room
            data = data[:room]
        if not body.feed(data) or (length is not None and length > body.size == body.most):
            self.refused = TOO_LARGE

    def end(self, ended: float, error: Exception | None) -> None:
        """The attempt has ended, with this error; None: the connection ended in order, or the transport ended it."""
        self.ended = ended
        if self.dead:
            return
        if not self.lines.complete:
            self.error = self._without_head(error)
        elif not self.answers:
            self.error = error
        elif not (self.refused or self.over):
            self._end_body(error)

    def _without_head(self, error: Exception | None) -> Exception:
        """The error of an attempt whose head is incomplete."""
        if error is None or (self.lines.status and isinstance(error, Unclosed)):
            return AttemptFailed(TRUNCATED, f"the head breaks off after {self.lost} bytes")
        return in_response(error) if self.lost else error

    def _end_body(self, error: Exception | None) -> None:
        body, end = self.body, NONE if error is None else why_incomplete(error)
        self.incomplete, self.unclosed = self._framing.ended(
            body.room[: body.size], last_chunk=body.chunked and body.complete, end=end
        )
