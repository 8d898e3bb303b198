"""The command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ttcrawl.cli.command_line import parsed, parser
from ttcrawl.cli.streams import open_streams
from ttcrawl.errors import FAILED, STOPPED, USAGE, CrawlFailedError, UsageError, plain
from ttcrawl.output.colour import BOLD, RED, colour_of

__all__ = ["main", "parser"]

NOWHERE = "the current directory was removed: change to another one"


def main(arguments: Sequence[str] | None = None, *, alone: bool = False) -> int:
    """Run the command. Returns the exit status: 0 done, 1 failed, 2 wrong usage, 3 stopped with work left.

    `alone`: this process does nothing else.
    """
    open_streams(alone=alone)
    words = list(sys.argv[1:] if arguments is None else arguments)
    with colour_of(words):
        return _run(words, alone=alone)


def _run(words: Sequence[str], *, alone: bool) -> int:
    try:
        options = parsed(words)
        options.alone = alone
        with progress_of(options):
            status: int = options.run(options)
            sys.stdout.flush()
        return status
    except UsageError as error:
        return _complain(error, USAGE)
    except FileNotFoundError as error:
        return _complain(plain(error) if error.filename or _is_somewhere() else NOWHERE, FAILED)
    except MemoryError as error:
        return _complain(f"too little memory (ulimit -v): {plain(error)}", FAILED)
    except ImportError as error:  # also of a library that does not fit into memory
        return _complain(f"a library cannot be loaded: {plain(error)}; is memory limited (ulimit -v)?", FAILED)
    except CrawlFailedError as error:
        return _complain(error, FAILED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader of our output is gone
        return FAILED
    except OSError as error:
        return _complain(plain(error), FAILED)
    except KeyboardInterrupt:
        return _complain("interrupted", STOPPED)


def _is_somewhere() -> bool:
    """Whether the current directory still exists."""
    try:
        return bool(os.getcwd())
    except OSError:
        return False


@contextmanager
def progress_of(options: argparse.Namespace) -> Iterator[None]:
    """Let --quiet keep progress back."""
    if not options.quiet:
        yield
        return
    from ttcrawl.output.display import ReadProgress  # many commands show no progress

    options.progress = "none"
    ReadProgress.quiet = True
    try:
        yield
    finally:
        ReadProgress.quiet = False


def _complain(error: object, status: int) -> int:
    from ttcrawl.output.display import tell  # most commands end well, and many show no progress

    tell(str(error), BOLD + RED)
    return status
