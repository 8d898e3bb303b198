"""The window beside a crawl (`--view`): a process of its own, which ends when its standard input does."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from ttcrawl.window.application import Settings
from ttcrawl.window.serving import serve
from ttcrawl.window.viewed import viewed


def _end_with_crawl() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=_end_with_crawl, daemon=True).start()
    serve(viewed([Path(sys.argv[1])]), Settings(), 0, open_browser=False)
