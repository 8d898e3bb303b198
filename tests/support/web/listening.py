"""A server whose connections are the arguments of a function."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def listening(
    serve: Callable[[socket.socket], object], address: str = "127.0.0.1", *, threads: bool = True
) -> Iterator[int]:
    """Serve connections until the end of the block; gives the port.

    Each has a thread of its own, or they are served one after the other. An OSError ends one of them.
    """
    server = socket.create_server((address, 0), backlog=256)

    def one(connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            serve(connection)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection = server.accept()[0]
                if threads:
                    threading.Thread(target=one, args=(connection,), daemon=True).start()
                else:
                    one(connection)

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()
