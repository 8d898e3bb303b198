"""The server of the window: on 127.0.0.1, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
import webbrowser
from collections.abc import Mapping

import uvicorn

from ttcrawl.errors import DONE, UsageError
from ttcrawl.window.application import Settings, application
from ttcrawl.window.safety import Safety
from ttcrawl.window.viewed import Viewed

LOOPBACK = "127.0.0.1"


def serve(crawls: Mapping[str, Viewed], settings: Settings, port: int, *, open_browser: bool) -> int:
    """Print the address, and answer until the end; return the exit status. Raises UsageError if the port is taken."""
    listening = listen(LOOPBACK, port)
    port = listening.getsockname()[1]
    safety = safety_of(port)
    app = application(crawls, safety, settings)
    address = f"http://{LOOPBACK}:{port}/?token={safety.token}"
    print(address, flush=True)
    print("ttcrawl: the window is open at this address, for this browser alone; Ctrl-C closes it", file=sys.stderr)
    if open_browser:
        webbrowser.open(address)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", server_header=False))
    app.state.ends = lambda: server.should_exit
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # uvicorn raises signals again when it has ended
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    return DONE


def safety_of(port: int) -> Safety:
    """What a window on this port of 127.0.0.1 demands."""
    hosts = frozenset(f"{name}:{port}" for name in (LOOPBACK, "localhost"))
    return Safety(hosts=hosts, cookie_name=f"ttcrawl-{port}")


def listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise UsageError(f"port {port} of {host} cannot be used ({error.strerror}): choose another --port") from error
