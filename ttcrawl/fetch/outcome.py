"""What a fetch process reports to the crawl process about a request."""

from __future__ import annotations

import xxhash

from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.fetch.parse_context import parse_contexts
from ttcrawl.fetch.reasons import explained
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import HEAD_ROOM, PAGE, Failed, Fetched, Request, Resolved
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES


def fetched(request: Request, answer: Answer, slot: memoryview, read_by: str) -> Fetched:
    """The message about an answer that is in `slot`; `read_by`: the settings that affect parsing."""
    digest = _digest(request, answer, slot)
    in_directory, in_any = 0, 0
    if digest:
        in_directory, in_any = parse_contexts(request.url, answer.fields, sitemap=request.sitemap, by=read_by)
    message: Fetched = Fetched.sound(  # all its texts and numbers are made here, or of ISO 8859-1
        token=request.token,
        status=answer.status,
        address=answer.address,
        started=answer.started,
        ended=answer.ended,
        head_size=answer.head_size,
        body_size=answer.body_size,
        refused=answer.refused,
        incomplete=answer.incomplete,
        unclosed=answer.unclosed,
        received=answer.received,
        retry_after=answer.retry_after,
        set_cookies=answer.set_cookies,
        requests=answer.requests,
        method=answer.method,
        digest=digest,
        parse_context=in_directory,
        header_context=in_any,
    )
    return message


def failed(request: Request, error: NotFetched, clock: Clock) -> Failed:
    """The message about a request without an answer."""
    ended = clock()
    return Failed(
        token=request.token,
        reason=error.reason,
        detail=error.detail,
        started=error.started or ended,
        ended=ended,
        requests=error.requests,
        received=error.received,
    )


def resolved(token: int, result: tuple[str, ...] | Exception, clock: Clock) -> Resolved | Failed:
    """The message about a look-up."""
    if isinstance(result, tuple):
        return Resolved(token=token, addresses=result)
    reason, detail = explained(result)
    ended = clock()
    return Failed(token=token, reason=reason, detail=detail, started=ended, ended=ended, requests=0)


def _digest(request: Request, answer: Answer, slot: memoryview) -> bytes:
    """Digest of a complete body with status 2xx, which may be identical to another; else empty."""
    complete = answer.body_size and not (answer.refused or answer.incomplete)
    if answer.status in NO_CONTENT_STATUSES:
        return b""
    if request.kind != PAGE or not complete or answer.method != "GET" or not 200 <= answer.status < 300:
        return b""
    return xxhash.xxh3_128_digest(slot[HEAD_ROOM : HEAD_ROOM + answer.body_size])
