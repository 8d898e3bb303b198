"""One handle of libcurl: it carries one attempt after the other."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pycurl
from msgspec import Struct, field

from ttcrawl.config import Proxy
from ttcrawl.config.certificates import Certificate
from ttcrawl.fetch.addresses import BlockedAddress
from ttcrawl.fetch.curl.connections import Connections, Own
from ttcrawl.fetch.curl.proxy import VERSIONS, has_connected, set_proxy
from ttcrawl.fetch.curl.reasons import LOST, authorities, failure
from ttcrawl.fetch.curl.received import OVER_HTTP_2, check_codings, check_stray, of_body
from ttcrawl.fetch.curl.route import Route
from ttcrawl.fetch.destination import ProxyFailed
from ttcrawl.fetch.exchange import Attempt, Attempts, Exchange
from ttcrawl.fetch.head import not_http
from ttcrawl.fetch.reasons import AttemptFailed, NotReadable, TooLargeHead, Unclosed
from ttcrawl.fetch.response import Response
from ttcrawl.fetch.settings import Settings
from ttcrawl.fetch.tls import LEGACY, ciphers, old
from ttcrawl.ring.clock import Clock
from ttcrawl.vocabulary.reason import KEPT_CLOSED, TLS_WEAK

#: Raises BlockedAddress unless this host may be contacted at this address.
Check = Callable[[str, str], None]

#: Bytes that libcurl reads at once: it reads ten times as many before others have their turn. With more, a broken chunk
#: costs what came before it while a transfer was paused.
BUFFER = 16 << 10

METHODS = {"GET": pycurl.HTTPGET, "HEAD": pycurl.NOBODY, "POST": pycurl.POST}

#: What callbacks return.
BAD_SOCKET: int = pycurl.SOCKET_BAD
SEND: int = pycurl.PREREQFUNC_OK
ABORT: int = pycurl.PREREQFUNC_ABORT
PAUSE: int = pycurl.WRITEFUNC_PAUSE

#: libcurl must not end a connection before we do, seconds.
LONG = 1 << 20


def any_address(_host: str, _address: str) -> None:
    """The check of a connection to a proxy: hosts are checked before that (`destinations`)."""


class Turn(Struct):
    """One turn of the loop, for all transfers."""

    end: float = 0.0  # when transfers pause
    paused: list[Transfer] = field(default_factory=list)  # those that have waited longest first


class Transfer:
    """libcurl calls it back; an error in a callback ends the attempt."""

    exchange: Exchange
    attempts: Attempts
    route: Route
    response: Response

    def __init__(
        self,
        settings: Settings,
        check: Check,
        clock: Clock,
        turn: Turn,
        connections: Connections,
        certificate: Certificate | None = None,
        proxy: Proxy | None = None,
    ) -> None:
        """`certificate` of the client, `proxy`: for all its requests. pycurl cannot take a certificate away again."""
        self._settings = settings
        self._check = check if proxy is None else any_address
        self._clock = clock
        self._turn, self._connections = turn, connections
        # options that the handle has: each that is set takes a microsecond
        self._url = self._target = self._connect_to = ""
        self._headers: list[bytes] = []
        self._method = "GET"
        self._renew = False
        self._forbid = False
        self.moved = 0.0  # when something was sent, or the attempt began
        self.sent = 0  # requests of this attempt
        self._own: Own = "", 0  # our end of the connection of the last request
        self._failed: Own | None = None  # of one that has failed, and may be chosen by libcurl
        self._socket: socket.socket | None = None  # of a connection that is being made
        self.curl = self._handle(proxy)
        if certificate is not None:
            self.curl.setopt(pycurl.SSLCERT, certificate.file)
            self.curl.setopt(pycurl.SSLKEY, certificate.key or certificate.file)
            self.curl.setopt(pycurl.KEYPASSWD, certificate.passphrase)

    def _handle(self, proxy: Proxy | None) -> pycurl.Curl:
        curl = pycurl.Curl()
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        version = pycurl.CURL_HTTP_VERSION_2TLS if self._settings.http2 else pycurl.CURL_HTTP_VERSION_1_1
        curl.setopt(pycurl.HTTP_VERSION, version)
        curl.setopt(pycurl.HTTP09_ALLOWED, 1)  # so that we see what it is
        curl.setopt(pycurl.HTTP_TRANSFER_DECODING, 0)
        curl.setopt(pycurl.PATH_AS_IS, 1)
        curl.setopt(pycurl.CONNECTTIMEOUT, LONG)
        curl.setopt(pycurl.BUFFERSIZE, BUFFER)
        curl.setopt(pycurl.SSL_VERIFYPEER, int(self._settings.verify_tls))
        curl.setopt(pycurl.SSL_VERIFYHOST, 2 * self._settings.verify_tls)
        curl.setopt(pycurl.SSLVERSION, VERSIONS[self._settings.tls_minimum])
        curl.setopt(pycurl.SSL_CIPHER_LIST, ciphers(self._settings.tls_minimum))
        file, directory = authorities()
        cas = {option: path for option, path in ((pycurl.CAINFO, file), (pycurl.CAPATH, directory)) if path}
        for option in (pycurl.CAINFO, pycurl.CAPATH):
            if option in cas:
                curl.setopt(option, cas[option])
            else:
                curl.unsetopt(option)
        set_proxy(curl, proxy, self._settings, cas)
        curl.setopt(pycurl.OPENSOCKETFUNCTION, self._open)
        curl.setopt(pycurl.PREREQFUNCTION, self._send)
        curl.setopt(pycurl.HEADERFUNCTION, self._line)
        curl.setopt(pycurl.WRITEFUNCTION, self._piece)
        return curl

    def begin(self, exchange: Exchange, attempts: Attempts, route: Route) -> None:
        """Take an exchange."""
        self.exchange = exchange
        self.attempts = attempts
        self.route = route
        curl = self.curl
        if route.url != self._url:
            curl.setopt(pycurl.URL, route.url)
            self._url = route.url
        if route.target != self._target:
            curl.setopt(pycurl.REQUEST_TARGET, route.target)
            self._target = route.target
        if route.connect_to != self._connect_to:
            curl.setopt(pycurl.CONNECT_TO, [route.connect_to])
            self._connect_to = route.connect_to

    def attempt(self, attempt: Attempt) -> None:
        """Prepare the next attempt of the exchange."""
        if attempt.method != self._method:
            self.curl.setopt(METHODS[attempt.method], 1)
            self._method = attempt.method
        if attempt.method == "POST":
            self.curl.setopt(pycurl.POSTFIELDS, self.exchange.request.sending.body)
        if attempt.renew != self._renew:
            self.curl.setopt(pycurl.FRESH_CONNECT, int(attempt.renew))
            self._renew = attempt.renew
        headers = self.route.headers
        if attempt.authorization:
            headers = [*headers, f"Authorization: {attempt.authorization}".encode("iso-8859-1")]
        if self._headers is not headers:
            self.curl.setopt(pycurl.HTTPHEADER, headers)
            self._headers = headers
        self._failed = None if attempt.renew else self._connections.take_failed(self.route.server)
        self.forbid_reuse(self._failed is not None)
        exchange, forwarded = self.exchange, self.route.forwarded
        self.response = Response(attempt.method, exchange.request, exchange.slot, self._settings, forwarded=forwarded)
        self.moved = self._clock()
        self.sent = 0
        self._opened = False
        self.connecting = True
        self._error: Exception | None = None
        self._peer = ""
        self._stray = bytearray()  # bytes that do not belong to a head
        self._seen = 0
        self.paused = False

    def resume(self) -> None:
        """Continue a paused transfer. Raises pycurl.error if that ends the attempt."""
        self.paused = False
        self.curl.pause(pycurl.PAUSE_CONT)

    def failure(self, number: int, message: str) -> Exception:
        """The exception for an error of libcurl."""
        if self.at_proxy(number):
            return ProxyFailed(message or f"error {number} of libcurl")
        if number in LOST and self.sent and self.exchange.is_connection_to_blame(self.response):
            return self._again()
        if LEGACY in message and old(self._settings.tls_minimum):
            return NotReadable(message, TLS_WEAK)  # libcurl has no option for it
        error = failure(self.curl, number, message, self._settings.head, bytes(self.response.lines.block))
        if isinstance(error, TooLargeHead) and not self.response.lines.complete:
            self.exchange.lost += max(0, self._settings.head.size + 1 - self.response.lost)
        return error

    def at_proxy(self, number: int) -> bool:
        """Whether the connection is being made, and the proxy has not connected to the host yet; `number`: the error
        that has ended this."""
        proxy, scheme = self.route.proxy, self.route.scheme
        return proxy is not None and self.connecting and not has_connected(self.curl, proxy, scheme, number)

    def forbid_reuse(self, forbid: bool = True) -> None:
        """Let libcurl close the connection of this attempt when it ends, or not."""
        if forbid != self._forbid:
            self.curl.setopt(pycurl.FORBID_REUSE, int(forbid))
            self._forbid = forbid

    def succeeded(self) -> None:
        """Note that libcurl has ended this attempt without an error."""
        if self.sent:
            self._connections.note(self.curl, self._own)

    def failed(self) -> None:
        """Note that libcurl has ended this attempt with an error."""
        if self.sent and not self.response.refused:
            self._connections.failed(self.curl, self.route.server, self._own)

    def end(self, error: Exception | None) -> Response:
        """The attempt has ended, with this error of libcurl."""
        self._close()
        self.paused = False
        response = self.response
        error = self._error or error
        if self._stray and (error is None or isinstance(error, Unclosed)):
            error = not_http(bytes(self._stray))
        if error is not None and response.answers:
            error = of_body(error, response.body)
        response.end(self._clock(), error)
        if isinstance(self._error, NotReadable):
            response.error = self._error
        if self._settings.requests:
            response.request = self._settings.own.without_secrets(self.route.request(self._method, self._headers))
        self.exchange.lost += response.lost
        return response

    @property
    def connected(self) -> bool:
        """Whether the connection that is being made has reached the server; TLS may still be negotiated."""
        try:
            return self._socket is not None and bool(self._socket.getpeername())
        except OSError:
            return False

    def _close(self) -> None:
        """Close our end of the socket, of which libcurl has a duplicate."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    # -- callbacks -------------------------------------------------------------------------------------------------

    def _open(self, _purpose: int, address: Any) -> socket.socket | int:
        """A socket for a new connection."""
        if self.sent:
            self._error = self._again()
            return BAD_SOCKET
        self._close()
        try:
            self._check(self.route.host, address.addr[0])
            self._socket = socket.socket(address.family, address.socktype | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
        except (BlockedAddress, OSError, ValueError) as error:
            self._error = error
            return BAD_SOCKET
        self.moved = self._clock()
        self._opened = True
        self.connecting = True
        self.exchange.depart(self.moved)
        return self._socket

    def _again(self) -> Exception:
        """The error of a request that libcurl would send again at once (RFC 9112 section 9.3.1, RFC 9113 section 8.7):
        the host has its delay before that. Over a new connection only HTTP/2 is refused in this way."""
        if self.exchange.reused:
            return AttemptFailed(KEPT_CLOSED, "the server closed a kept connection")
        return NotReadable("the server refuses the request over HTTP/2")

    def _is_usable(self) -> bool:
        """Whether the kept connection that libcurl has chosen can carry the request."""
        return self._own != self._failed and self._connections.can_carry(self.route.server, self._own)

    def _send(self, peer: str, own: str, _port: int, own_port: int) -> int:
        """A request is about to be sent."""
        if self.sent:
            self._error = self._again()
            return ABORT
        self._own = own, own_port
        if not self._opened and not self._is_usable():
            self.response.dead = True  # the next attempt makes a new one
            return ABORT
        self._peer = peer if self.route.peer is None else self.route.peer
        self._close()
        try:
            self._check(self.route.host, peer)
        except (BlockedAddress, ValueError) as error:
            self._error = error
            return ABORT
        exchange = self.exchange
        self.sent += 1
        exchange.requests += 1
        exchange.reused = not self._opened
        self.moved, self.connecting = self._clock(), False
        exchange.depart(self.moved)
        return SEND

    def _line(self, line: bytes) -> int | None:
        lines = self.response.lines
        try:
            if lines.complete or not lines.feed(line):  # a trailer, or a line in the middle
                return None
            http2 = lines.status.startswith(OVER_HTTP_2)
            self.response.begin(self._peer, reused=self.exchange.reused, http2=http2)
            check_codings(self.response)
            return None if self._wants_more() else -1
        except Exception as error:
            self._error = error
            return -1

    def _piece(self, data: bytes) -> int | None:
        size = len(data)
        if seen := min(size, self._seen):
            self._seen -= seen
            data = data[seen:]
            if not data:
                return None
        response = self.response
        try:
            if response.lines.complete:
                response.piece(data)
            else:
                self._take_stray(data)
        except Exception as error:
            self._error = error
            return -1
        if not self._wants_more():
            return -1
        return self._pause(size) if self._clock() > self._turn.end else None

    def _take_stray(self, data: bytes) -> None:
        """libcurl takes a response that does not begin as HTTP for a body."""
        self._stray += data
        self.response.lines.size += len(data)
        check_stray(self._stray, self._settings.head)

    def _wants_more(self) -> bool:
        """Whether libcurl is to go on. It ends most bodies by itself; if we end one, its connection is closed. With
        codings that it does not know, it would wait for the end of the connection."""
        response = self.response
        return not response.coded if response.over else not response.refused

    def _pause(self, seen: int) -> int:
        """libcurl keeps the piece and delivers it again, but not if the attempt ends: so we have taken it."""
        self._seen, self.paused = seen, True
        self._turn.paused.append(self)
        return PAUSE
