"""One control connection of libcurl, with its data connections: limits, deadlines and address checks."""

from __future__ import annotations

import math
import socket
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

import pycurl

from ttcrawl.fetch.addresses import BlockedAddress
from ttcrawl.fetch.curl.reasons import failure, timeout
from ttcrawl.fetch.curl.transfer import BAD_SOCKET, LONG
from ttcrawl.fetch.exchange import Exchange
from ttcrawl.fetch.reasons import AttemptFailed, TooLargeHead
from ttcrawl.fetch.settings import Settings
from ttcrawl.ring.clock import Clock
from ttcrawl.vocabulary.reason import DISCONNECTED, TIMEOUT_TOTAL

#: Data connections go to no port below: a server could use us to speak to a service of its machine.
LOWEST_PORT = 1024

#: Seconds for the reply to QUIT.
QUIT_TIMEOUT = 1

#: Codes of replies; the last line of each is "CODE text" (RFC 959 section 4.2).
CODES = range(100, 600)

#: libcurl's message where the server has closed the control connection.
CLOSED = "response reading failed"


class Wanted(Enum):
    """What is asked for."""

    FILE = auto()
    FACTS = auto()  # of a file: size and modification time; of a directory: whether it exists
    MLSD = auto()
    LIST = auto()


class Refused(Exception):
    """The server refuses, with this reply."""

    def __init__(self, code: int, text: str, number: int) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.number = number


class TooLarge(Exception):
    """The file is larger than the limit, by its size or as it arrives."""


class Transfer:
    """Asks a server for one URL after the other."""

    def __init__(
        self,
        exchange: Exchange,
        settings: Settings,
        clock: Clock,
        check: Callable[[str], None],
        address: str,
        password: str,
    ) -> None:
        """`check` raises BlockedAddress for an address that must not be contacted; `address`: of the server."""
        self._exchange = exchange
        self._settings = settings
        self._clock = clock
        self._check, self._address = check, address
        self.reply = ""  # the last one, in one line
        self._code = 0  # of the last reply
        self._size = 0  # bytes of all replies
        self._lines = 0  # of all replies
        self._data = bytearray()
        self._socket: socket.socket | None = None  # of a connection that is being made
        self._most = settings.max_body
        self._error: Exception | None = None
        self._moved = clock()
        self._curl = self._handle(password)

    def _handle(self, password: str) -> pycurl.Curl:
        curl = pycurl.Curl()
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_FTP)
        curl.setopt(pycurl.PROXY, "")  # also none of the environment
        curl.setopt(pycurl.NETRC, pycurl.NETRC_IGNORED)
        curl.setopt(pycurl.USERNAME, "anonymous")
        curl.setopt(pycurl.PASSWORD, password)
        curl.setopt(pycurl.FTP_SKIP_PASV_IP, 1)
        curl.setopt(pycurl.OPT_FILETIME, 1)
        curl.setopt(pycurl.CONNECTTIMEOUT, LONG)  # `_watch` has all deadlines
        curl.setopt(pycurl.FTP_RESPONSE_TIMEOUT, math.ceil(self._settings.read_timeout) + 1)
        curl.setopt(pycurl.NOPROGRESS, 0)
        curl.setopt(pycurl.XFERINFOFUNCTION, self._watch)
        curl.setopt(pycurl.OPENSOCKETFUNCTION, self._open)
        curl.setopt(pycurl.HEADERFUNCTION, self._line)
        curl.setopt(pycurl.WRITEFUNCTION, self._piece)
        return curl

    def ask(self, url: str, wanted: Wanted, most: int, *, limited: bool = True) -> None:
        """Ask for a URL, over the connection of the last request if that is open; `data` has what was received.

        `limited`: a file that is larger than `most` is not begun. Raises Refused, TooLarge, BlockedAddress,
        TooLargeHead, and AttemptFailed.
        """
        curl = self._curl
        self._data = bytearray()
        self._most = most
        self._code = 0
        self._error, self._moved = None, self._clock()
        curl.setopt(pycurl.URL, url)
        curl.setopt(pycurl.NOBODY, int(wanted is Wanted.FACTS))
        curl.setopt(pycurl.MAXFILESIZE_LARGE, most if limited else 0)
        if wanted is Wanted.MLSD:
            curl.setopt(pycurl.CUSTOMREQUEST, "MLSD")
        else:
            curl.unsetopt(pycurl.CUSTOMREQUEST)
        self._exchange.requests += 1
        try:
            curl.perform()
        except pycurl.error as error:
            raise self._failure(*error.args) from error
        finally:
            self._close()

    @property
    def data(self) -> bytes:
        """What was received, also where `ask` raised."""
        return bytes(self._data)

    @property
    def modified(self) -> float | None:
        """When the file was modified, seconds since the epoch; None: the server does not say."""
        moment = self._curl.getinfo(pycurl.INFO_FILETIME)
        return float(moment) if moment >= 0 else None

    def close(self) -> None:
        """Take leave with QUIT."""
        self._curl.setopt(pycurl.FTP_RESPONSE_TIMEOUT, QUIT_TIMEOUT)
        self._curl.close()

    def _failure(self, number: int, message: str) -> Exception:
        if self._error is not None:
            return self._error
        if number == pycurl.E_FILESIZE_EXCEEDED:
            return TooLarge(message)
        if self._code >= 400 and not self._data:
            return Refused(self._code, self.reply, number)
        if message.startswith(CLOSED):
            return AttemptFailed(DISCONNECTED, "the server has closed the control connection")
        error = failure(self._curl, number, message, self._settings.head)
        # to urllib3, which speaks no FTP, nothing is handed over
        return AttemptFailed(error.reason, error.detail) if isinstance(error, AttemptFailed) else error

    # -- callbacks -------------------------------------------------------------------------------------------------

    def _open(self, _purpose: int, address: Any) -> socket.socket | int:
        """A socket for the control connection, or a data connection."""
        self._close()
        host, port = address.addr[:2]
        try:
            self._check(host)
            if host != self._address:
                raise BlockedAddress(f"a data connection to another address, {host}")
            if self._code and port < LOWEST_PORT:
                raise BlockedAddress(f"a data connection to port {port}")
            self._socket = socket.socket(address.family, address.socktype | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
        except (BlockedAddress, OSError, ValueError) as error:
            self._error = error
            return BAD_SOCKET
        self._moved = self._clock()
        self._exchange.depart(self._moved)
        return self._socket

    def _line(self, line: bytes) -> int | None:
        self._size += len(line)
        self._lines += 1
        self._moved = self._clock()
        self._has_connected()
        limits = self._settings.head
        if self._size > limits.size or self._lines > limits.lines:
            self._error = TooLargeHead(f"more than {limits.size:,} bytes or {limits.lines:,} lines")
            return -1
        code = line[:3]
        if code.isdigit() and int(code) in CODES and line[3:4] != b"-":
            self._code, self.reply = int(code), " ".join(line.decode("latin-1").split())
        return None

    def _piece(self, data: bytes) -> int | None:
        self._moved = self._clock()
        room = self._most - len(self._data)
        self._data += data[:room]
        if len(data) <= room:
            return None
        self._error = TooLarge(f"more than {self._most:,} bytes")
        return -1

    def _watch(self, *_sizes: int) -> int:
        """libcurl calls this at least once a second; 1 ends the request."""
        now, settings = self._clock(), self._settings
        silent, connected = now - self._moved, self._has_connected()
        if now > self._exchange.until:
            self._error = AttemptFailed(TIMEOUT_TOTAL, f"not complete after {settings.total_timeout:g} s")
        elif silent > (seconds := settings.read_timeout if connected else settings.connect_timeout):
            self._error = timeout(connected=connected, seconds=seconds)
        return int(self._error is not None)

    def _has_connected(self) -> bool:
        """Whether the last connection has been made. Then our end of its socket is closed, of which libcurl has a
        duplicate: many a server says that a file is complete only after the data connection is closed at both ends."""
        try:
            if self._socket is not None and self._socket.getpeername():
                self._close()
        except OSError:
            return False
        return True

    def _close(self) -> None:
        """Close our end of the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
