"""The header of a WARC record of version 0.18 to 1.1, as any program wrote it (ISO 28500, section 4). Pure."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from datetime import UTC, datetime

from ttcrawl.store.raw_records import fields_in

#: The end of a header: programs that write text files end lines with LF alone.
END = re.compile(rb"\r?\n\r?\n")

#: Bytes of a header at most; a longer one is damage.
LONGEST = 1 << 20

#: Dates of WARC (W3C profile of ISO 8601, any precision) and of ARC (YYYYMMDDhhmmss).
_DATE = re.compile(
    r"(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:T?(\d\d):?(\d\d)(?::?(\d\d)(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?", re.ASCII
)

#: Bytes of a digest -> its algorithm.
_ALGORITHMS = {"md5": 16, "sha1": 20, "sha256": 32, "sha512": 64}

#: Earlier and later records have a clock that was wrong.
EARLIEST, LATEST = 315_532_800.0, 4_102_444_800.0  # 1980, 2100


class Header:
    """The named fields of a record."""

    __slots__ = ("_fields", "version")

    def __init__(self, version: str, fields: dict[str, str]) -> None:
        self.version, self._fields = version, fields

    def get(self, name: str) -> str:
        """Return the first value of a field, "" if there is none; `name` is in lower case."""
        return self._fields.get(name, "")

    @property
    def length(self) -> int | None:
        """Bytes of the block; None: no number."""
        text = self.get("content-length")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None

    @property
    def url(self) -> str:
        """The URL that the record is about: version 1.0 has it in angle brackets in its grammar."""
        return self.get("warc-target-uri").strip("<>")

    @property
    def time(self) -> float | None:
        return moment(self.get("warc-date"))


def header_of(data: bytes) -> tuple[Header, int] | None:
    """Return the header at the beginning of `data`, and where the block begins; None: there is none, or no end yet."""
    end = END.search(data, 0, LONGEST)
    if end is None or not data.startswith(b"WARC/"):
        return None
    head = data[: end.start()].decode("utf-8", "replace")
    version, *lines = head.split("\n")  # splitlines() would also split at U+2028 and others
    named: dict[str, str] = {}
    for name, value in fields_in(lines):
        named.setdefault(name.lower(), value)
    return Header(version.strip(), named), end.end()


def moment(text: str) -> float | None:
    """Return a date in seconds since the epoch, of a less precise one its beginning; None: it is none.

    >>> moment("2024-02-03T04:05:06Z"), moment("20240203040506"), moment("2024-02-03"), moment("yesterday")
    (1706933106.0, 1706933106.0, 1706918400.0, None)
    """
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    try:
        numbers = zip(match.groups()[:6], ("0", "1", "1", "0", "0", "0"), strict=True)
        year, month, day, hour, minute, second = (int(number or first) for number, first in numbers)
        at = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC).timestamp()
    except ValueError:
        return None
    return at + float(match[7] or 0) - _offset(match[8] or "Z")


def _offset(zone: str) -> int:
    if zone == "Z":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    return (hours * 3600 + minutes * 60) * (-1 if zone[0] == "-" else 1)


class Digest:
    """A labelled digest of a header (section 5.8), to be compared with bytes. Programs write base 32, 16 and 64."""

    def __init__(self, text: str) -> None:
        label, _, value = text.partition(":")
        algorithm = label.lower().replace("-", "")
        size = _ALGORITHMS.get(algorithm)
        self.expected = _value(value.strip(), size) if size else None  # None: unknown, so nothing is compared
        self._hash = hashlib.new(algorithm, usedforsecurity=False) if self.expected is not None else None

    def update(self, data: bytes | memoryview) -> None:
        if self._hash is not None:
            self._hash.update(data)

    @property
    def wrong(self) -> bool:
        return self._hash is not None and self._hash.digest() != self.expected


def _value(text: str, size: int) -> bytes | None:
    for decode in (bytes.fromhex, base64.b32decode, base64.b64decode):
        try:
            value = decode(text.upper() if decode is base64.b32decode else text)
        except (ValueError, binascii.Error):
            continue
        if len(value) == size:
            return value
    return None
