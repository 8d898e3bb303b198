"""A server on 127.0.0.1 whose answers are a method of the object that runs it: the base of servers with a state."""

from __future__ import annotations

import http.server
import threading
from dataclasses import dataclass
from typing import Self


@dataclass(slots=True, kw_only=True)
class Answering:
    """`answer` is called in the thread of each connection. `port`: 0: any that is free."""

    port: int = 0
    _server: http.server.ThreadingHTTPServer | None = None

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        raise NotImplementedError

    def url(self, path: str) -> str:
        return f"http://a.test:{self.port}{path}"

    def __enter__(self) -> Self:
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                owner.answer(self)

            do_HEAD = do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()
