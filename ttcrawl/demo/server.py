"""A small, fast and precise HTTP/1.1 server on loopback, in a process of its own.

It is made for measuring crawlers. A request takes well under half a millisecond, every response is one write on a
keep-alive connection, and the server keeps its own log of requests. This log can verify the politeness of a crawler
independently of the crawler.

    with Server(Campus(seed=811, crawl_delay=0.05)) as server:
        ...  # crawl http://127.0.0.1:{server.port}/
        for arrived, answered, host, path, status in server.log(): ...

The process is started afresh ("spawn"), so a script that uses this needs the usual `if __name__ == "__main__":`.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import time
from collections.abc import Mapping
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from types import TracebackType
from typing import NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

from ttcrawl.demo.http1 import HEAD_LIMIT, BadRequest, RequestHead, read_head, write_answer
from ttcrawl.ring.modules import safe_path

Reply: TypeAlias = tuple[int, Mapping[str, str], bytes]  # status, headers, body; Content-Length and Date are added

ORPHAN_CHECK = 0.5  # seconds between two checks that the parent still exists
START_LIMIT = 60.0  # seconds for the server to start listening
LOG_LIMIT = 30.0  # seconds for the log to arrive


class Answer(Protocol):
    """The responses of a server: picklable and callable."""

    def __call__(self, host: str, path: str) -> Reply:
        """`host` is as in the Host header, with the port; `path` includes the query."""


@runtime_checkable
class Prepared(Protocol):
    """An answer with slow preparations, which run in the serving process before the first request."""

    def prepare(self) -> None: ...


class Entry(NamedTuple):
    """One request in the log. Times are seconds since the epoch (time.time())."""

    arrived: float  # time when its first byte was read
    answered: float  # time when the response was handed to the kernel, or its last part if it took several
    host: str
    path: str
    status: int


class Server:
    """Serves `answer` while the `with` block runs. At its start, `port` is known and everything is prepared."""

    def __init__(self, answer: Answer, address: str = "127.0.0.1", port: int = 0) -> None:
        self.address = address
        self.port = port
        context = get_context("spawn")
        self._pipe, self._child_pipe = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(answer, address, port, self._child_pipe), name="ttcrawl demo server", daemon=True
        )

    def __enter__(self) -> Self:
        with safe_path():
            self._process.start()
        # Only the child may hold its end of the pipe; otherwise its death would not be noticed here.
        self._child_pipe.close()
        try:
            started = self._receive(START_LIMIT)
            if isinstance(started, BaseException):
                raise started
        except BaseException:
            self._end()
            raise
        assert isinstance(started, int)
        self.port = started
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def log(self) -> list[Entry]:
        """All requests answered so far, in the order of their responses."""
        self._pipe.send("log")
        entries = self._receive(LOG_LIMIT)
        assert isinstance(entries, list)
        return [Entry(*entry) for entry in entries]

    def _receive(self, seconds: float) -> object:
        try:
            if self._pipe.poll(seconds):
                return self._pipe.recv()
        except EOFError:
            pass
        raise RuntimeError("the server process does not answer")

    def _end(self) -> None:
        self._pipe.close()  # which tells the process to end
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


class _Connection(asyncio.Protocol):
    """One client connection. It answers pipelined requests one after the other."""

    def __init__(self, answer: Answer, log: list[Entry]) -> None:
        self._answer = answer
        self._log = log
        self._unread = b""
        self._arrived = 0.0
        self._unfinished: Entry | None = None  # part of its response is still in our buffer
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport  # asyncio has set TCP_NODELAY
        # pause_writing and resume_writing then tell whether the kernel has taken the complete response.
        transport.set_write_buffer_limits(high=0)

    def data_received(self, data: bytes) -> None:
        if not self._unread:
            self._arrived = time.time()
        self._unread += data
        self._answer_all()

    def connection_lost(self, error: Exception | None) -> None:
        self._finish()  # the client left before it had the complete response

    def pause_writing(self) -> None:
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._finish()
        if not self._transport.is_closing():
            self._transport.resume_reading()
            self._answer_all()

    def _finish(self) -> None:
        if self._unfinished:
            self._log.append(self._unfinished._replace(answered=time.time()))
            self._unfinished = None

    def _answer_all(self) -> None:
        while self._unread and not self._unfinished and not self._transport.is_closing():
            head, end, rest = self._unread.partition(b"\r\n\r\n")
            if len(head) > HEAD_LIMIT:
                self._refuse(BadRequest("the head of the request is too long", 431))
            elif not end:
                return
            else:
                self._unread = rest
                try:
                    request = read_head(head)
                except BadRequest as error:
                    self._refuse(error)
                else:
                    self._reply(request)
                self._arrived = time.time()  # of the next request, if it is pipelined

    def _reply(self, request: RequestHead) -> None:
        try:
            status, headers, body = self._answer(request.host, request.path)
        except Exception as error:
            status, headers, body = 500, {"Content-Type": "text/plain; charset=utf-8"}, f"{error!r}\n".encode()
        get = request.method == "GET"
        self._send(
            write_answer(status, headers, body, now=self._arrived, keep=request.keep, with_body=get),
            Entry(self._arrived, 0.0, request.host, request.path, status),
            keep=request.keep,
        )

    def _refuse(self, error: BadRequest) -> None:
        """Answer an unreadable request and close, because the start of the next request is unknown."""
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        if error.status == 405:
            headers["Allow"] = "GET, HEAD"
        data = write_answer(error.status, headers, f"{error}\n".encode(), now=self._arrived, keep=False)
        self._unread = b""
        self._send(data, Entry(self._arrived, 0.0, "", "", error.status), keep=False)

    def _send(self, data: bytes, entry: Entry, *, keep: bool) -> None:
        answered = time.time()  # taken before: the client may have the response before `write` returns
        self._transport.write(data)
        if self._transport.get_write_buffer_size():
            self._unfinished = entry
        else:
            self._log.append(entry._replace(answered=answered))
        if not keep:
            self._transport.close()


def _serve(answer: Answer, address: str, port: int, pipe: Connection) -> None:
    """The serving process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process later
    try:
        if isinstance(answer, Prepared):
            answer.prepare()
        # The site does not change; without this, the garbage collector would scan it again and again.
        gc.freeze()
        asyncio.run(_listen(answer, address, port, pipe))
    except Exception as error:
        pipe.send(error)


async def _listen(answer: Answer, address: str, port: int, pipe: Connection) -> None:
    loop = asyncio.get_running_loop()
    log: list[Entry] = []
    ended = asyncio.Event()

    def control() -> None:
        try:
            pipe.recv()
            pipe.send([tuple(entry) for entry in log])
        except (EOFError, OSError):
            loop.remove_reader(pipe.fileno())
            ended.set()

    listener = await loop.create_server(lambda: _Connection(answer, log), address, port, backlog=1024)
    loop.add_reader(pipe.fileno(), control)
    pipe.send(listener.sockets[0].getsockname()[1])
    # A forked sibling may hold the other end of the pipe when the parent is killed, so check the parent too. Its id was
    # recorded before this process ran, because it may be dead by now.
    parent = parent_process()
    while not ended.is_set() and parent is not None and os.getppid() == parent.pid:
        try:
            await asyncio.wait_for(ended.wait(), ORPHAN_CHECK)
        except TimeoutError:
            continue
    listener.close()
