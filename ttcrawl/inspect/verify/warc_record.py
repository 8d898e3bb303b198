"""A WARC record as `ttcrawl verify` reads it."""

from __future__ import annotations

import io
from dataclasses import dataclass

import xxhash
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders

from ttcrawl.store import ftp_records
from ttcrawl.web.status_line import status_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A completely read WARC record."""

    kind: str
    id: str
    concurrent: str  # of a request: the id of its response
    url: str
    date: str
    status: str
    length: int
    digest: bytes
    payload_digest: str  # from the header of the record
    profile: str  # of a revisit
    target: str  # of a revisit: the URL that it refers to, and the time of that request
    target_date: str
    sound: bool  # its digests match its bytes


def parse(data: bytes) -> Record | None:
    """The record in a member; None if the member is not a valid record."""
    try:
        record = next(ArchiveIterator(io.BytesIO(data), check_digests=True))
        http, header, block = record.http_headers, record.rec_headers.get_header, record.raw_stream.read()
        over_ftp = ftp_records.read(header, block)
        body = block if over_ftp is None else over_ftp[1]
        is_answer = over_ftp is not None and record.rec_type != "revisit"
        return Record(
            kind="response" if is_answer else record.rec_type,
            id=header("WARC-Record-ID") or "",
            concurrent=header("WARC-Concurrent-To") or "",
            url=header("WARC-Target-URI") or "",
            date=header("WARC-Date") or "",
            status=_status(http) if http else str(over_ftp[0].status) if over_ftp else "",
            length=len(body),
            digest=xxhash.xxh3_128_digest(body),
            payload_digest=header("WARC-Payload-Digest") or "",
            profile=header("WARC-Profile") or "",
            target=header("WARC-Refers-To-Target-URI") or "",
            target_date=header("WARC-Refers-To-Date") or "",
            sound=record.digest_checker.passed is not False,
        )
    except Exception:  # warcio raises many types; each one means that the bytes are not a record
        return None


def _status(http: StatusAndHeaders) -> str:
    """The status in the head of a response; "" in the head of a request. warcio splits the line at its first space."""
    about = status_line(f"{http.protocol} {http.statusline}".encode())
    return "" if about is None else str(about.status)
