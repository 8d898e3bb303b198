"""WARC records as lists of fields and a block: those of the archive are read, and some fields changed.

warcio, which reads the records of any program, takes four times as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from isal import isal_zlib

from ttcrawl.store.ftp_records import REPLY
from ttcrawl.store.warc import GZIP, LEVEL
from ttcrawl.store.warc_records import labelled_sha1, new_id
from ttcrawl.web.url import canonical

ID, TYPE, CONCURRENT, REFERS_TO = "warc-record-id", "warc-type", "warc-concurrent-to", "warc-refers-to"
TARGET, REFERS_TO_TARGET = "warc-target-uri", "warc-refers-to-target-uri"
DATE, ADDRESS = "warc-date", "warc-ip-address"
TRUNCATED, FILENAME, INFORMATION_ID = "warc-truncated", "warc-filename", "warc-warcinfo-id"
FTP_REPLY = REPLY.lower()

#: Fields of a revisit record that a response record does not have.
_OF_REVISIT = {"warc-profile", REFERS_TO_TARGET, "warc-refers-to-date", REFERS_TO, TRUNCATED}
_END = b"\r\n\r\n"

#: The empty line behind a head: some servers end lines with LF alone.
_HEAD_END = re.compile(rb"\r?\n\r?\n")

#: Bytes of a block: no member is longer.
_LENGTH = re.compile("[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record of a WARC file, its block unread."""

    fields: tuple[tuple[str, str], ...]
    block: bytes

    def get(self, name: str) -> str:
        """Return the first value of a field, "" if there is none. `name` is in lower case."""
        return next((value for each, value in self.fields if each.lower() == name), "")

    @property
    def url(self) -> str:
        """The canonical URL that the record is about; wget writes it in angle brackets, others as it was requested."""
        text = self.get(TARGET).strip("<>")
        return canonical(text) or text

    def all(self, name: str) -> list[str]:
        return [value for each, value in self.fields if each.lower() == name]

    def with_fields(self, **changed: str) -> RawRecord:
        """Return a record with other values of fields that it has; - in a name is written as _."""
        values = {name.replace("_", "-"): value for name, value in changed.items()}
        fields = tuple((name, values.get(name.lower(), value)) for name, value in self.fields)
        return RawRecord(fields, self.block)

    def packed(self) -> bytes:
        """Return the record as a gzip member."""
        lines = "".join(f"{name}: {value}\r\n" for name, value in self.fields)
        data = b"".join((b"WARC/1.1\r\n", lines.encode(), b"\r\n", self.block, _END))
        return isal_zlib.compress(data, LEVEL, GZIP)


def unpacked(member: bytes) -> RawRecord:
    """Return the record in a gzip member. Raises ValueError."""
    try:
        record = raw_record(isal_zlib.decompress(member, GZIP))  # in a fifth of zlib's time
    except isal_zlib.error as error:  # type: ignore[misc]  # its stubs have an instance for the class
        raise ValueError(str(error)) from error
    if record is None:
        raise ValueError("no complete record")
    return record


def raw_record(data: bytes) -> RawRecord | None:
    """Return the record in a decompressed member; None if it is not one."""
    first = data.find(b"\n")
    # lines of another program may end with LF alone
    head, _, rest = data.partition(_END if data[first - 1 : first] == b"\r" else b"\n\n")
    version, *lines = head.decode("utf-8", "replace").split("\n")  # splitlines() would also split at U+2028 and others
    fields = tuple(fields_in(lines))
    record = RawRecord(fields, b"")
    length = record.get("content-length")
    if not version.startswith("WARC/") or not _LENGTH.fullmatch(length) or len(rest) < int(length):
        return None
    return RawRecord(fields, rest[: int(length)])


def split_head(block: bytes) -> tuple[bytes, bytes]:
    r"""Return head and body of an answer.

    >>> split_head(b"HTTP/1.1 200 OK\nA: b\n\nbody"), split_head(b"HTTP/1.1 200 OK")
    ((b'HTTP/1.1 200 OK\nA: b', b'body'), (b'HTTP/1.1 200 OK', b''))
    """
    end = _HEAD_END.search(block)
    return (block[: end.start()], block[end.end() :]) if end else (block, b"")


def fields_in(lines: Iterable[str]) -> list[tuple[str, str]]:
    """Return names and values of the lines of a header; a line that begins with a space continues the one before.

    >>> fields_in(["WARC-Type:response", "Content-Type: text/x;", " charset=utf-8", "nonsense"])
    [('WARC-Type', 'response'), ('Content-Type', 'text/x; charset=utf-8')]
    """
    fields: list[tuple[str, str]] = []
    for line in lines:
        if line[:1] in (" ", "\t") and fields:
            name, value = fields.pop()
            fields.append((name, f"{value} {line.strip()}"))
            continue
        name, colon, value = line.partition(":")
        if colon:
            fields.append((name.rstrip(), value.strip()))
    return fields


def as_response(revisit: RawRecord, holder: RawRecord) -> RawRecord:
    """Return a revisit record as a response record, with the payload of the record that has it."""
    body = holder.block if holder.get(FTP_REPLY) else split_head(holder.block)[1]
    block = revisit.block + body  # the block of a revisit over FTP is empty
    others = [(name, value) for name, value in revisit.fields if name.lower() not in _OF_REVISIT]
    cut = [("WARC-Truncated", holder.get(TRUNCATED))] if holder.get(TRUNCATED) else []
    return RawRecord((*cut, *others), block).with_fields(
        warc_type="resource" if revisit.get(FTP_REPLY) else "response",
        warc_record_id=new_id(),
        warc_block_digest=labelled_sha1(block),
        content_length=str(len(block)),
    )
