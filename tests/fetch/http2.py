"""A server that speaks HTTP/2 (RFC 9113) frame by frame, so that it can break off anywhere."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

from tests.support.web.listening import listening

DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY = 0, 1, 3, 4, 7
END_STREAM, END_HEADERS, ACK = 1, 4, 1
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

#: Its head in HPACK: ":status: 200" of the static table.
OK = b"\x88"

#: Number of the request on its connection, stream -> frames; None: the connection is closed.
Frames: TypeAlias = Callable[[int, int], bytes | None]

OVER_HTTP_1 = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\none"


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def reset(code: int, stream: int = 1) -> bytes:
    return frame(RST_STREAM, 0, stream, struct.pack(">I", code))


def goaway(last: int) -> bytes:
    return frame(GOAWAY, 0, 0, struct.pack(">II", last, 0))


class Connection:
    """What a connection does with a request, by its number on this connection: it answers, or gives frames instead."""

    def __init__(self, frames: Frames) -> None:
        self._frames, self.streams = frames, list[float]()  # when each request was read

    def serve(self, secured: ssl.SSLSocket) -> None:
        file = secured.makefile("rb")
        file.read(len(PREFACE))
        secured.sendall(frame(SETTINGS, 0, 0) + frame(SETTINGS, ACK, 0))
        while len(header := file.read(9)) == 9:
            file.read(int.from_bytes(header[:3]))
            if header[3] == HEADERS:
                self.streams.append(time.time())
                frames = self._frames(len(self.streams), int.from_bytes(header[5:]))
                if frames is None:
                    return
                secured.sendall(frames)


def page(stream: int, body: bytes = b"page") -> bytes:
    html = OK + b"\x0f\x10\x09text/html"  # content-type
    return frame(HEADERS, END_HEADERS, stream, html) + frame(DATA, END_STREAM, stream, body)


@contextlib.contextmanager
def connections(context: ssl.SSLContext, frames: Frames) -> Iterator[tuple[int, list[Connection]]]:
    """A server that speaks HTTP/1.1 too, with a thread for each connection; gives its port, and its connections."""
    context.set_alpn_protocols(["h2", "http/1.1"])
    served: list[Connection] = []

    def serve(plain: socket.socket) -> None:
        with context.wrap_socket(plain, server_side=True) as secured:
            if secured.selected_alpn_protocol() == "h2":
                served.append(Connection(frames))
                served[-1].serve(secured)
            else:
                _answer(secured, b"")

    with listening(serve) as port:
        yield port, served


@contextlib.contextmanager
def speaking(context: ssl.SSLContext, answer: bytes, address: str = "127.0.0.1") -> Iterator[int]:
    """Send these frames to the first request of each connection, and close it; gives the port."""
    context.set_alpn_protocols(["h2", "http/1.1"])

    def serve(connection: socket.socket) -> None:
        connection.settimeout(5)
        with context.wrap_socket(connection, server_side=True) as secured:
            _answer(secured, answer)

    with listening(serve, address) as port:
        yield port


def _answer(secured: ssl.SSLSocket, answer: bytes) -> None:
    if secured.selected_alpn_protocol() != "h2":
        secured.recv(65536)
        secured.sendall(OVER_HTTP_1)
        return
    file = secured.makefile("rb")
    file.read(len(PREFACE))
    secured.sendall(frame(SETTINGS, 0, 0) + frame(SETTINGS, ACK, 0))
    kind = -1
    while kind != HEADERS:
        header = file.read(9)
        kind = header[3]
        file.read(int.from_bytes(header[:3]))
    secured.sendall(answer)
    with contextlib.suppress(ssl.SSLError):  # frames of the client, after our end
        secured.unwrap()
    with socket.socket(fileno=secured.detach()) as plain:
        plain.settimeout(5)
        plain.shutdown(socket.SHUT_WR)
        while plain.recv(65536):  # bytes that nobody reads make the kernel reset the connection
            pass
