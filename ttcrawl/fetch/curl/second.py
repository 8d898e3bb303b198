"""The second transport: what libcurl cannot do is done by urllib3, in threads that are started when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import structs
from msgspec.structs import replace

from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.ring.messages import Request

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from ttcrawl.fetch.urllib3.transport import Transport  # it needs urllib3

#: Servers that are remembered; then they are forgotten, and libcurl tries them again.
MOST = 10_000


class Second:
    """urllib3's transport, made when it is first needed."""

    def __init__(self, make: Callable[[], Transport], threads: int) -> None:
        self._make = make
        self._transport: Transport | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._number = threads
        self._servers: set[str] = set()

    def remember(self, server: str) -> None:
        """libcurl does not read the responses of this server."""
        if len(self._servers) >= MOST:
            self._servers.clear()
        self._servers.add(server)

    def serves(self, server: str) -> bool:
        return server in self._servers

    def begin(self, ask: Callable[[Transport], None]) -> None:
        """Call this in a thread."""
        if self._threads is None or self._transport is None:
            from concurrent.futures import ThreadPoolExecutor  # most crawls need none

            self._transport, self._threads = self._make(), ThreadPoolExecutor(self._number)
        self._threads.submit(ask, self._transport)

    def enforce(self) -> None:
        """End requests past their deadline. To be called often."""
        if self._transport is not None:
            self._transport.enforce()


def continued(
    transport: Transport, request: Request, slot: memoryview, *, not_before: float, requests: int, started: float
) -> Answer:
    """Make a request for which `requests` requests were sent before, the first when `started`. Raises NotFetched."""
    try:
        answer = transport.get(structs.replace(request, not_before=not_before), slot)
    except NotFetched as error:
        error.requests += requests
        error.started = started or error.started
        raise
    return replace(answer, requests=answer.requests + requests, started=started or answer.started)
