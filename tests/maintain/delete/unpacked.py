"""The bytes of a file of a crawl, with what is compressed in it."""

import re
import zlib
from pathlib import Path


def unpacked(path: Path) -> bytes:
    """A WARC file: all its records; crawl.db: its bytes and all texts, deleted ones too; others: as they stand."""
    data = path.read_bytes()
    if path.name.endswith(".gz"):
        members = b""
        while data:
            one = zlib.decompressobj(31)
            members += one.decompress(data)
            data = one.unused_data
        return members
    streams = [zlib_at(data, match.start()) for match in re.finditer(rb"\x78[\x01\x5e\x9c\xda]", data)]
    return data + b"".join(streams)


def zlib_at(data: bytes, start: int) -> bytes:
    """What can be read of a zlib stream that may begin here."""
    try:
        return zlib.decompressobj().decompress(data[start : start + 100_000])
    except zlib.error:
        return b""
