"""What a request costs a fetch process over libcurl: python -m benchmarks.fetch [--requests N] [--rounds N]

A server in another process answers each request with the same page of 31 KB over kept connections; the transport of a
fetch process has 16 requests in flight. Printed is the CPU time of its thread for a request and the message about it,
in us, the least of all rounds. Instructions are independent of what else the machine does: two runs under `valgrind
--tool=cachegrind --cache-sim=no` with `--rounds 1`, and their difference divided by the difference of `--requests`.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection

from ttcrawl.config import read
from ttcrawl.fetch.answer import Answer
from ttcrawl.fetch.curl.transport import CurlTransport
from ttcrawl.fetch.exchange import NotFetched
from ttcrawl.fetch.outcome import fetched
from ttcrawl.ring.channel import encode
from ttcrawl.ring.messages import HEAD_ROOM, PAGE, Request

BODY = b"<p>A page of documentation.</p>\n" * 1000
HEAD = b"""HTTP/1.1 200 OK\r
Server: nginx/1.22.1\r
Date: Sun, 29 Nov 2026 10:00:00 GMT\r
Content-Type: text/html\r
Content-Length: %d\r
Last-Modified: Sun, 29 Nov 2026 10:00:00 GMT\r
Connection: keep-alive\r
ETag: "67a9-31"\r
Accept-Ranges: bytes\r
\r
"""
IN_FLIGHT = 16
LONGEST = 600.0  # seconds that the server runs


def serve(port: Connection) -> None:
    """Answer until this process is ended."""
    asyncio.run(_serve(port))


async def _serve(port: Connection) -> None:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    port.send(server.sockets[0].getsockname()[1])
    await asyncio.wait_for(server.serve_forever(), LONGEST)


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(HEAD % len(BODY) + BODY)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


@contextmanager
def server() -> Iterator[int]:
    """The port of a server that runs meanwhile."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.kill()
        process.join()


class Client:
    """The transport of a fetch process, with requests in flight until all are made."""

    def __init__(self, port: int) -> None:
        self._port = port
        settings = {"safety.allow": "127.0.0.0/8", "fetch.resolve": f"a.test:{port}:127.0.0.1"}
        self._transport = CurlTransport(read(None, list(settings.items())), time.time)
        self._slots = [memoryview(bytearray(HEAD_ROOM + (1 << 20))) for _ in range(IN_FLIGHT)]
        self._left = self._in_flight = 0

    def run(self, requests: int) -> float:
        """Make these requests; return the CPU seconds of one of them."""
        begun, self._left = time.thread_time(), requests
        for slot in self._slots:
            self._begin(slot)
        while self._in_flight:
            self._transport.run(0.1)
        return (time.thread_time() - begun) / requests

    def _begin(self, slot: memoryview) -> None:
        if not self._left:
            return
        self._left -= 1
        self._in_flight += 1
        url = f"http://a.test:{self._port}/page/{self._left}.html"
        request = Request(token=self._left, kind=PAGE, url=url, depth=0, not_before=0.0, address="")

        def finish(outcome: Answer | NotFetched) -> None:
            if isinstance(outcome, NotFetched):
                raise SystemExit(f"{url}: {outcome.reason}")
            encode(fetched(request, outcome, slot, self._transport.read_by))
            self._in_flight -= 1
            self._begin(slot)

        self._transport.begin(request, slot, finish)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=2000, help="requests of a round (2000)")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    with server() as port:
        client = Client(port)
        least = min(client.run(options.requests) for _ in range(options.rounds))
    print(f"{1e6 * least:.1f} us of CPU for a request")


if __name__ == "__main__":
    main()
