"""A fetch process: it takes Requests, makes them and reports the outcomes.

Over libcurl one thread makes all requests at once; over urllib3 each thread makes one at a time.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from ttcrawl.config import Config
from ttcrawl.fetch import choice
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.fetch.lookups import LookUps
from ttcrawl.fetch.outcome import failed, fetched, resolved
from ttcrawl.fetch.settings import CHECK_INTERVAL
from ttcrawl.ring.channel import Channel, live_and_die_with_the_crawl
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.garbage import rarely_collect
from ttcrawl.ring.messages import RESOLVE, WORK, Failed, Fetched, Ready, Request
from ttcrawl.ring.sizes import in_flight
from ttcrawl.ring.slots import Slots
from ttcrawl.web.address import Pairs

if TYPE_CHECKING:
    from ttcrawl.fetch.curl.transport import CurlTransport  # it needs pycurl
    from ttcrawl.fetch.urllib3.transport import Transport  # it needs urllib3

#: A request, and the slot for its answer -> its outcome.
Fetch: TypeAlias = Callable[[Request, memoryview], Fetched | Failed]


def transport_of(config: Config, clock: Clock, granted: Pairs) -> Transport | CurlTransport:
    """The transport that the configuration names, if it works."""
    if choice.curl(config.fetch):
        from ttcrawl.fetch.curl.transport import CurlTransport  # it needs pycurl

        return CurlTransport(config, clock, granted)
    from ttcrawl.fetch.urllib3.transport import Transport  # over libcurl, most crawls need none

    return Transport(config, clock, granted)


def fetch(transport: Transport | CurlTransport, request: Request, slot: memoryview, clock: Clock) -> Fetched | Failed:
    """One request, one outcome; the body of a Fetched is in `slot`."""
    try:
        answer = transport.get(request, slot)
    except NotFetched as error:
        return failed(request, error, clock)
    return fetched(request, answer, slot, transport.read_by)


def main(connection: socket.socket, slots: Slots, config: Config, clock: Clock, granted: Pairs) -> None:
    """Main loop of a fetch process. The process ends when the crawl process closes the connection or ends."""
    live_and_die_with_the_crawl()
    slots.map()
    if choice.curl(config.fetch):
        from ttcrawl.fetch.curl import worker  # it needs pycurl

        worker.serve(connection, slots, config, clock, granted)
    from ttcrawl.fetch.urllib3.transport import Transport  # over libcurl, most crawls need none

    transport = Transport(config, clock, granted)
    serve(
        connection, slots, config, clock, transport, lambda: partial(fetch, transport, clock=clock), transport.enforce
    )


def serve(
    connection: socket.socket,
    slots: Slots,
    config: Config,
    clock: Clock,
    transport: Transport,
    begin: Callable[[], Fetch],
    enforce: Callable[[], None],
) -> NoReturn:
    """Take requests in threads, until the crawl process ends. `begin` is called in each of them; `enforce`: often.

    Raises what `begin` raises, before a request is taken.
    """
    channel = Channel(connection, WORK)
    lookups = LookUps(transport.resolve, config.fetch.dns_timeout)
    begun = SimpleQueue[Exception | None]()
    for _ in range(in_flight(config)):
        threading.Thread(target=_serve, args=(channel, begin, begun, lookups, slots, clock), daemon=True).start()
    for _ in range(in_flight(config)):
        if (error := _first(begun, enforce)) is not None:
            raise error
    rarely_collect()
    channel.send(Ready())
    while True:
        time.sleep(CHECK_INTERVAL)
        enforce()
        lookups.enforce()


def _first(begun: SimpleQueue[Exception | None], enforce: Callable[[], None]) -> Exception | None:
    """Return what the next thread that has begun reports."""
    while True:
        with suppress(Empty):
            return begun.get(timeout=CHECK_INTERVAL)
        enforce()


def _serve(
    channel: Channel,
    begin: Callable[[], Fetch],
    begun: SimpleQueue[Exception | None],
    lookups: LookUps[tuple[str, ...]],
    slots: Slots,
    clock: Clock,
) -> None:
    try:
        fetch = begin()
    except Exception as error:  # the main thread reports it
        begun.put(error)
        return
    begun.put(None)
    try:
        while True:
            request: Request = channel.receive()
            if request.kind == RESOLVE:  # a slow name server must not block a request thread
                lookups.begin(request.url, partial(_report_addresses, channel, request.token, clock))
                continue
            channel.send(fetch(request, slots.slot(request.slot)))
    except (EOFError, OSError):
        os._exit(0)  # the crawl process has ended: the other outcomes have no receiver


def _report_addresses(channel: Channel, token: int, clock: Clock, result: tuple[str, ...] | Exception) -> None:
    try:
        channel.send(resolved(token, result, clock))
    except OSError:
        os._exit(0)  # as above
