"""A server whose connections end in every way, with and without TLS."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.fetch.http2 import ACK, HEADERS, PREFACE, SETTINGS, frame
from tests.support.web.listening import listening

#: How a connection ends: in order (TLS with close_notify), by closing TCP alone, by RST, or by a fatal alert of TLS;
#: SILENT: the client ends it.
ORDERLY, CLOSED, RESET, ALERT, SILENT = "orderly", "closed", "reset", "alert", "silent"

#: A record that no client of ours sends: OpenSSL answers it with a fatal alert, bad_record_mac.
DAMAGED = b"\x17\x03\x03\x00\x20" + bytes(32)

#: Path -> what is sent, and how the connection ends then.
Pages = Callable[[str], tuple[bytes, str]]


@dataclass(slots=True)
class Log:
    port: int = 0
    paths: list[str] = field(default_factory=list)  # of the requests over HTTP/1


class Plain:
    """A connection without TLS."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def read(self) -> bytes:
        return self.connection.recv(65536)

    def write(self, data: bytes) -> None:
        self.connection.sendall(data)

    def finish(self, end: str) -> None:
        if end == RESET:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        if end != SILENT:
            self.connection.shutdown(socket.SHUT_WR)
        while self.connection.recv(65536):  # what is unread when a connection is closed resets it
            pass


class Secured(Plain):
    """TLS over two buffers: so the alert that ends it is ours to choose."""

    def __init__(self, connection: socket.socket, context: ssl.SSLContext) -> None:
        super().__init__(connection)
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self._in, self._out, server_side=True)
        self._until_done(self.tls.do_handshake)

    def _until_done(self, step: Callable[[], bytes | None]) -> bytes | None:
        while True:
            try:
                return step()
            except ssl.SSLWantReadError:
                self._flush()
                if not (data := self.connection.recv(65536)):
                    raise OSError("the client has gone") from None
                self._in.write(data)
            finally:
                self._flush()

    def _flush(self) -> None:
        self.connection.sendall(self._out.read())

    def read(self) -> bytes:
        return self._until_done(lambda: self.tls.read(65536)) or b""

    def write(self, data: bytes) -> None:
        if data:
            self.tls.write(data)
            self._flush()

    def finish(self, end: str) -> None:
        if end == ORDERLY:
            with contextlib.suppress(ssl.SSLError):  # the client has not ended TLS yet
                self.tls.unwrap()
        elif end == ALERT:
            self._in.write(DAMAGED)
            with contextlib.suppress(ssl.SSLError):
                self.tls.read(1)
        self._flush()
        super().finish(end)


@contextlib.contextmanager
def ending(pages: Pages, tls: ssl.SSLContext | None = None) -> Iterator[Log]:
    """Serves one request a connection until the end of the block."""
    log = Log()

    def serve(accepted: socket.socket) -> None:
        accepted.settimeout(10)
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # RST discards what was not sent yet
        connection = Secured(accepted, tls) if tls else Plain(accepted)
        if isinstance(connection, Secured) and connection.tls.selected_alpn_protocol() == "h2":
            answer, end = pages(_stream(connection))
        else:
            log.paths.append(connection.read().split(b" ")[1].decode())
            answer, end = pages(log.paths[-1])
        connection.write(answer)
        connection.finish(end)

    with listening(serve) as log.port:
        yield log


def _stream(connection: Plain) -> str:
    """Read up to the request of the first stream of HTTP/2, whose path is not read: "/"."""
    data, kind = b"", -1
    connection.write(frame(SETTINGS, 0, 0) + frame(SETTINGS, ACK, 0))
    position = len(PREFACE)
    while kind != HEADERS:
        while len(data) < position + 9 or len(data) < position + 9 + int.from_bytes(data[position : position + 3]):
            data += connection.read()
        kind = data[position + 3]
        position += 9 + int.from_bytes(data[position : position + 3])
    return "/"
