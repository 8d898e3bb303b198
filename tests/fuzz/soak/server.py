"""Answers as they are, to whoever asks on loopback: a thread of this process, one answer a connection."""

from __future__ import annotations

import contextlib
import re
import socket
import socketserver
import threading
from collections.abc import Iterator, Mapping

from tests.fuzz.soak.hostile import PORT

REQUEST = re.compile(rb"\w+ (\S+) HTTP/1.1\r\n(?:.*\r\n)*?[Hh]ost: ([^:\r]+)")
HOST, OTHERS = "a.test", tuple(f"r{n}.test" for n in range(3))
MISSING = b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nnone"


def page_of(answers: Mapping[str, bytes]) -> bytes:
    """The first page: links to all the others."""
    names = [name.partition(".")[0] for name in answers]
    links = [f"<a href='/{name}'>{name}</a>" for name in names if name.isdigit()]
    links += [f"<a href='http://{host}:{PORT}/'>{host}</a>" for host in OTHERS]
    body = f"<!DOCTYPE html><title>All</title>{' '.join(links)}".encode()
    return b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n" + body


def robots_of(answers: Mapping[str, bytes]) -> bytes:
    maps = [name.partition(".")[0] for name in answers if name.startswith("sitemap")]
    body = "".join(f"Sitemap: http://{HOST}:{PORT}/{name}\n" for name in maps).encode()
    return b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n" + body


def shelf(answers: Mapping[str, bytes]) -> dict[tuple[str, str], bytes]:
    """(host, path) -> answer."""
    found = {(HOST, f"/{name.removesuffix('.http')}"): answer for name, answer in answers.items()}
    found |= {(HOST, "/"): page_of(answers), (HOST, "/robots.txt"): robots_of(answers)}
    for number, host in enumerate(OTHERS):
        found[host, "/robots.txt"] = answers.get(f"robots-{number}.http", MISSING)
        found[host, "/"] = answers.get("0.http", MISSING)
    return found


@contextlib.contextmanager
def serving(answers: Mapping[str, bytes]) -> Iterator[int]:
    """The port, on 127.0.0.1."""
    found = shelf(answers)

    class Answering(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            received = b""
            with contextlib.suppress(OSError):
                self.request.settimeout(10)
                while b"\r\n\r\n" not in received and (data := self.request.recv(65536)):
                    received += data
                asked = REQUEST.match(received)
                if asked is None:
                    return
                path, host = (part.decode("latin-1") for part in asked.groups())
                answer = found.get((host, path.partition("?")[0]), MISSING).replace(PORT.encode(), b"%d" % port)
                self.request.sendall(answer)
                self.request.shutdown(socket.SHUT_WR)
                while self.request.recv(65536):  # else what was not read becomes a reset
                    continue

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads, request_queue_size = True, 128

        def handle_error(self, request: object, client_address: object) -> None:
            """Whoever asked has gone."""

    with Server(("127.0.0.1", 0), Answering) as server:
        port: int = server.server_address[1]
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield port
        finally:
            server.shutdown()
