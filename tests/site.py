"""A programmable web on loopback: several hosts, one server process, and an exact log of what was asked when.

    with Web({("a.test", "/"): Answer(body=page("/b"))}) as web:
        ... crawl web.url("a.test", "/") with --resolve options from web.resolve ...
        web.log()  # [Hit(arrived=..., answered=..., host="a.test", path="/", status=200, agent="...")]

The server has a process of its own, so that it shares no interpreter lock with the crawler under test. It is started
afresh (spawn): the test process may have threads.
"""

from __future__ import annotations

import asyncio
import html
import http
import multiprocessing
import signal
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Literal, TypeAlias

#: Stands for the server's port in bodies and header values: it is not known before the server runs.
PORT = "@PORT@"

Fate: TypeAlias = Literal["answer", "raw", "close", "reset", "stall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one URL answers. `headers` may override Content-Type; with Transfer-Encoding no length is sent."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    delay: float = 0.0  # seconds from the request to the first byte
    drip: float = 0.0  # seconds between two bytes of the body; 0: all in one write
    length: int | None = None  # the Content-Length that is claimed; the connection closes if it is not the body's
    #: answer; raw: the body is all that goes over the wire; close or reset (RST) without a byte; stall: for ever silent
    #: (with a body: after it, one byte short of the length claimed)
    fate: Fate = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One request as the server saw it, times by time.time().

    `answered` is read just before the last write, so it is never later than the moment at which the client has the
    answer: a client that waits D from there is never seen to wait less. None: nothing, or not all, was sent.
    """

    arrived: float
    answered: float | None
    host: str
    path: str  # with the query
    status: int  # 0: no status was sent
    agent: str


#: One answer, or several to be given one after the other; the last one stays.
Pages: TypeAlias = Mapping[tuple[str, str], Answer | Sequence[Answer]]


def page(*hrefs: str, title: str = "", content: str = "") -> bytes:
    """An HTML page with one link a href; `content` is put in as it stands."""
    links = "".join(f'<li><a href="{html.escape(href)}">{html.escape(href)}</a>\n' for href in hrefs)
    head = f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
    return f"{head}{content}\n<ul>\n{links}</ul>\n".encode()


def at(host: str, path: str) -> str:
    """A URL to be written into a page or a Location header before the port is known."""
    return f"http://{host}:{PORT}{path}"


def moved(location: str, status: int = 301) -> Answer:
    return Answer(status=status, headers=(("Location", location),))


def robots(*lines: str) -> Answer:
    return Answer(headers=(("Content-Type", "text/plain"),), body=("\n".join(lines) + "\n").encode())


class Web:
    """The running server; `port`, `url`, `resolve` and `log` are there from `with` to its end."""

    def __init__(self, pages: Pages, address: str = "127.0.0.1", port: int = 0) -> None:
        self.pages = dict(pages)
        self.address = address
        self.port = port

    def __enter__(self) -> Web:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(self.pages, self.address, self.port, theirs), name="test web", daemon=True
        )
        self._process.start()
        theirs.close()
        try:
            self.port = self._pipe.recv()
        except EOFError:
            raise RuntimeError(f"the test web could not start on {self.address}:{self.port}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pipe.close()  # the server ends when nobody holds the other end
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    @property
    def hosts(self) -> list[str]:
        return sorted({host for host, _ in self.pages})

    @property
    def resolve(self) -> list[str]:
        """host:port:address of every host, as the crawler's and curl's --resolve take it."""
        return [f"{host}:{self.port}:{self.address}" for host in self.hosts]

    def url(self, host: str, path: str) -> str:
        return f"http://{host}:{self.port}{path}"

    def log(self) -> list[Hit]:
        """Every request so far, in order of arrival."""
        self._pipe.send("log")
        hits: list[Hit] = self._pipe.recv()
        return hits


# ---- below: the server process ----


def _serve(pages: Pages, address: str, port: int, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the crawler
    asyncio.run(_run(pages, address, port, pipe))


async def _run(pages: Pages, address: str, port: int, pipe: Connection) -> None:
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    shelf = _Shelf()
    server = await loop.create_server(lambda: _Exchange(shelf), address, port, backlog=1024)
    port = server.sockets[0].getsockname()[1]
    shelf.fill(pages, port)

    def listen() -> None:
        try:
            pipe.recv()
        except (EOFError, OSError):
            loop.remove_reader(pipe.fileno())
            done.set_result(None)
        else:
            pipe.send(shelf.hits)

    loop.add_reader(pipe.fileno(), listen)
    pipe.send(port)
    await done


class _Shelf:
    """The answers, made ready to be written, and the log."""

    def __init__(self) -> None:
        self.answers: dict[tuple[str, str], list[Answer]] = {}
        self.hits: list[Hit] = []
        self.missing = Answer(status=404, body=page(title="404 Not Found"))

    def fill(self, pages: Pages, port: int) -> None:
        mark, number = PORT.encode(), str(port).encode()
        for key, given in pages.items():
            several = [given] if isinstance(given, Answer) else list(given)
            self.answers[key] = [
                replace(
                    answer,
                    body=answer.body.replace(mark, number),
                    headers=tuple((name, value.replace(PORT, str(port))) for name, value in answer.headers),
                )
                for answer in several
            ]

    def take(self, host: str, path: str) -> Answer:
        several = self.answers.get((host, path))
        if several is None:
            return self.missing
        return several.pop(0) if len(several) > 1 else several[0]


class _Exchange(asyncio.Protocol):
    """One connection: requests are answered in the order in which they come."""

    transport: asyncio.Transport

    def __init__(self, shelf: _Shelf) -> None:
        self.shelf = shelf
        self.received = bytearray()
        self.current: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # asyncio has set TCP_NODELAY
        self.transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if self.current is not None:
            self.current.cancel()

    def data_received(self, data: bytes) -> None:
        self.received += data
        self.next_request()

    def next_request(self) -> None:
        end = self.received.find(b"\r\n\r\n")
        if self.current is not None or end < 0 or self.transport.is_closing():
            return
        arrived = time.time()
        line, *fields = self.received[:end].decode("latin-1").split("\r\n")
        del self.received[: end + 4]
        method, path = line.split(" ")[:2]
        head = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        host = head.get("host", "").lower().rpartition(":")[0] or head.get("host", "").lower()
        hit = Hit(arrived=arrived, answered=None, host=host, path=path, status=0, agent=head.get("user-agent", ""))
        self.shelf.hits.append(hit)
        work = self.answer(self.shelf.take(host, path), method, len(self.shelf.hits) - 1)
        self.current = asyncio.get_running_loop().create_task(work)

    async def answer(self, answer: Answer, method: str, place: int) -> None:
        if answer.delay:
            await asyncio.sleep(answer.delay)
        if answer.fate == "reset":
            linger = struct.pack("ii", 1, 0)
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.transport.abort()
        elif answer.fate == "close":
            self.transport.close()
        elif answer.fate == "stall" and not answer.body:
            return  # `current` stays: nothing more is ever said on this connection
        else:
            await self.write(answer, method, place)

    async def write(self, answer: Answer, method: str, place: int) -> None:
        raw = answer.fate == "raw"
        head = b"" if raw else _head(answer)
        body = b"" if method == "HEAD" else answer.body
        status = 0 if raw else answer.status
        last = head + body
        if answer.drip and body:
            self.transport.write(head)
            for byte in body[:-1]:
                self.transport.write(bytes((byte,)))
                await asyncio.sleep(answer.drip)
            last = body[-1:]
        whole = answer.fate != "stall"
        self.shelf.hits[place] = replace(self.shelf.hits[place], answered=time.time() if whole else None, status=status)
        self.transport.write(last)
        if raw or answer.length not in (None, len(answer.body)):
            self.transport.close()
        elif whole:
            self.current = None
            self.next_request()


def _head(answer: Answer) -> bytes:
    phrase = http.HTTPStatus(answer.status).phrase if answer.status in set(http.HTTPStatus) else "Unknown"
    names = {name.lower() for name, _ in answer.headers}
    fields = list(answer.headers)
    if "content-type" not in names:
        fields.append(("Content-Type", "text/html; charset=utf-8"))
    if not names & {"content-length", "transfer-encoding"}:
        length = len(answer.body) + (answer.fate == "stall") if answer.length is None else answer.length
        fields.append(("Content-Length", str(length)))
    lines = [f"HTTP/1.1 {answer.status} {phrase}", *(f"{name}: {value}" for name, value in fields)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
