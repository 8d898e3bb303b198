"""A programmable web on loopback: several hosts, one server process, and an exact log of what was asked when.

    with Web({("a.test", "/"): Answer(body=page("/b"))}) as web:
        ... crawl web.url("a.test", "/") with --resolve options from web.resolve ...
        web.log()  # [Hit(arrived=..., answered=..., host="a.test", path="/", status=200, ...)]

The server has a process of its own, so that it shares no interpreter lock with the crawler under test. It is not forked
from the test process, which may have threads: see tests.support.crawls.preforked.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import http
import os
import resource
import signal
import socket
import ssl
import struct
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Address
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from types import TracebackType
from typing import Literal, TypeAlias

from tests.support.crawls.preforked import Forked

#: Stands for the server's port in bodies and header values: it is not known before the server runs.
PORT = "@PORT@"

#: Stands for the path of every URL of a host that has no answer of its own, and in the body for the path asked for.
ANY, PATH = "(any)", "@PATH@"

FIRST = IPv4Address("127.0.0.1")

#: The first byte of TCP_INFO: the state of a connection that neither side has closed (Linux, tcp_states.h).
ESTABLISHED = 1

#: Stands for the path of what is answered to a ClientHello, where plain HTTP is spoken.
HELLO = "(ClientHello)"

Fate: TypeAlias = Literal["answer", "raw", "close", "reset", "stall", "raw reset", "raw stall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one URL answers. `headers` may override Content-Type; with Transfer-Encoding no length is sent."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    delay: float = 0.0  # seconds from the request to the first byte
    drip: float = 0.0  # seconds between two bytes of the body; 0: all in one write
    length: int | None = None  # the Content-Length that is claimed; the connection closes if it is not the body's
    more: bytes = b""  # follows the body ...
    times: int = 0  # ... so often, without its length being claimed; -1: until the client has gone
    #: answer; raw: the body is all that goes over the wire; close or reset (RST) without a byte; stall: for ever silent
    #: (reset and stall with a body: after it, one byte short of the length claimed; raw reset and raw stall: after it)
    fate: Fate = "answer"
    needs: tuple[str, str] = ("", "")  # a header and what has to stand in it; without it the answer is 401
    conditional: bool = False  # 304 if the request has If-None-Match with the ETag among `headers`


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
    method: str = "GET"
    head: Mapping[str, str] = field(default_factory=dict)  # headers of the request, their names in lower case
    gone: bool = False  # the client had closed its side of the connection before the request was read


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
    """The running server; `port`, `url`, `resolve` and `log` are there from `with` to its end.

    Every host has a loopback address of its own, the first one 127.0.0.1, unless all share the `address` given, or
    `addresses` names those of all hosts.
    """

    def __init__(
        self,
        pages: Pages,
        address: str = "",
        port: int = 0,
        certificates: Mapping[str, Path] | None = None,  # host -> file of key and chain; with any, TLS is spoken
        addresses: Mapping[str, str] | None = None,
    ) -> None:
        self.pages = dict(pages)
        self.certificates = dict(certificates or {})
        self.addresses = dict(
            addresses or {host: address or str(FIRST + number) for number, host in enumerate(self.hosts)}
        )
        self.address = address or next(iter(self.addresses.values()), str(FIRST))
        self.port = port

    def __enter__(self) -> Web:
        self._pipe, theirs = Pipe()
        addresses = list(dict.fromkeys((self.address, *self.addresses.values())))
        with theirs:
            about = (self.pages, addresses, self.port, self.certificates)
            self._process = Forked(_serve, *about, files=[0, 1, 2, theirs.fileno()], cwd=Path.cwd())
        try:
            self.port = self._pipe.recv()
        except EOFError:
            raise RuntimeError(f"the test web could not start on {self.address}:{self.port}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pipe.close()  # the server ends when nobody holds the other end
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def hosts(self) -> list[str]:
        return sorted({host for host, _ in self.pages})

    @property
    def resolve(self) -> list[str]:
        """host:port:address of every host, as the crawler's and curl's --resolve take it."""
        return [f"{host}:{self.port}:{address}" for host, address in self.addresses.items()]

    def url(self, host: str, path: str) -> str:
        return f"{'https' if self.certificates else 'http'}://{host}:{self.port}{path}"

    def log(self) -> list[Hit]:
        """Every request so far, in order of arrival."""
        self._pipe.send("log")
        hits: list[Hit] = self._pipe.recv()
        return hits

    @contextlib.contextmanager
    def halted(self) -> Iterator[None]:
        """The server gets no processor."""
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)

    def change(self, pages: Pages) -> None:
        """From now on these URLs answer otherwise."""
        self._pipe.send(dict(pages))
        self._pipe.recv()


# ---- below: the server process ----


def _serve(pages: Pages, addresses: list[str], port: int, certificates: Mapping[str, Path], pipe: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the crawler
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a socket for each address and each connection
    asyncio.run(_run(pages, addresses, port, _tls(certificates), Connection(pipe)))


async def _run(pages: Pages, addresses: list[str], port: int, tls: ssl.SSLContext | None, pipe: Connection) -> None:
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    shelf = _Shelf()
    servers = []
    for address in addresses:
        servers.append(await loop.create_server(lambda: _Exchange(shelf), address, port, backlog=1024, ssl=tls))
        port = servers[0].sockets[0].getsockname()[1]
    shelf.fill(pages, port)

    def listen() -> None:
        try:
            request = pipe.recv()
        except (EOFError, OSError):
            loop.remove_reader(pipe.fileno())
            done.set_result(None)
        else:
            if request != "log":
                shelf.fill(request, port)
            pipe.send(shelf.hits if request == "log" else None)

    loop.add_reader(pipe.fileno(), listen)
    pipe.send(port)
    await done


def _tls(certificates: Mapping[str, Path]) -> ssl.SSLContext | None:
    """Each host shows its own certificate."""
    if not certificates:
        return None
    contexts = {}
    for host, file in certificates.items():
        contexts[host] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        contexts[host].load_cert_chain(file)

    def choose(connection: ssl.SSLObject, host: str | None, context: ssl.SSLContext) -> None:
        connection.context = contexts.get(host or "", context)

    first = next(iter(contexts.values()))
    first.sni_callback = choose
    return first


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
            other = self.answers.get((host, ANY))
            return (
                replace(other[0], body=other[0].body.replace(PATH.encode(), path.encode())) if other else self.missing
            )
        return several.pop(0) if len(several) > 1 else several[0]


class _Exchange(asyncio.Protocol):
    """One connection: requests are answered in the order in which they come."""

    transport: asyncio.Transport

    def __init__(self, shelf: _Shelf) -> None:
        self.shelf = shelf
        self.received = bytearray()
        self.current: asyncio.Task[None] | None = None
        self.drained = asyncio.Event()
        self.drained.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # asyncio has set TCP_NODELAY
        self.transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if self.current is not None:
            self.current.cancel()

    def pause_writing(self) -> None:
        self.drained.clear()

    def resume_writing(self) -> None:
        self.drained.set()

    def data_received(self, data: bytes) -> None:
        self.received += data
        if self.current is None and self.received.startswith(b"\x16\x03"):
            self.greeted()
        else:
            self.next_request()

    def greeted(self) -> None:
        """A ClientHello has come where plain HTTP is spoken; it says in clear text for whom it is."""
        hosts = (host for host, path in self.shelf.answers if path == HELLO and host.encode() in self.received)
        self.begin(next(hosts, ""), HELLO, "", {})

    def next_request(self) -> None:
        end = self.received.find(b"\r\n\r\n")
        if self.current is not None or end < 0 or self.transport.is_closing():
            return
        arrived = time.time()
        line, *lines = self.received[:end].decode("latin-1").split("\r\n")
        method, path = line.split(" ")[:2]
        head = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
        end += 4 + int(head.get("content-length", 0))  # the body of a POST
        if len(self.received) < end:
            return
        del self.received[:end]
        host = head.get("host", "").lower().rpartition(":")[0] or head.get("host", "").lower()
        self.begin(host, path, method, head, arrived)

    def begin(self, host: str, path: str, method: str, head: dict[str, str], arrived: float = 0.0) -> None:
        agent, arrived = head.get("user-agent", ""), arrived or time.time()
        hit = Hit(arrived=arrived, answered=None, host=host, path=path, status=0, agent=agent, method=method, head=head)
        self.shelf.hits.append(replace(hit, gone=self.is_deserted()))
        answer = self.shelf.take(host, path)
        if answer.needs[1] not in head.get(answer.needs[0], ""):
            answer = Answer(status=401, body=page(title="401 Unauthorized"))
        if answer.conditional and ("ETag", head.get("if-none-match", "")) in answer.headers:
            answer = Answer(status=304, headers=answer.headers)
        work = self.answer(answer, method, len(self.shelf.hits) - 1)
        self.current = asyncio.get_running_loop().create_task(work)

    def is_deserted(self) -> bool:
        """Whether the client has closed its side of the connection, as the kernel does for one that was killed."""
        connection: socket.socket = self.transport.get_extra_info("socket")
        return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != ESTABLISHED

    async def answer(self, answer: Answer, method: str, place: int) -> None:
        if answer.delay:
            await asyncio.sleep(answer.delay)
        if answer.fate == "reset" and not answer.body:
            self.reset()
        elif answer.fate == "close":
            self.transport.close()
        elif answer.fate == "stall" and not answer.body:
            return  # `current` stays: nothing more is ever said on this connection
        else:
            await self.write(answer, method, place)

    def reset(self) -> None:
        linger = struct.pack("ii", 1, 0)
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.transport.abort()

    async def write(self, answer: Answer, method: str, place: int) -> None:
        raw = answer.fate.startswith("raw")
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
        whole = answer.fate in ("answer", "raw")
        self.shelf.hits[place] = replace(self.shelf.hits[place], answered=time.time() if whole else None, status=status)
        self.transport.write(last)
        for piece in _pieces(answer):
            await self.drained.wait()
            self.transport.write(piece)
            await asyncio.sleep(answer.drip)
        if answer.fate.endswith("reset"):
            await asyncio.sleep(0.05)  # what was written comes first
            self.reset()
        elif answer.fate == "raw" or answer.times or answer.length not in (None, len(answer.body)):
            self.transport.close()
        elif whole:
            self.current = None
            self.next_request()


def _pieces(answer: Answer) -> Iterator[bytes]:
    """What follows the body, in pieces of 64 KB, or where it drips one by one."""
    at_once = 1 if answer.drip else max(1, (64 << 10) // max(1, len(answer.more)))
    left = answer.times
    while left:
        number = at_once if left < 0 else min(at_once, left)
        yield answer.more * number
        left -= number if left > 0 else 0


def _head(answer: Answer) -> bytes:
    phrase = http.HTTPStatus(answer.status).phrase if answer.status in set(http.HTTPStatus) else "Unknown"
    names = {name.lower() for name, _ in answer.headers}
    fields = list(answer.headers)
    if "content-type" not in names:
        fields.append(("Content-Type", "text/html; charset=utf-8"))
    sized = answer.status != 304 and (not answer.times or answer.length is not None)
    if sized and not names & {"content-length", "transfer-encoding"}:
        length = len(answer.body) + (answer.fate in ("stall", "reset")) if answer.length is None else answer.length
        fields.append(("Content-Length", str(length)))
    lines = [f"HTTP/1.1 {answer.status} {phrase}", *(f"{name}: {value}" for name, value in fields)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
