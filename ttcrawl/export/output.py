"""Where an export is written: stdout, or a file that appears when it is complete.

Whoever reads stdout may stop for hours, and while a snapshot of a crawl that runs is open its log grows. So what is
written while a piece is read waits in memory until the piece ends.
"""

from __future__ import annotations

import codecs
import io
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from ttcrawl.errors import UsageError
from ttcrawl.export.compressed import Compressed, compressed
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.pieces import Pieces
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.replaced import is_special, replaced

R = TypeVar("R")


#: Bytes that wait in memory, and seconds for which a piece is read: it ends behind them.
SIZE, SECONDS = 8 << 20, 1.0


class Output:
    """A file that is written between the pieces. `clock`: in seconds."""

    closed = False  # for libraries that write into it

    def __init__(self, file: BinaryIO | Compressed | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._file, self._clock = file, clock
        self._data = list[bytes]()
        self._size = 0
        self._begun = clock()

    def write(self, data: bytes) -> int:
        self._data.append(bytes(data))
        self._size += len(data)
        return len(data)

    def writelines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self.write(line)

    def full(self) -> bool:
        """Whether the piece ends here."""
        return self._size >= SIZE or self._clock() - self._begun >= SECONDS

    def flush(self) -> None:
        """Write what waits; the next piece begins."""
        if self._file is not None:
            self._file.writelines(self._data)
        self._data = []
        self._size = 0
        self._begun = self._clock()

    def pieces(self, db: View, pieces: Pieces[R]) -> Iterator[R]:
        """All rows; more about a row can be read of its snapshot, and written here."""
        return pieces.rows_in_snapshots(db, self.full, self.flush)


@contextmanager
def output(path: Path | None, *, binary: bool) -> Iterator[Output]:
    """Open a file, or stdout (None); what pages contain is escaped on a terminal, and exact elsewhere.

    A text is compressed as its name ends. Raises UsageError for bytes on a terminal, or a missing directory.
    """
    with _opened(path, binary=binary) as file, compressed(file, None if binary else path) as packed:
        out = Output(packed)
        yield out
        out.flush()


@contextmanager
def _opened(path: Path | None, *, binary: bool) -> Iterator[BinaryIO]:
    if path is None:
        with _shown(sys.stdout.buffer, binary=binary, terminal=sys.stdout.isatty()) as file:
            yield file
        return
    if is_special(path):
        try:
            with open(path, "wb") as special, _shown(special, binary=binary, terminal=special.isatty()) as file:
                yield file
        except OSError as error:  # of a write, which names no file
            error.filename = error.filename or str(path)
            raise
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
