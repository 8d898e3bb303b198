"""Records of other forms are packed anew: as WARC 1.1, each in a gzip member, so that each is found by its position."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from ipaddress import ip_address
from typing import BinaryIO

from isal import isal_zlib

from ttcrawl.store.warc import GZIP, LEVEL
from ttcrawl.store.warc_records import date, record

#: The names of records that are made here depend on what they are made of: the same archive gives the same records.
_SPACE = uuid.UUID("6f0b3f3e-6b5d-4d52-9a52-0c8a3c1a4c0e")

#: What values of JSON and pickles raise that have other types, or numbers, than those of a response.
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, OverflowError)


class ShortBlockError(Exception):
    """A block that is shorter than its length. Its record was not written."""


class Packer:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def copy(self, header: bytes, block: Iterable[bytes], length: int) -> None:
        """Write a record with its header, with the empty line behind it. Raises ShortBlockError."""
        start, pack, done = self._file.tell(), isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, GZIP), 0
        self._file.write(pack.compress(header))
        for piece in block:
            done += len(piece)
            self._file.write(pack.compress(piece))
        if done < length:
            self._file.seek(start)
            self._file.truncate()
            raise ShortBlockError
        self._file.write(pack.compress(b"\r\n\r\n") + pack.flush())

    def response(self, url: str, at: float, head: bytes, body: bytes, address: str = "") -> None:
        """Write a response; `head` ends with an empty line. `address`: of the server, as the archive has it."""
        fields = [("WARC-Date", date(at)), *_address(address), *_named("response", url, at)]
        data = record(fields, "application/http; msgtype=response", head, body, payload=True)
        self._file.write(isal_zlib.compress(data, LEVEL, GZIP))

    def request(self, url: str, at: float, head: bytes) -> None:
        """Write a request, before its response."""
        fields = [("WARC-Date", date(at)), *_named("request", url, at)]
        fields.append(("WARC-Concurrent-To", _id("response", url, at)))
        data = record(fields, "application/http; msgtype=request", head)
        self._file.write(isal_zlib.compress(data, LEVEL, GZIP))

    def information(self, at: float, text: str) -> None:
        """Write what is known of the archive as a whole."""
        fields = [("WARC-Date", date(at)), ("WARC-Type", "warcinfo"), ("WARC-Record-ID", _id("warcinfo", text, at))]
        data = record(fields, "application/warc-fields", text.encode("utf-8", "replace"))
        self._file.write(isal_zlib.compress(data, LEVEL, GZIP))


def head_of(first: str, headers: Iterable[tuple[str, str]]) -> bytes:
    """Return a head whose bytes are not known, with an empty line behind it; `first`: its first line."""
    lines = [first.rstrip(), *(f"{name}: {value}" for name, value in headers)]
    clean = (" ".join(line.splitlines()) for line in lines)
    return "".join(f"{line}\r\n" for line in clean).encode("utf-8", "replace") + b"\r\n"


def _named(kind: str, url: str, at: float) -> list[tuple[str, str]]:
    clean = "".join(each for each in url if each.isprintable() and each != " ")
    return [("WARC-Type", kind), ("WARC-Record-ID", _id(kind, url, at)), ("WARC-Target-URI", clean)]


def _address(text: str) -> list[tuple[str, str]]:
    """The field with an address; none for other texts, which could end the line, and for 0.0.0.0 of ARC: unknown."""
    text = text.strip().strip("[]")
    try:
        known = text.isprintable() and not ip_address(text).is_unspecified
    except ValueError:
        known = False
    return [("WARC-IP-Address", text)] if known else []


def _id(kind: str, url: str, at: float) -> str:
    return f"<{uuid.uuid5(_SPACE, repr((kind, url, at))).urn}>"
