"""The rules of one request over FTP: anonymous (RFC 1635), passive, one control connection, which is closed at the end.

An answer has the form of HTTP, as from a gateway: the status for the reply, the type by the extension of the URL. A
directory is an HTML page with links; a URL without a slash that names a directory is redirected to it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeAlias

from ttcrawl.config import Config
from ttcrawl.fetch.addresses import AddressBook
from ttcrawl.fetch.answer import Answer, keep_head
from ttcrawl.fetch.curl.ftp.asking import Answered, answered
from ttcrawl.fetch.curl.ftp.transfer import Transfer
from ttcrawl.fetch.exchange import Exchange, NotFetched
from ttcrawl.fetch.head import grouped
from ttcrawl.fetch.reasons import AttemptFailed
from ttcrawl.fetch.settings import Settings
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import FTP, HEAD_ROOM, Head, Request
from ttcrawl.ring.sizes import in_flight
from ttcrawl.vocabulary.reason import FTP_OFF, TYPE
from ttcrawl.web.url import host, split_port

#: The mode of a transfer at the end of a URL (RFC 1738 section 3.2.2): every file is transferred as it is.
MODE = re.compile(r";type=[aidAID]$")

#: Receives the answer, or why there is none.
Finish: TypeAlias = Callable[[Answer | NotFetched], None]


class FtpTransport:
    """Each request has a thread: libcurl waits in it. Threads are started when they are needed."""

    def __init__(self, config: Config, settings: Settings, clock: Clock, book: AddressBook) -> None:
        self._settings = settings
        self._clock = clock
        self._book = book
        self._password = config.agent.contact or "anonymous@"  # a mail address by custom (RFC 1635 section 3)
        self._threads = ThreadPoolExecutor(in_flight(config), "ftp")

    def begin(self, request: Request, slot: memoryview, finish: Finish) -> None:
        """Make one request, in a thread. `finish` is called once."""
        self._threads.submit(self._report, request, slot, finish)

    def _report(self, request: Request, slot: memoryview, finish: Finish) -> None:
        try:
            finish(self.get(request, slot))
        except NotFetched as error:
            finish(error)

    def get(self, request: Request, slot: memoryview) -> Answer:
        """Make one request, with no packet before its start time, and wait for its answer. Raises NotFetched only."""
        time.sleep(max(0.0, request.not_before - self._clock()))
        exchange = Exchange(request=request, slot=slot, until=self._clock() + self._settings.total_timeout)
        try:
            if not self._settings.ftp:
                raise AttemptFailed(FTP_OFF, "fetch.ftp is off")
            return self._get(exchange)
        except Exception as error:
            raise exchange.not_fetched(error) from error

    def _get(self, exchange: Exchange) -> Answer:
        request = exchange.request
        name, port = split_port(host(request.url))
        name = name.strip("[]")
        address = self._book.addresses(name, port or 0, request.address)[0]
        check = partial(self._book.check, name)
        transfer = Transfer(exchange, self._settings, self._clock, check, address, self._password)
        server = f"[{address}]" if ":" in address else address
        path = MODE.sub("", request.url.split("/", 3)[3]).replace("?", "%3F")
        try:
            outcome = answered(exchange, transfer, self._settings, f"ftp://{server}:{port}/{path}")
            return self._answer(exchange, transfer.reply, address, outcome)
        finally:
            transfer.close()

    def _answer(self, exchange: Exchange, reply: str, address: str, outcome: Answered) -> Answer:
        """Store head and body in the slot."""
        head = Head(status=outcome.status, phrase=reply, version=FTP, headers=outcome.headers, address=address)
        body = outcome.body
        exchange.slot[HEAD_ROOM : HEAD_ROOM + len(body)] = body
        return Answer(
            status=head.status,
            address=head.address,
            started=exchange.started,
            ended=self._clock(),
            head=head,
            fields=grouped(head.headers)[1],
            head_size=keep_head(head, exchange.slot),
            body_size=len(body),
            received=outcome.received,
            retry_after=None,
            refused=outcome.refused,
            incomplete=outcome.incomplete,
            requests=exchange.requests,
            method="HEAD" if outcome.refused == TYPE else "GET",
            set_cookies=(),
        )
