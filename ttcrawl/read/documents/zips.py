"""Check that a zip file is valid and small enough. This runs in the child, before any library reads the file."""

from __future__ import annotations

import zlib
from pathlib import Path

MAGIC = b"PK\x03\x04"
ENTRY = b"PK\x01\x02"  # start of an entry of the central directory (APPNOTE 4.3.12)
MAX_ENTRIES = 10_000
MAX_UNPACKED = 256 << 20
#: For entries above SMALL. The XML of sheets shrinks to a fiftieth, and of empty sheets further.
MAX_RATIO, SMALL = 200, 4 << 20
CHUNK = 1 << 18


def refusal(path: Path) -> str:
    """ "" or why this zip file must not be unpacked. Its sizes are first read, then verified by unpacking."""
    body = path.read_bytes()
    if not body.startswith(MAGIC):
        return ""
    import zipfile  # it is the child that reads the file: a parse process needs only the signature

    if body.count(ENTRY) > MAX_ENTRIES:  # before zipfile creates an object for each
        return f"bomb: more than {MAX_ENTRIES:,} files"
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if sum(each.file_size for each in entries) > MAX_UNPACKED:
                return f"bomb: more than {MAX_UNPACKED >> 20} MB unpacked"
            if any(each.file_size > SMALL and each.file_size > MAX_RATIO * each.compress_size for each in entries):
                return f"bomb: a file unpacks to more than {MAX_RATIO} times its size"
            if sum(each.compress_size for each in entries) > len(body):
                return "bomb: its files overlap"
            if any(each.flag_bits & 1 for each in entries):
                return "encrypted"
            for each in entries:
                with archive.open(each) as unpacked:  # reads at most the declared size, then checks the CRC
                    while unpacked.read(CHUNK):
                        pass
    except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError, OSError, zlib.error) as error:
        return f"broken: {error}"
    return ""
