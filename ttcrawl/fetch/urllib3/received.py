"""Responses as urllib3's connections receive them: our rules read their heads and bodies, instead of http.client."""

from __future__ import annotations

import http.client
import socket
import ssl
from typing import Any, Protocol

from ttcrawl.fetch.head import Fields, HeadLines
from ttcrawl.fetch.response import Response
from ttcrawl.fetch.urllib3.tls import is_unclosed
from ttcrawl.ring.messages import Head

#: Bytes per read.
PIECE = 64 << 10


class Receiver(Protocol):
    """Knows what the calling thread waits for."""

    def receive_head(self, received: Received) -> Response:
        """Return the response, which has its head then."""


class Received(http.client.HTTPResponse):
    """The bytes of one response; http.client learns from it only whether the connection persists."""

    receiver: Receiver

    def __init__(self, sock: socket.socket, *args: Any, **options: Any) -> None:
        self._sock = sock
        super().__init__(sock, *args, **options)

    def begin(self, *args: Any, **options: Any) -> None:
        """Read the head. Raises what `read_head` and `Response.begin` raise."""
        if self.headers is not None:
            return
        response = self.receiver.receive_head(self)
        head = response.head
        self.code = self.status = head.status
        self.reason, self.version = head.phrase, 11 if head.version == "HTTP/1.1" else 10
        self.headers = self.msg = http.client.HTTPMessage()
        self.chunked, self.length = False, None
        self.will_close = response.by_close or response.coded or not persists(head, response.fields)

    def read_body(self, response: Response) -> None:
        """Read to the end of the body, or as much of it as is wanted. Raises OSError, HTTPException."""
        while not (response.over or response.refused):
            if not (data := self.fp.read1(PIECE)):
                return
            response.piece(data)

    @property
    def unclosed(self) -> bool:
        """Whether the server has closed the connection without ending TLS."""
        return is_unclosed(self._sock)

    def has_more(self) -> bool:
        """Whether bytes were received after the response, or the connection is broken: they would be read as the next
        response."""
        timeout = self._sock.gettimeout()
        self._sock.settimeout(0)
        try:
            return bool(self.fp.peek(1))
        except ssl.SSLWantReadError:
            return False
        except OSError:
            return True  # the connection is unusable
        finally:
            self._sock.settimeout(timeout)


def read_head(file: Any, lines: HeadLines) -> None:
    """Read lines up to the end of the head, and no byte more. Raises RemoteDisconnected if there are none,
    IncompleteRead if the file ends before the head, and what `HeadLines.feed` raises."""
    while line := file.readline(lines.longest):
        if lines.feed(line):
            return
    if not lines.status:
        raise http.client.RemoteDisconnected("the connection ended without a response")
    raise http.client.IncompleteRead(bytes(lines.block))


def persists(head: Head, fields: Fields) -> bool:
    """Whether the connection persists after a response (RFC 9112 section 9.3)."""
    options = {each.strip().lower() for each in ",".join(fields.get("connection", ())).split(",")}
    return "close" not in options and (head.version == "HTTP/1.1" or "keep-alive" in options)


def received_by(receiver: Receiver) -> type[Received]:
    """A class of responses; http.client creates them itself."""
    return type("Response", (Received,), {"receiver": receiver})
