"""Files with seeds: opened, unpacked and decoded, in bounded memory. `ttcrawl.web.seed_lists` reads what is in them."""

from __future__ import annotations

import codecs
import io
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from ttcrawl.config import Line
from ttcrawl.errors import UsageError, require
from ttcrawl.output.number import counted
from ttcrawl.web.coding.inflate import Inflate
from ttcrawl.web.mime.sniff import HEAD as SNIFFED
from ttcrawl.web.mime.sniff import unknown
from ttcrawl.web.mime.standard_signatures import BINARY
from ttcrawl.web.seed_lists.entry import Entry, NoListError
from ttcrawl.web.seed_lists.form import Form, form_of
from ttcrawl.web.seed_lists.tables import URL

#: The name of a file that stands for standard input, and what messages call it.
STDIN = "-"
STDIN_NAME = "standard input"

#: Bytes that decide about encoding and form.
HEAD = 1 << 20

#: Bytes of a file that is read as one document, such as a sitemap.
DOCUMENT = 128 << 20

#: Characters of a line; a longer one is not a seed. Rows of an export have the texts of pages. What a message may show.
LINE, SHOWN = 1 << 24, 200

#: What unpacks to more bytes than this, and than this many for each packed byte, is a bomb.
ALWAYS, RATIO = 1_000_000, 250

PIECE = 1 << 16

_GZIP = b"\x1f\x8b"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: What they are called where the MIME standard has no name, or none that people know.
_PACKED = (
    (b"PK\x03\x04", "a ZIP archive or a document of an office program: unpack it, or write its table as CSV"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd: unpack it"),
    (b"\xfd7zXZ\x00", "packed with xz: unpack it"),
    (b"BZh", "packed with bzip2: unpack it"),
    (b"SQLite format 3\x00", "an SQLite database: write its URLs with sqlite3"),
)
_PARQUET = b"PAR1"


def lines_of(file: str, column: str, say: Callable[[str], None]) -> Iterator[Line]:
    """The seeds in a file ("-": standard input), in a column of a table ("": url).

    Raises UsageError for a file that cannot be read, or that has no URL.
    """
    name = STDIN_NAME if file == STDIN else file
    rests: list[int] = []
    number = 0
    try:
        with _opened(file) as stream:
            entries, unit = _entries(stream, column, lambda text: say(f"{name}: {text}"))
            for number, text, rest in entries:
                if rest:
                    rests.append(number)
                yield Line(text=text, file=name, number=number, unit=unit)
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror or error}; name a readable file with --seeds") from error
    except NoListError as error:
        raise UsageError(f"{name} {error}") from error
    if not number:
        raise UsageError(f"there are no seeds in {name}: it has no URL")
    if rests:
        more = f", as in {counted(len(rests) - 1, 'more line')}" if rests[1:] else ""
        say(f"{name}, line {rests[0]}: what follows the URL is left out{more}; write %20 for a blank in a URL")


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file != STDIN:
        with Path(file).open("rb") as stream:
            yield stream
    elif sys.stdin is None:
        raise NoListError("is closed")
    else:
        yield sys.stdin.buffer


def _entries(stream: BinaryIO, column: str, say: Callable[[str], None]) -> tuple[Iterable[Entry], str]:
    """Return the entries of a list, and what their numbers count. Raises NoListError."""
    head, rest = _split(stream)
    if head.startswith(_PARQUET):
        return _parquet(_complete(head, rest), column), "row"
    if head.startswith(_GZIP):
        head, rest = _split(_Unpacked(head, rest))
    _must_be_text(head)
    encoding = _encoding(head)
    beginning = head.decode(encoding, "replace")
    form: Form = form_of(beginning.lstrip("\ufeff"), column, complete=len(head) < HEAD)
    if form.of_lines is not None:
        errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
        text = io.TextIOWrapper(_Joined(head, rest), encoding, errors=errors)
        return form.of_lines(_lines(text)), "line"
    assert form.of_document is not None
    return form.of_document(_complete(head, rest), column, say), "entry"


def _split(stream: Any) -> tuple[bytes, Any]:
    """Return the beginning of a stream, and the stream behind it; a pipe gives less than it is asked for."""
    head = b""
    while len(head) < HEAD and (piece := stream.read(HEAD - len(head))):
        head += piece
    return head, stream


def _complete(head: bytes, rest: Any) -> bytes:
    parts, size = [head], len(head)
    while piece := rest.read(PIECE):
        size += len(piece)
        if size > DOCUMENT:
            raise NoListError(
                f"is larger than {DOCUMENT >> 20} MiB, and is not a list that is read line by line: split it"
            )
        parts.append(piece)
    return b"".join(parts)


def _must_be_text(head: bytes) -> None:
    """Raises NoListError for the formats that people name by mistake."""
    for mark, name in _PACKED:
        if head.startswith(mark):
            raise NoListError(f"is {name}")
    kind = unknown(head[:SNIFFED], sniff_scriptable=True)
    binary = kind == BINARY and b"\0" in head[:SNIFFED] and _encoding(head) == "utf-8"
    if binary or not (kind == BINARY or kind.startswith("text/")):
        raise NoListError(f"is {kind}, no list of URLs: name a text, a table or another list with --seeds")


def _encoding(head: bytes) -> str:
    """By a byte order mark. UTF-16 without one has a NUL beside each of its first characters, which are ASCII."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    even, odd = head[0:64:2], head[1:64:2]
    if odd and not any(odd) and all(even):
        return "utf-16-le"
    return "utf-16-be" if odd and not any(even) and all(odd) else "utf-8"


def _lines(text: TextIO) -> Iterator[str]:
    """The lines, none longer than LINE. Bytes that are not text become surrogates."""
    while line := text.readline(LINE):
        if len(line) < LINE or line.endswith("\n"):
            yield line
            continue
        yield line[:SHOWN] + "\0\n"  # cut, it would be another URL
        while len(line) == LINE and not line.endswith("\n"):
            line = text.readline(LINE)


class _Joined(io.BufferedReader):
    """A stream whose beginning was read."""

    def __init__(self, head: bytes, rest: Any) -> None:
        super().__init__(_Pieces(head, rest.read), PIECE)


class _Pieces(io.RawIOBase):
    def __init__(self, head: bytes, read: Callable[[int], bytes]) -> None:
        self._waiting, self._read = memoryview(head), read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._waiting:
            self._waiting = memoryview(self._read(PIECE))
        size = min(len(buffer), len(self._waiting))
        buffer[:size] = self._waiting[:size]
        self._waiting = self._waiting[size:]
        return size


class _Unpacked:
    """The contents of a gzip file, of one or several members. `read` raises NoListError for a bomb, and for damage."""

    def __init__(self, head: bytes, rest: Any) -> None:
        self._packed = _Joined(head, rest)
        self._output = self._pieces()
        self._received = self._unpacked = 0

    def read(self, size: int) -> bytes:
        """Return the next piece of any length; b"" at the end."""
        return next(self._output, b"")

    def _pieces(self) -> Iterator[bytes]:
        data = self._next()
        while data.startswith(_GZIP):
            member = Inflate(31, PIECE)
            while not member.ended:
                try:
                    for piece in member.pieces(data):
                        self._count(piece)
                        if piece:
                            yield piece
                except zlib.error as error:
                    raise NoListError(f"is damaged: {error}") from error
                data = member.rest if member.ended else self._next()
                if not data and not member.ended:
                    raise NoListError("is not complete: its gzip data ends early")
            data = data if len(data) > 1 else data + self._next()

    def _next(self) -> bytes:
        data = self._packed.read1(PIECE)
        self._received += len(data)
        return data

    def _count(self, piece: bytes) -> None:
        self._unpacked += len(piece)
        if self._unpacked > max(ALWAYS, RATIO * self._received):
            raise NoListError(f"is a bomb: it unpacks to more than {RATIO} times its size")


def _parquet(data: bytes, column: str) -> Iterator[Entry]:
    require("pyarrow")
    from pyarrow import BufferReader
    from pyarrow.lib import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        file = ParquetFile(BufferReader(data))
        names = file.schema_arrow.names
        name = next((each for each in names if each.casefold() == (column or URL).casefold()), None)
        if name is None:
            raise NoListError(f"has no column {column or URL}: its columns are {', '.join(names[:20])}")
        number = 0
        for batch in file.iter_batches(columns=[name]):
            for value in batch.column(0).to_pylist():
                number += 1
                if isinstance(value, str) and value.strip():
                    yield Entry(number, value.strip())
    except ArrowException as error:
        raise NoListError(f"is damaged: {error}") from error
