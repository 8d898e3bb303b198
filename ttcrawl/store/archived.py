"""Responses read from the archive, for the processes of the crawl."""

from __future__ import annotations

import re
from http import HTTPStatus
from pathlib import Path

from msgspec import Struct

from ttcrawl.ring.messages import FTP, Archived, Head
from ttcrawl.ring.position import is_name
from ttcrawl.store import ftp_records
from ttcrawl.store.archive_objects import read_at
from ttcrawl.store.raw_records import TRUNCATED, TYPE, RawRecord, split_head, unpacked
from ttcrawl.store.warc_records import Fields
from ttcrawl.web.fields import fields_of, mended
from ttcrawl.web.status_line import status_line

#: The line in front of a chunk, with its extensions.
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r\n")


class DamagedRecordError(Exception):
    """The bytes at a position are not the record of this response."""


class ArchivedResponse(Struct, frozen=True, kw_only=True):
    """A record of the archive. The framing of chunked transfers is removed."""

    url: str
    head: Head  # without the address
    body: bytes  # still in its content coding; empty in a revisit record
    truncated: bool  # the body is incomplete


def response(directory: Path, where: Archived) -> ArchivedResponse:
    """Read a response or revisit record from warc/. Raises OSError, and DamagedRecordError."""
    record = record_at(directory, where)
    try:
        head, body = read_answer(record)
    except ValueError as error:
        raise DamagedRecordError(str(error)) from error
    return ArchivedResponse(
        url=record.url,
        head=head,
        body=body,
        truncated=record.get(TYPE) != "revisit" and bool(record.get(TRUNCATED)),
    )


def read_answer(record: RawRecord) -> tuple[Head, bytes]:
    """Return head (without the address) and body of the record of an answer. Raises ValueError."""
    if (over_ftp := ftp_records.read(record.get, record.block)) is not None:
        return over_ftp
    if record.get(TYPE) == "resource":  # the answer alone, as warcit and Heritrix (over FTP) write it
        version, kind = FTP if record.url.startswith("ftp:") else "HTTP/1.1", record.get("content-type")
        headers = tuple(("Content-Type", each) for each in (kind,) if each)
        return Head(status=HTTPStatus.OK, phrase="", version=version, headers=headers, address=""), record.block
    head, body = split_head(record.block)
    first, _, lines = head.partition(b"\n")
    about = status_line(first.removesuffix(b"\r"))
    if about is None:
        raise ValueError("no status line")
    headers = tuple(fields_of(mended(lines + b"\r\n\r\n" if lines else b"\r\n")))
    if any(name.lower() == "transfer-encoding" and value.lower() == "chunked" for name, value in headers):
        body = unchunked(body)  # ttcrawl renames this header, and removes the framing; most programs do not
    return Head(status=about.status, phrase=about.phrase, version=about.version, headers=headers, address=""), body


def unchunked(body: bytes) -> bytes:
    r"""Return a body without the framing of chunks (RFC 9112 section 7.1); without such framing, as it is.

    Some programs remove it and leave the header.

    >>> unchunked(b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"), unchunked(b"<p>"), unchunked(b"5\r\nabc")
    (b'abcde', b'<p>', b'abc')
    """
    pieces, position = list[bytes](), 0
    while match := _CHUNK.match(body, position):
        size, position = int(match[1], 16), match.end()
        if size == 0:
            return b"".join(pieces)
        pieces.append(body[position : position + size])
        position += size
        if position < len(body) and body[position : position + 2] != b"\r\n":
            return body  # it was no size of a chunk
        position += 2
    return b"".join(pieces) if pieces and position >= len(body) else body


def refers_to(directory: Path, where: Archived) -> Fields:
    """Return the fields of a record that refer to the bytes of an archived response; (): it is damaged or not there.

    A revisit record refers to another one, which has the bytes.
    """
    try:
        record = record_at(directory, where)
    except (OSError, DamagedRecordError):
        return ()
    own = ("WARC-Target-URI", "WARC-Date")
    names = ("WARC-Refers-To-Target-URI", "WARC-Refers-To-Date")
    values = [record.get(name.lower()) for name in (names if record.get(TYPE) == "revisit" else own)]
    return tuple(zip(names, values, strict=True)) if all(values) else ()


def record_at(directory: Path, where: Archived) -> RawRecord:
    """Read a record of any type from warc/. Raises OSError, and DamagedRecordError."""
    if not is_name(where.file):
        raise DamagedRecordError(f"{where.file!r} is not a WARC file of a crawl")
    member = read_at(directory, where.file, where.offset, where.length)
    try:
        return unpacked(member)
    except ValueError as error:
        raise DamagedRecordError(str(error)) from error
