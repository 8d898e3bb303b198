"""Where an export is written: stdout, or a file that appears when it is complete."""

from __future__ import annotations

import codecs
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ttcrawl.errors import UsageError
from ttcrawl.store.replaced import is_special, replaced
from ttcrawl.web.untrusted import escape_untrusted


@contextmanager
def output(path: Path | None, *, binary: bool) -> Iterator[BinaryIO]:
    """Open a file, or stdout (None); what pages contain is escaped on a terminal, and exact elsewhere.

    Raises UsageError for bytes on a terminal, or a missing directory.
    """
    if path is None:
        with _shown(sys.stdout.buffer, binary=binary, terminal=sys.stdout.isatty()) as file:
            yield file
        return
    if is_special(path):
        with open(path, "wb") as special, _shown(special, binary=binary, terminal=special.isatty()) as file:
            yield file
        return
    with replaced(path) as fresh, open(fresh, "wb") as file:
        yield file


@contextmanager
def _shown(file: BinaryIO, *, binary: bool, terminal: bool) -> Iterator[BinaryIO]:
    if not terminal:
        yield file
    elif binary:
        raise UsageError("this format is binary: name a file with -o FILE")
    else:
        with io.BufferedWriter(_Terminal(file)) as escaped:
            yield escaped
    file.flush()


class _Terminal(io.RawIOBase):
    """Text in UTF-8 for a terminal: all that would move, hide or reorder it is escaped, but for line ends and tabs."""

    def __init__(self, terminal: BinaryIO) -> None:
        self._terminal = terminal
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        written = bytes(data)
        pieces = re.split(r"(\r?\n|\t)", self._decoder.decode(written))  # every second one is such a character
        text = "".join(piece if number % 2 else escape_untrusted(piece) for number, piece in enumerate(pieces))
        self._terminal.write(text.encode())
        return len(written)
