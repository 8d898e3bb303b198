"""Messages over a socket pair between the crawl process and one worker process: MessagePack with its length before it.

Only our own processes speak here. The crawl process never waits for the rest of a message (`Inbox`): a worker that is
stopped or killed in the middle of one cannot hold it up.
"""

from __future__ import annotations

import contextlib
import ctypes
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

LENGTH = struct.Struct("=I")
CHUNK = 1 << 18
PR_SET_PDEATHSIG = 1  # linux/prctl.h

#: Signals that go to all processes of a terminal, or of a group: the crawl process decides what they mean.
TO_ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_pack = Encoder().encode


def encode(message: Any) -> bytes:
    payload = _pack(message)
    return LENGTH.pack(len(payload)) + payload


def live_and_die_with_the_crawl() -> None:
    """To be called by a worker first.

    It ignores what is for the crawl process. When that is killed its fork server ends, and Linux then kills this
    process, whatever it is doing; elsewhere it ends when it next reads or writes.
    """
    for number in TO_ALL:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, TO_ALL)  # the programs that convert documents are to hear them
    # multiprocessing gives every process what keeps its fork server alive, in case it should start processes itself
    server: Any = forkserver
    with contextlib.suppress(AttributeError, OSError, TypeError):
        os.close(server._forkserver._forkserver_alive_fd)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Inbox:
    """Puts messages together from whatever pieces the socket brings."""

    def __init__(self, decoder: Decoder[Any]) -> None:
        self._decode = decoder.decode
        self._bytes = bytearray()

    def feed(self, data: bytes) -> list[Any]:
        """The messages that `data` completes, in order. Raises ValueError for what is none."""
        self._bytes += data
        messages, at, end = [], 0, len(self._bytes)
        while end - at >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._bytes, at)
            if end - at - LENGTH.size < length:
                break
            at += LENGTH.size
            messages.append(self._decode(memoryview(self._bytes)[at : at + length]))
            at += length
        if at:
            del self._bytes[:at]
        return messages


class Channel:
    """A worker's end. Several threads may call `receive` and `send`.

    The threads take turns at reading: one waits in the socket, the others for their turn, and the one that gets a
    message goes to work with it itself, so that a message wakes exactly one thread and is handed on by none.
    """

    def __init__(self, connection: socket.socket, decoder: Decoder[Any]) -> None:
        self._socket = connection
        self._inbox = Inbox(decoder)
        self._ready: deque[Any] = deque()
        self._turn = threading.Lock()
        self._sending = threading.Lock()

    def receive(self) -> Any:
        """The next message; EOFError when the crawl process is gone."""
        with self._turn:
            while not self._ready:
                data = self._socket.recv(CHUNK)
                if not data:
                    raise EOFError
                self._ready.extend(self._inbox.feed(data))
            return self._ready.popleft()

    def send(self, message: Any) -> None:
        data = encode(message)
        with self._sending:
            self._socket.sendall(data)
