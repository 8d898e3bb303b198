"""The command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ttcrawl.cli.options import parsed, parser
from ttcrawl.errors import FAILED, STOPPED, USAGE, CrawlFailedError, UsageError
from ttcrawl.shown import shown

__all__ = ["main", "parser"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status: 0 done, 1 failed, 2 wrong usage, 3 stopped with work left."""
    options = parsed(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except UsageError as error:
        return _complain(error, USAGE)
    except CrawlFailedError as error:
        return _complain(error, FAILED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader of our output has gone
        return FAILED
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else error, FAILED)
    except KeyboardInterrupt:
        return _complain("interrupted", STOPPED)


def _complain(error: object, status: int) -> int:
    print(f"ttcrawl: {shown(str(error))}", file=sys.stderr)
    return status
