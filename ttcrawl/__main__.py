"""The process of the command: `ttcrawl`, and `python -m ttcrawl`, which is the same."""

import atexit
import contextlib
import gc
import os
import signal
import sys
from typing import NoReturn

from ttcrawl.errors import STOPPED


def command() -> NoReturn:
    """The first Ctrl-C ends the command, whatever it is at (a crawl has its own ways: ttcrawl.engine.run.interrupts);
    none that comes after that, or after its end, interrupts anything: exit status and last words are what they are."""
    over = False
    status: int | None = None

    @atexit.register  # the first, so it is called after all others, when threads have ended
    def leave() -> None:
        """Leave the memory to the system: to clear all modules away takes Python 0.02 s."""
        if status is None:
            return  # it was an error, or wrong usage
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with contextlib.suppress(OSError, ValueError):  # who reads it is gone, and the status says what came of it
                stream.flush()
        os._exit(status)

    def interrupt(number: int, frame: object) -> None:
        nonlocal over
        if not over:
            over = True
            raise KeyboardInterrupt

    gc.set_threshold(50_000)  # instead of 700: what a command imports is not garbage, and to search it takes 0.01 s
    # numpy's library of linear algebra would start a thread for each processor, which all wait busily at first: 0.1 s
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as of what a script starts in the background
        signal.signal(signal.SIGINT, interrupt)
    try:
        from ttcrawl.cli import main  # takes a moment, in which one may come too

        status = main(alone=True)
        over = True
    except KeyboardInterrupt:
        status = STOPPED
    except RuntimeError as error:
        # Python 3.11 hides one that comes while it names the fields of a class, as in the configuration
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        status = STOPPED
    # Not let in, then ignored: else one is complained about in between, or has its default effect while Python ends.
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


if __name__ == "__main__":
    command()
