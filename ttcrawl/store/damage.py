"""Errors by rows that no ttcrawl has written: of a damaged file, or of one that somebody has made."""

from __future__ import annotations

import sqlite3
import struct
import traceback
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from ttcrawl.errors import CrawlFailedError
from ttcrawl.output.shell import command_line

PACKAGE = Path(__file__).parents[1]

#: Values of another kind than their column: texts where numbers are, texts that do not unpack, rows that are missing.
WRONG_VALUES = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    zlib.error,
    struct.error,
    msgspec.MsgspecError,
)

#: What a damaged database causes.
DAMAGE = (sqlite3.DatabaseError, *WRONG_VALUES)


@contextmanager
def sound(path: Path, what: str) -> Iterator[None]:
    """Turns errors of wrong values into CrawlFailedError; `what`: what cannot be done, and what has not happened.

    The message names the line of the program, which tells a damaged file from a mistake of ours.
    """
    try:
        yield
    except WRONG_VALUES as error:
        cause = f"{type(error).__name__}: {error}{_line(error)}"
        verify = command_line("verify", path.parent)
        raise CrawlFailedError(
            f"cannot {what}: {path} has values that ttcrawl does not write ({cause}); see {verify}"
        ) from error


def _line(error: Exception) -> str:
    frames = [each for each in traceback.extract_tb(error.__traceback__) if PACKAGE in Path(each.filename).parents]
    return f" in {Path(frames[-1].filename).relative_to(PACKAGE.parent)}, line {frames[-1].lineno}" if frames else ""


def unusable(directory: Path, error: Exception) -> str:
    """Say why a crawl.db cannot be opened as one, and what to do."""
    path = directory / "crawl.db"
    if "malformed" in str(error):  # SQLITE_CORRUPT
        again = command_line("import", directory / "warc", "-d", "NEW")
        return f"{path} has damage ({error}): restore a copy, or use its archive: {again}"
    return f"{path} is not a crawl database ({error}): name the directory that was given to -d"
