"""Where a test needs a real browser."""

import socket
import threading

import pytest

from ttcrawl.browser.program import program
from ttcrawl.config import Browser
from ttcrawl.errors import UsageError


def missing():
    """Why there is no browser, "" if there is one."""
    try:
        program(Browser(use="yes"))
    except UsageError as error:
        return str(error)
    return ""


needs_chromium = pytest.mark.skipif(bool(missing()), reason=missing())


class Private:
    """A loopback address that the crawl may not contact: it counts TCP connections and UDP packets."""

    def __init__(self, address: str) -> None:
        self.reached: list[str] = []
        self._tcp = socket.create_server((address, 0))
        self.authority = f"{address}:{self._tcp.getsockname()[1]}"
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(self._tcp.getsockname())
        threading.Thread(target=self._accept, daemon=True).start()
        threading.Thread(target=self._receive, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._tcp.accept()
            except OSError:
                return
            self.reached.append("TCP")
            connection.close()

    def _receive(self) -> None:
        while True:
            try:
                self._udp.recv(1)
            except OSError:
                return
            self.reached.append("UDP")

    def __enter__(self) -> "Private":
        return self

    def __exit__(self, *_: object) -> None:
        self._tcp.close()
        self._udp.close()
