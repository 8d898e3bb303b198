"""pywb, as it replays an archive."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.real.installed import program

#: The virtual environment beside ours in which it may be.
PYWB = ".venv-pywb"

#: Seconds that pywb may take to start.
START = 60.0


@contextmanager
def replayed(directory: Path, *archive: Path, index: Path | None = None) -> Iterator[str]:
    """The URL of a collection with these files in a new directory. `index`: replaces the one that pywb makes."""
    # ttcrawl is not importable for pywb, which has an environment of its own
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    options: dict[str, Any] = {"cwd": directory, "env": environment}
    manager = program("wb-manager", PYWB)
    add = ["add", *(["--unpack-wacz"] if archive[0].suffix == ".wacz" else []), "c", *archive]
    for command in (["init", "c"], add) if index is None else (["init", "c"],):
        done = subprocess.run([manager, *command], capture_output=True, text=True, **options)
        assert done.returncode == 0, done.stdout + done.stderr
    if index is not None:
        for path in archive:
            shutil.copy(path, directory / "collections" / "c" / "archive")
        shutil.copy(index, directory / "collections" / "c" / "indexes" / "index.cdxj")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open(directory / "log", "wb") as log:
        server = subprocess.Popen(
            [program("wayback", PYWB), "-b", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log, **options
        )
        try:
            _wait(server, port, directory / "log")
            yield f"http://127.0.0.1:{port}/c/"
        finally:
            server.terminate()
            server.wait(30)


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + START
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert server.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.1)


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def fetched(url: str) -> tuple[int, Any, bytes]:
    """(Status, headers, body) without following a redirect."""
    try:
        with urllib.request.build_opener(_Stay()).open(url, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()
