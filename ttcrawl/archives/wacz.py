"""WACZ files: WARC files, the pages that a user has seen, and indexes, in a ZIP file (specs.webrecorder.net/wacz)."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ttcrawl.archives.packer import Packer
from ttcrawl.archives.sources import Kind, kind_of
from ttcrawl.archives.streams import Wrong, gzip_pieces, pack_warc, zstd_pieces

PIECE = 1 << 20

_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


def pack_wacz(path: Path, packer: Packer, wrong: Wrong) -> None:
    """Copy the records of all WARC files in it. Raises OSError."""
    with zipfile.ZipFile(path) as file, TemporaryDirectory(prefix="ttcrawl-") as directory:
        for info in file.infolist():
            if not info.filename.startswith("archive/") or info.is_dir():
                continue
            inner = Path(directory) / "inner"
            try:
                with file.open(info) as stream, open(inner, "wb") as out:
                    while piece := stream.read(PIECE):
                        out.write(piece)
            except _BROKEN as error:
                wrong(info.header_offset, f"{info.filename}: {error}")
            _pack(inner, info, packer, wrong)


def _pack(inner: Path, info: zipfile.ZipInfo, packer: Packer, wrong: Wrong) -> None:
    kind = kind_of(inner)
    if kind in (Kind.MEMBERS, Kind.WARC_GZIP):
        pack_warc(inner, packer, wrong, gzip_pieces)
    elif kind in (Kind.WARC, Kind.WARC_ZSTD):
        pack_warc(inner, packer, wrong, zstd_pieces if kind is Kind.WARC_ZSTD else None)
    else:
        wrong(info.header_offset, f"{info.filename}: no WARC file")


def pages(path: Path) -> Iterator[str]:
    """Yield the URLs in pages/pages.jsonl, and in the lists of the pages that a crawler found beside it."""
    try:
        with zipfile.ZipFile(path) as file:
            for name in file.namelist():
                if name.startswith("pages/") and name.endswith(".jsonl"):
                    with file.open(name) as lines:
                        yield from filter(None, map(_url, lines))
    except (OSError, *_BROKEN):
        return


def _url(line: bytes) -> str:
    try:
        url = json.loads(line).get("url", "")
    except (ValueError, AttributeError, RecursionError):
        return ""
    return url if isinstance(url, str) else ""
