"""Responses read from the archive, for the processes of the crawl."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

from isal import isal_zlib
from warcio.archiveiterator import ArchiveIterator

from ttcrawl.ring.messages import Archived, Head
from ttcrawl.ring.position import is_name
from ttcrawl.store.warc import GZIP


class DamagedRecordError(Exception):
    """The bytes at a position are not the record of this response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedResponse:
    """A record of the archive. The framing of chunked transfers is removed."""

    url: str
    head: Head  # without the address
    body: bytes  # still in its content coding; empty in a revisit record
    truncated: bool  # the body is incomplete


def response(directory: Path, where: Archived) -> ArchivedResponse:
    """Read a response or revisit record from warc/. Raises OSError, and DamagedRecordError."""
    if not is_name(where.file):
        raise DamagedRecordError(f"{where.file!r} is not a WARC file of a crawl")
    with open(directory / where.file, "rb") as file:
        file.seek(where.offset)
        member = file.read(where.length)
    try:
        # isal decompresses in a fifth of the time
        record = next(ArchiveIterator(io.BytesIO(isal_zlib.decompress(member, GZIP))))
        http, about = record.http_headers, record.rec_headers
        head = Head(
            status=int(http.get_statuscode()),
            phrase=http.statusline.partition(" ")[2],
            version=http.protocol,
            headers=tuple(http.headers),
            address="",
        )
        return ArchivedResponse(
            url=about.get_header("WARC-Target-URI") or "",
            head=head,
            body=record.raw_stream.read(),
            truncated=record.rec_type == "response" and about.get_header("WARC-Truncated") is not None,
        )
    except Exception as error:  # warcio raises many types; each one means that the bytes are not a record
        raise DamagedRecordError(str(error) or type(error).__name__) from error
