"""The rules of one request, which every transport follows: the attempts that are made, and what comes of them.

An exchange is a generator: it yields the attempts that are to be made and is sent the response to each when that has
ended. A transport opens connections, sends, passes on what it receives (`ttcrawl.fetch.response`) and translates its
own errors (`ttcrawl.fetch.reasons`).
"""

from __future__ import annotations

import http
from collections.abc import Generator
from typing import TypeAlias

from msgspec import Struct, field, structs

from ttcrawl.fetch.answer import Answer, keep_head
from ttcrawl.fetch.reasons import AttemptFailed, NotReadable, explained
from ttcrawl.fetch.response import Response
from ttcrawl.fetch.sent import request_target
from ttcrawl.fetch.settings import Settings
from ttcrawl.fetch.wanted import kind_of
from ttcrawl.ring.messages import PAGE, Request
from ttcrawl.vocabulary.reason import (
    DISCONNECTED,
    HEADERS_TOO_LARGE,
    KEPT_CLOSED,
    OVERLOADED_STATUSES,
    PROTOCOL,
    REDIRECT_STATUSES,
    RESET,
    Code,
)
from ttcrawl.web.mail_date import retry_after

#: If a HEAD fails with one of these, the URL is requested with GET. All other reasons concern the host, not HEAD.
NO_HEAD = frozenset({PROTOCOL, DISCONNECTED, RESET, HEADERS_TOO_LARGE})

#: A request without password, one with the nonce of its response, and one more if that was stale.
MOST_LOGINS = 3


class NotFetched(Exception):
    """No response that can be kept; `reason` is one of the reasons in the database."""

    def __init__(self, reason: Code, detail: str, started: float, requests: int = 1, received: int = 0) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
        self.started = started
        self.requests = requests
        self.received = received  # bytes of heads that are not answers


class Attempt(Struct, frozen=True):
    """A request to be sent, over a connection that was kept, or over a new one."""

    method: str
    renew: bool
    authorization: str = ""  # a header besides those of the route


class Exchange(Struct, kw_only=True):
    """The state of a request in flight; times by the crawl's clock."""

    request: Request
    slot: memoryview
    until: float
    started: float = 0.0
    requests: int = 0  # sent
    reused: bool = False  # the last request used a connection that had carried another
    lost: int = 0  # bytes of heads that are not answers
    set_cookies: list[str] = field(default_factory=list)  # of all responses, unchanged

    @property
    def kind(self) -> str:
        """The kind by which the response is received."""
        return kind_of(self.request)

    def depart(self, now: float) -> None:
        """Called immediately before the first packet to the server is sent."""
        self.started = self.started or now

    def is_connection_to_blame(self, response: Response) -> bool:
        """Whether a lost connection says nothing about the request: it carried others before, and the server may have
        closed it before it saw this one (RFC 9112 section 9.3.1)."""
        return self.reused and not response.begun

    def not_fetched(self, error: Exception) -> NotFetched:
        reason, detail = explained(error)
        return NotFetched(reason, detail, self.started, max(1, self.requests), self.lost)


#: Yields attempts, and is sent their responses.
Attempts: TypeAlias = Generator[Attempt, Response, Answer]
Asking: TypeAlias = Generator[Attempt, Response, Response]


def attempts(exchange: Exchange, settings: Settings) -> Attempts:
    """All attempts of an exchange. Raises what an attempt raised that failed, and TooLargeHead."""
    request = exchange.request
    if exchange.kind == PAGE and not request.renew and settings.begins_with_head(request):
        return (yield from _head_then_get(exchange, settings))
    method = request.sending.method
    return _answer(method, (yield from _ask(method, exchange, settings)), exchange)


def _ask(method: str, exchange: Exchange, settings: Settings) -> Asking:
    """Send a request, once more if the server wants the password in another form (HTTP Digest)."""
    digests = settings.own.digests
    if digests is None:
        return (yield from _send(method, exchange, settings))
    _, _, authority, target = exchange.request.url.split("/", 3)
    for _ in range(MOST_LOGINS):
        authorization, nonce = digests.of(authority, method, request_target("/" + target))
        response = yield from _send(method, exchange, settings, authorization)
        if not digests.answered(authority, nonce, response.head.status, response.fields):
            break
    return response


def _send(method: str, exchange: Exchange, settings: Settings, authorization: str = "") -> Asking:
    """Send a request, over a new connection if a kept one is found to be closed before."""
    response = yield Attempt(method, exchange.request.renew, authorization)
    if response.dead:
        response = yield Attempt(method, True, authorization)
    if response.error is not None:
        raise response.error
    if settings.cookies:
        exchange.set_cookies += response.fields.get("set-cookie", ())
    return response


def _head_then_get(exchange: Exchange, settings: Settings) -> Attempts:
    """A GET follows unless the HEAD decides: many servers do not support HEAD, or answer it differently."""
    try:
        head = yield from _ask("HEAD", exchange, settings)
    except NotReadable:
        raise
    except Exception as error:
        if not exchange.requests or explained(error)[0] not in NO_HEAD:
            raise
    else:
        if _decides(head, conditional=exchange.request.unmodified is not None):
            return _answer("HEAD", head, exchange)
    try:
        response = yield from _ask("GET", exchange, settings)
    except Exception as error:
        # a server may send a body after the head, too late to be detected before the GET was sent
        if not exchange.reused or explained(error)[0] not in NO_HEAD:
            raise
        raise AttemptFailed(KEPT_CLOSED, "the connection of the HEAD is of no use") from error
    return _answer("GET", response, exchange)


def _decides(response: Response, *, conditional: bool) -> bool:
    """The response to a HEAD makes the GET unnecessary, or asks us not to send it."""
    status = response.head.status
    moved = status in REDIRECT_STATUSES and "location" in response.fields
    unmodified = conditional and status == http.HTTPStatus.NOT_MODIFIED
    return moved or unmodified or status in OVERLOADED_STATUSES or bool(response.refused)


def _answer(method: str, response: Response, exchange: Exchange) -> Answer:
    """Store the head in the slot, where the body is. Raises TooLargeHead."""
    head, fields = response.head, response.fields
    if response.request or response.tls:
        # bytes need no correction, and the rest was corrected when the head was complete
        head = structs.replace(head, request=response.request, tls=response.tls, cipher=response.cipher)
    return Answer(
        status=head.status,
        address=head.address,
        started=exchange.started,
        ended=response.ended,
        head=head,
        fields=fields,
        head_size=keep_head(head, exchange.slot),
        body_size=response.body.size,
        received=response.body.received + exchange.lost,
        retry_after=retry_after(", ".join(fields["retry-after"]), response.ended) if "retry-after" in fields else None,
        refused=response.refused,
        incomplete=response.incomplete,
        unclosed=response.unclosed,
        requests=exchange.requests,
        method=method,
        set_cookies=tuple(exchange.set_cookies),
    )
