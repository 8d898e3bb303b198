"""Many hosts on addresses of their own, whose answers take their time: one process on loopback, which keeps a log.

Host n is served at the n-th address of 127.1.0.0/16. Its first page links to all others of the host. How long the
answer to a request takes depends on host and path alone. All answers are made before the crawl, which shares the
processors with the server.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import random
import time
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection

#: Seconds until the server listens on all addresses.
START = 60.0

#: Words of a page besides its links.
WORDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """`latency`: least and most seconds until an answer begins."""

    count: int
    pages: int  # of each host
    latency: tuple[float, float]

    def name(self, number: int) -> str:
        return f"slow-{number}.test"

    def address(self, number: int) -> str:
        return f"127.1.{number // 250}.{number % 250 + 1}"

    def seconds(self, number: int, path: str) -> float:
        """How long the answer takes."""
        return random.Random(f"{number} {path}").uniform(*self.latency)

    def paths(self) -> list[str]:
        return ["/robots.txt", "/", *(f"/{page}" for page in range(1, self.pages))]

    def page(self, number: int, path: str) -> bytes:
        """The answer to a request for `path`, head and body."""
        if path == "/robots.txt":
            return b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n"
        chance = random.Random(f"{number} {path} words")
        words = " ".join(f"word{chance.randrange(5000)}" for _ in range(WORDS))
        targets = range(1, self.pages) if path == "/" else ()
        links = "".join(f'<a href="/{page}">page {page}</a> ' for page in targets)
        body = f"<!DOCTYPE html><title>{number} {path}</title><p>{words}</p>{links}".encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Of each request, in the order of answers: its host, when it arrived, and when its answer was written (s)."""

    hosts: array[int]
    arrived: array[float]
    answered: array[float]


class Served:
    """A running server: `port`, and `log()`, which ends it."""

    def __init__(self, port: int, connection: Connection) -> None:
        self.port = port
        self._connection = connection

    def log(self) -> Log:
        self._connection.send(None)
        hosts, arrived, answered = self._connection.recv()
        return Log(hosts=hosts, arrived=arrived, answered=answered)


@contextmanager
def serving(hosts: Hosts) -> Iterator[Served]:
    """Serve the hosts until the end of the `with`."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(hosts, there), daemon=True)
    process.start()
    try:
        if not here.poll(START):
            raise SystemExit("the server does not start")
        yield Served(here.recv(), here)
    finally:
        process.terminate()
        process.join(10)


def _serve(hosts: Hosts, connection: Connection) -> None:
    asyncio.run(_until_asked(hosts, connection))


async def _until_asked(hosts: Hosts, connection: Connection) -> None:
    loop, asked = asyncio.get_running_loop(), asyncio.Event()
    log = array("i"), array("d"), array("d")
    port, paths = 0, hosts.paths()
    for number in range(hosts.count):
        answers = {path: (hosts.seconds(number, path), hosts.page(number, path)) for path in paths}
        server = await loop.create_server(partial(_Answers, answers, number, log), hosts.address(number), port)
        port = port or server.sockets[0].getsockname()[1]
    gc.freeze()
    loop.add_reader(connection.fileno(), asked.set)
    connection.send(port)
    await asked.wait()
    connection.send(log)


class _Answers(asyncio.Protocol):
    """A connection: one request after the other, each answered after its time."""

    def __init__(
        self,
        answers: Mapping[str, tuple[float, bytes]],
        number: int,
        log: tuple[array[int], array[float], array[float]],
    ) -> None:
        """`answers`: path -> the seconds that its answer takes, and the answer."""
        self._answers, self._number, self._log = answers, number, log
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        arrived, self._received = time.time(), self._received + data
        head, end, self._received = self._received.partition(b"\r\n\r\n")
        if not end:
            self._received = head
            return
        path = head.split(b" ", 2)[1].decode("ascii", "replace")
        seconds, answer = self._answers[path]
        asyncio.get_running_loop().call_later(seconds, self._answer, answer, arrived)

    def _answer(self, answer: bytes, arrived: float) -> None:
        numbers, arrivals, answers = self._log
        numbers.append(self._number)
        arrivals.append(arrived)
        answers.append(time.time())
        with suppress(OSError):
            self._transport.write(answer)
