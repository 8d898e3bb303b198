"""Which sources a module was compiled from. setup.py runs this file by itself, before the package can be imported."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32


def checksum(folder: Path) -> str:
    """The CRC-32 of all sources of the core, in hexadecimal digits."""
    total = 0
    for path in sorted(folder.iterdir()):
        if path.suffix in (".cpp", ".hpp", ".pyi"):
            total = crc32(path.read_bytes(), total)
    return f"{total:08x}"
