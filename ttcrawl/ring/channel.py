"""Messages over a socket pair between the crawl process and one worker process: MessagePack after its length.

Both ends are ttcrawl's own processes. The crawl process never waits for the rest of a message (`Inbox`): a worker that
is stopped or killed in the middle of one cannot block it.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import signal
import socket
import struct
import sys
import threading
from collections import deque
from multiprocessing import forkserver
from typing import Any

from msgspec.msgpack import Decoder, Encoder

from ttcrawl.ring.fork_server import TO_ALL

LENGTH = struct.Struct("=I")
LARGEST = (1 << 32) - 1  # bytes of a message that has such a length
#: Bytes received at once, into a buffer that is made once: a new one for each message costs ten times as much.
CHUNK = 1 << 20
#: Bytes that a worker can send before the crawl process reads: two dozen usual pages, as many as gather in its longest
#: pause. Linux takes twice the number, and usually allows less (net.core.wmem_max); with its default of 208 KB parse
#: processes waited for a sixth of their time.
UNREAD = 1 << 19
PR_SET_PDEATHSIG = 1  # linux/prctl.h

_pack = Encoder().encode


def encode(message: Any) -> bytes:
    payload = _pack(message)
    return LENGTH.pack(len(payload)) + payload


def live_and_die_with_the_crawl() -> None:
    """Prepare a worker process; the worker calls this first.

    It ignores signals meant for the crawl process. When the crawl process is killed, its fork server ends, and Linux
    then kills this process at any point; on other systems it ends when it next reads or writes.
    """
    for number in TO_ALL:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, TO_ALL)  # programs that convert documents must receive them
    # every process inherits the descriptor that keeps its fork server alive, in case it starts processes itself
    server: Any = forkserver
    with contextlib.suppress(AttributeError, OSError, TypeError):
        os.close(server._forkserver._forkserver_alive_fd)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def pair() -> tuple[socket.socket, socket.socket]:
    """Return the ends of the crawl process and of a worker."""
    ours, theirs = socket.socketpair()
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
    return ours, theirs


class Inbox:
    """Assembles messages from the pieces that the socket delivers. `largest`: bytes of a message."""

    def __init__(self, decoder: Decoder[Any], largest: int = LARGEST) -> None:
        self._decode, self._largest = decoder.decode, largest
        self._bytes = bytearray()

    def feed(self, data: bytes | memoryview) -> list[Any]:
        """Return the messages that `data` completes, in order. Raises ValueError for an invalid message."""
        if self._bytes:
            self._bytes += data
            messages, position = self._complete(self._bytes)
            del self._bytes[:position]
        else:  # usually all messages are complete, and need no copy
            messages, position = self._complete(data)
            self._bytes += data[position:]
        return messages

    def _complete(self, data: bytes | bytearray | memoryview) -> tuple[list[Any], int]:
        """Return the complete messages at the beginning of `data`, and where the rest begins."""
        messages, position, end = [], 0, len(data)
        with memoryview(data) as view:
            while end - position >= LENGTH.size:
                (length,) = LENGTH.unpack_from(view, position)
                if length > self._largest:
                    raise ValueError(f"a message of {length:,} bytes")
                if end - position - LENGTH.size < length:
                    break
                position += LENGTH.size
                messages.append(self._decode(view[position : position + length]))
                position += length
        return messages, position


def _buffer() -> memoryview:
    """Return a buffer that takes memory only as far as messages have filled it: few are as long."""
    return memoryview(mmap.mmap(-1, CHUNK, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


class Peer:
    """The crawl process's end of a socket to a worker: it never waits."""

    def __init__(self, connection: socket.socket, decoder: Decoder[Any]) -> None:
        self._socket = connection
        self._inbox = Inbox(decoder)
        self._buffer = _buffer()

    def receive(self) -> list[Any] | None:
        """Return the messages that are there; None if the process is dead, or sent an invalid message."""
        try:
            size = self._socket.recv_into(self._buffer, 0, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return []
        except OSError:
            return None
        if not size:
            return None
        try:
            return self._inbox.feed(self._buffer[:size])
        except ValueError:
            return None


class Channel:
    """A worker's end. Several threads may call `receive` and `send`.

    The threads take turns at reading: one waits in the socket, the others wait for their turn. The thread that receives
    a message processes it itself, so a message wakes exactly one thread and is never passed between threads.
    """

    def __init__(self, connection: socket.socket, decoder: Decoder[Any]) -> None:
        self._socket = connection
        self._inbox, self._buffer = Inbox(decoder), _buffer()
        self._ready: deque[Any] = deque()
        self._turn = threading.Lock()
        self._sending = threading.Lock()

    def receive(self) -> Any:
        """Return the next message. Raises EOFError when the crawl process has ended."""
        with self._turn:
            while not self._ready:
                size = self._socket.recv_into(self._buffer)
                if not size:
                    raise EOFError
                self._ready.extend(self._inbox.feed(self._buffer[:size]))
            return self._ready.popleft()

    def send(self, message: Any) -> None:
        data = encode(message)
        with self._sending:
            self._socket.sendall(data)
