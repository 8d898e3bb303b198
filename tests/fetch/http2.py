"""A server that speaks HTTP/2 (RFC 9113) frame by frame, so that it can break off anywhere."""

from __future__ import annotations

import contextlib
import ssl
import struct
from collections.abc import Iterator

from tests.fetch.tls import tls_connections

DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY = 0, 1, 3, 4, 7
END_STREAM, END_HEADERS, ACK = 1, 4, 1
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

#: Its head in HPACK: ":status: 200" of the static table.
OK = b"\x88"

OVER_HTTP_1 = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\none"


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def reset(code: int) -> bytes:
    return frame(RST_STREAM, 0, 1, struct.pack(">I", code))


@contextlib.contextmanager
def speaking(context: ssl.SSLContext, answer: bytes, address: str = "127.0.0.1") -> Iterator[int]:
    """Send these frames to the first request of each connection, and close it; gives the port."""
    context.set_alpn_protocols(["h2", "http/1.1"])

    def serve_one(secured: ssl.SSLSocket) -> None:
        secured.settimeout(5)
        _answer(secured, answer)

    with tls_connections(context, address, serve_one) as port:
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
    secured.unwrap().close()
