"""The archive: every answer as a response record of ISO 28500 (WARC 1.1), each in a gzip member of its own.

warcio makes the records, isal compresses them (a tenth of zlib's time). One series of files a parse process, so nobody
waits for anybody: `warc/ttcrawl-SERIES-NUMBER.warc.gz`.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from isal import isal_zlib
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from ttcrawl import __version__
from ttcrawl.messages import Archived, Head

#: isal's level 2: 1.5 us/KB at a ratio of 0.19, where zlib's 6 takes 12 for 0.16.
LEVEL = 2

#: The body is stored without the framing of the transfer, so the header that announces it must not stand.
FRAMING = "transfer-encoding"


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a series goes on: everything in file `number` behind `end` is unknown to the crawl and is cut off."""

    series: int
    number: int = 0
    end: int = 0


class Archive:
    """One series of WARC files, written by one process."""

    def __init__(self, directory: Path, position: Position, max_size: int) -> None:
        self._directory = directory
        self._series = position.series
        self._number = position.number
        self._max_size = max_size
        self._file = self._open(position.end)

    def append(self, url: str, head: Head, body: bytes, at: float, *, whole: bool = True) -> Archived:
        """Write one response record; `at` is when it was asked for, in seconds since the epoch."""
        if self._file.tell() >= self._max_size:
            self._file.close()
            self._number += 1
            self._file = self._open(0)
        return self._write(_response(url, head, body, at, whole))

    def _open(self, end: int) -> BinaryIO:
        path = self._directory / f"ttcrawl-{self._series}-{self._number:05d}.warc.gz"
        file = open(path, "r+b" if path.exists() else "w+b", buffering=0)  # noqa: SIM115 kept open for the crawl
        file.truncate(end)
        file.seek(end)
        self._file = file
        if end == 0:
            self._write(_information(path.name))
        return file

    def _write(self, record: bytes) -> Archived:
        compressor = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, 31)
        member = compressor.compress(record) + compressor.flush()
        offset = self._file.tell()
        written = self._file.write(member)
        while written < len(member):  # a full disk takes a part first and raises then
            written += self._file.write(member[written:])
        return Archived(file=os.path.basename(self._file.name), offset=offset, length=len(member))

    def close(self) -> None:
        self._file.close()


def _date(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _response(url: str, head: Head, body: bytes, at: float, whole: bool) -> bytes:
    headers = [(f"X-Archive-Orig-{name}" if name.lower() == FRAMING else name, value) for name, value in head.headers]
    record_headers = {"WARC-Date": _date(at)}
    if head.address:
        record_headers["WARC-IP-Address"] = head.address
    if not whole:
        record_headers["WARC-Truncated"] = "length"
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=False, warc_version="1.1")
    record = writer.create_warc_record(
        url,
        "response",
        payload=io.BytesIO(body),
        length=len(body),
        warc_headers_dict=record_headers,
        http_headers=StatusAndHeaders(f"{head.status} {head.phrase}", headers, protocol=head.version),
    )
    writer.write_record(record)
    return out.getvalue()


def _information(name: str) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=False, warc_version="1.1")
    about = {"software": f"ttcrawl/{__version__}", "format": "WARC File Format 1.1"}
    writer.write_record(writer.create_warcinfo_record(name, about))
    return out.getvalue()


def read(directory: Path, archived: Archived) -> bytes:
    """The body of an archived answer, byte for byte as the server sent it (still in its content coding)."""
    with open(directory / archived.file, "rb") as file:
        file.seek(archived.offset)
        record = next(ArchiveIterator(io.BytesIO(file.read(archived.length)), no_record_parse=False))
        body: bytes = record.raw_stream.read()
        return body
