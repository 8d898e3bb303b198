"""A fetch process: each of its threads takes a Request, makes it and reports the outcome."""

from __future__ import annotations

import os
import socket
import threading
import time
from functools import partial

import xxhash

from ttcrawl.config import Config
from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.http import NotFetched, Transport
from ttcrawl.fetch.lookups import LookUps
from ttcrawl.fetch.parse_context import header_context, parse_context
from ttcrawl.fetch.reasons import why
from ttcrawl.ring.channel import Channel, live_and_die_with_the_crawl
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import HEAD_ROOM, PAGE, RESOLVE, WORK, Failed, Fetched, Ready, Request, Resolved
from ttcrawl.ring.slots import Slots
from ttcrawl.web.address import Pairs

#: Interval between checks of the deadlines, seconds.
LOOK = 0.25


def fetch(transport: Transport, request: Request, slot: memoryview, clock: Clock) -> Fetched | Resolved | Failed:
    """One request, one outcome; the body of a Fetched is in `slot`."""
    try:
        if request.kind == RESOLVE:
            return Resolved(token=request.token, addresses=transport.resolve(request.url))
        answer = transport.get(request, slot)
    except NotFetched as error:
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
    digest = _digest(request, answer, slot)
    in_directory, in_any = _parse_contexts(request, answer, transport.read_by) if digest else (0, 0)
    return Fetched(
        token=request.token,
        status=answer.status,
        address=answer.address,
        started=answer.started,
        ended=answer.ended,
        head_size=answer.head_size,
        body_size=answer.body_size,
        refused=answer.refused,
        incomplete=answer.incomplete,
        received=answer.received,
        retry_after=answer.retry_after,
        set_cookies=answer.set_cookies,
        requests=answer.requests,
        method=answer.method,
        digest=digest,
        parse_context=in_directory,
        header_context=in_any,
    )


def _digest(request: Request, answer: Answer, slot: memoryview) -> bytes:
    """Digest of a complete body with status 2xx, which may be identical to another; else empty."""
    complete = answer.body_size and not (answer.refused or answer.incomplete)
    if request.kind != PAGE or not complete or answer.method != "GET" or not 200 <= answer.status < 300:
        return b""
    return xxhash.xxh3_128_digest(slot[HEAD_ROOM : HEAD_ROOM + answer.body_size])


def _parse_contexts(request: Request, answer: Answer, by: str) -> tuple[int, int]:
    headers = answer.head.headers
    one, other = (
        each(request.url, headers, sitemap=request.sitemap, by=by) for each in (parse_context, header_context)
    )
    return one, other


def main(connection: socket.socket, slots: Slots, config: Config, clock: Clock, granted: Pairs) -> None:
    """Main loop of a fetch process. The process ends when the crawl process closes the connection or ends."""
    live_and_die_with_the_crawl()
    channel = Channel(connection, WORK)
    slots.map()
    transport = Transport(config, clock, granted)
    lookups = LookUps(transport.resolve, config.fetch.dns_timeout)
    for _ in range(config.crawl.threads):
        threading.Thread(target=_serve, args=(channel, transport, lookups, slots, clock), daemon=True).start()
    channel.send(Ready())
    while True:
        time.sleep(LOOK)
        transport.exchanges.enforce()
        lookups.enforce()


def _serve(
    channel: Channel, transport: Transport, lookups: LookUps[tuple[str, ...]], slots: Slots, clock: Clock
) -> None:
    try:
        while True:
            request: Request = channel.receive()
            if request.kind == RESOLVE:  # a slow name server must not block a request thread
                lookups.begin(request.url, partial(_report_addresses, channel, request.token, clock))
                continue
            channel.send(fetch(transport, request, slots.slot(request.slot), clock))
    except (EOFError, OSError):
        os._exit(0)  # the crawl process has ended: the other outcomes have no receiver


def _report_addresses(channel: Channel, token: int, clock: Clock, result: tuple[str, ...] | Exception) -> None:
    try:
        channel.send(
            Resolved(token=token, addresses=result) if isinstance(result, tuple) else _failed(token, result, clock)
        )
    except OSError:
        os._exit(0)  # as above


def _failed(token: int, error: Exception, clock: Clock) -> Failed:
    reason, detail = (error.reason, error.detail) if isinstance(error, NotFetched) else why(error)
    ended = clock()
    return Failed(token=token, reason=reason, detail=detail, started=ended, ended=ended, requests=0)
