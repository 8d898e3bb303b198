"""HTTP over libcurl, with the methods of the transport over urllib3, and one that does not wait."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, TypeAlias

from ttcrawl.config import Config, Proxy
from ttcrawl.fetch.addresses import AddressBook, BlockedAddress, LookUp, look_up
from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.curl.multi import Multi
from ttcrawl.fetch.curl.route import Route, lines, origin, route, to
from ttcrawl.fetch.curl.second import Second, continued
from ttcrawl.fetch.destination import ProxyFailed, destinations
from ttcrawl.fetch.exchange import Exchange, NotFetched, attempts
from ttcrawl.fetch.reasons import AttemptFailed, NotReadable
from ttcrawl.fetch.settings import Settings
from ttcrawl.ring.clock import Clock
from ttcrawl.ring.messages import Request
from ttcrawl.ring.sizes import in_flight
from ttcrawl.vocabulary.reason import NETWORK
from ttcrawl.web.address import Pairs
from ttcrawl.web.networks import is_address

if TYPE_CHECKING:
    from ttcrawl.fetch.curl.ftp.transport import FtpTransport
    from ttcrawl.fetch.urllib3.transport import Transport

#: Receives the answer, or why there is none.
Finish: TypeAlias = Callable[[Answer | NotFetched], None]

#: Servers whose routes, and pairs of host and address whose permissions are remembered.
CHECKED = 4096

#: Seconds between two looks whether a thread of the second transport has an answer, for who waits for one.
LOOK = 0.01


class CurlTransport:
    """libcurl, and urllib3 for what it cannot do."""

    def __init__(self, config: Config, clock: Clock, granted: Pairs = frozenset(), look_up: LookUp = look_up) -> None:
        self._config = config
        self._clock = clock
        self._settings = Settings.of(config)
        self.read_by = self._settings.read_by
        self._book = AddressBook.of(config, granted, look_up)
        self._servers = lru_cache(CHECKED)(self._server)  # no look-up: addresses do not change
        self._fixed = lines(self._settings.headers)
        self._multi = Multi(self._settings, lru_cache(CHECKED)(self._book.check), clock)
        self._second = Second(partial(_second, config, clock, granted, look_up), in_flight(config))

    @cached_property
    def _ftp(self) -> FtpTransport:
        from ttcrawl.fetch.curl.ftp.transport import FtpTransport  # most crawls need none

        return FtpTransport(self._config, self._settings, self._clock, self._book)

    def resolve(self, url: str) -> tuple[str, ...]:
        """The permitted addresses for the host of a dns: URL (RFC 4501). Raises socket.gaierror, BlockedAddress."""
        return self._book.of_dns(url)

    def get(self, request: Request, slot: memoryview) -> Answer:
        """As `Transport.get`: make one request and wait for its answer. Raises NotFetched only."""
        outcomes: list[Answer | NotFetched] = []
        self.begin(request, slot, outcomes.append)
        while not outcomes:
            self.run(LOOK)
        if isinstance(outcomes[0], NotFetched):
            raise outcomes[0]
        return outcomes[0]

    def watch(self, file: int, callback: Callable[[], None]) -> None:
        """Call this whenever the file can be read."""
        self._multi.sockets.watch(file, callback)

    def run(self, longest: float) -> None:
        """Wait this many seconds at most, and do what is to be done then."""
        self._multi.run(longest)

    def enforce(self) -> None:
        """End requests of the second transport past their deadline. To be called often."""
        self._second.enforce()

    def begin(self, request: Request, slot: memoryview, finish: Finish) -> None:
        """Make one request, with no packet before its start time. `finish` is called once: by `run`, or by a thread."""
        begin = self._ftp.begin if request.url.startswith("ftp:") else self._begin
        self._multi.at(request.not_before, partial(begin, request, slot, finish))

    def _begin(self, request: Request, slot: memoryview, finish: Finish) -> None:
        exchange = Exchange(request=request, slot=slot, until=self._clock() + self._settings.total_timeout)
        try:
            path = self._route(request)
        except Exception as error:
            self._end(exchange, finish, error)
            return
        end = partial(self._end, exchange, finish, proxy=path.proxy)
        self._multi.begin(exchange, attempts(exchange, self._settings), path, end)

    def _route(self, request: Request) -> Route:
        """Raises NotReadable, BlockedAddress, and what a proxy makes of the name: socket.gaierror, ProxyFailed."""
        scheme, _, authority, target = request.url.split("/", 3)
        if self._second.serves(authority):
            raise NotReadable("its responses are read by urllib3")
        proxy = self._settings.proxies.of(request.url, self._clock())
        server = self._servers(scheme, authority, request.address, proxy)
        return to("/" + target, request, server, self._settings, self._fixed)

    def _server(self, scheme: str, authority: str, pinned: str, proxy: Proxy | None) -> Route:
        """The route of all requests to a server. Raises as `_route`."""
        server = origin(scheme, authority)
        return route(server, self._permitted(server.host, server.port, pinned, proxy), proxy)

    def _permitted(self, host: str, port: int, pinned: str, proxy: Proxy | None) -> str:
        """What to connect to. Raises as `_route`, NotReadable if there must be a look-up."""
        if proxy is not None and proxy.resolves:
            return destinations(proxy, self._book, host, port, pinned)[0]
        if not (pinned or (host.lower(), port) in self._book.overrides or is_address(host)):
            raise NotReadable("its address is unknown")
        if proxy is not None:
            return destinations(proxy, self._book, host, port, pinned or host)[0]
        return self._book.addresses(host, port, pinned or host)[0]

    def _end(self, exchange: Exchange, finish: Finish, outcome: Answer | Exception, proxy: Proxy | None = None) -> None:
        """An exchange has ended, or libcurl cannot continue it."""
        if isinstance(outcome, ProxyFailed):
            self._settings.proxies.failed(proxy, self._clock())
        if isinstance(outcome, NotReadable):
            self._hand_over(exchange, finish, outcome)
        elif isinstance(outcome, BlockedAddress):
            exchange.depart(self._clock())
            finish(exchange.not_fetched(outcome))
        else:
            finish(exchange.not_fetched(outcome) if isinstance(outcome, Exception) else outcome)

    def _hand_over(self, exchange: Exchange, finish: Finish, error: NotReadable) -> None:
        """Let urllib3 make the request: after the delay of the host, if libcurl has connected to it before.

        If that takes too long, the request has failed, and is retried by the crawl; this server is urllib3's then.
        """
        not_before = exchange.request.not_before
        if exchange.started:
            not_before = self._clock() + exchange.request.delay
            self._second.remember(exchange.request.url.split("/", 3)[2])
        # the crawl process expects an outcome within the total timeout and the time to connect
        if not_before > exchange.until - self._settings.total_timeout + self._settings.connect_timeout:
            finish(exchange.not_fetched(error if exchange.request.last else AttemptFailed(NETWORK, str(error))))
            return
        self._second.begin(partial(_ask_second, exchange, not_before, finish))


def _second(config: Config, clock: Clock, granted: Pairs, look_up: LookUp) -> Transport:
    from ttcrawl.fetch.urllib3.transport import Transport  # most crawls need none

    return Transport(config, clock, granted, look_up)


def _ask_second(exchange: Exchange, not_before: float, finish: Finish, transport: Transport) -> None:
    request, slot, requests, started = exchange.request, exchange.slot, exchange.requests, exchange.started
    try:
        finish(continued(transport, request, slot, not_before=not_before, requests=requests, started=started))
    except NotFetched as error:
        finish(error)
