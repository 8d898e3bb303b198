"""The server of the window: on 127.0.0.1, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import contextlib
import signal
import sys
import webbrowser
from collections.abc import Mapping

import uvicorn

from ttcrawl.cluster.named import Named
from ttcrawl.errors import DONE, UsageError
from ttcrawl.web.listening import LOOPBACK, listen
from ttcrawl.window.application import Settings, application
from ttcrawl.window.safety import Safety


def serve(
    crawls: Mapping[str, Named], settings: Settings, port: int, *, open_browser: bool, host: str = LOOPBACK
) -> int:
    """Print the address, and answer until the end; return the exit status.

    Raises UsageError if the port is taken, for another host than 127.0.0.1 if the search is not public, and for a
    public search of several crawls, or with control.
    """
    public = settings.public_search
    if host != LOOPBACK and not public:
        raise UsageError(f"the window is for you alone, at {LOOPBACK}: --host {host} is for --public-search")
    if public and (settings.control or len(crawls) != 1):
        raise UsageError("--public-search is for one crawl, without --control")
    listening = listen(host, port)
    port = listening.getsockname()[1]
    safety = safety_of(port, public=public)
    app = application(crawls, safety, settings)
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/{'' if public else f'?token={safety.token}'}"
    print(address, flush=True)
    whom = "whoever reaches it can search the crawl" if public else "for this browser alone"
    print(f"ttcrawl: the window is open at this address, {whom}; Ctrl-C closes it", file=sys.stderr)
    if open_browser:
        webbrowser.open(address)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", server_header=False))
    app.state.ends = lambda: server.should_exit
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # uvicorn raises signals again when it has ended
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    app.state.listings.close()
    return DONE


def safety_of(port: int, *, public: bool = False) -> Safety:
    """What a window on this port of 127.0.0.1 demands, or a public search: nothing, under any name."""
    hosts = frozenset(f"{name}:{port}" for name in (LOOPBACK, "localhost"))
    return Safety(hosts=frozenset() if public else hosts, cookie_name=f"ttcrawl-{port}", open=public)
