"""WACZ files: WARC files, the pages that a user has seen, and indexes, in a ZIP file (specs.webrecorder.net/wacz)."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from lzma import LZMAError
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, BinaryIO, cast

from ttcrawl.archives.packer import Packer
from ttcrawl.archives.sources import Kind, kind_of
from ttcrawl.archives.streams import Wrong, gzip_pieces, pack_warc, zstd_pieces

PIECE = 1 << 20

#: Bytes of a line in a list of pages, which may have the text of a page.
LINE = 64 << 20

#: The directories in a WACZ file, and the end of the names of lists of pages.
ARCHIVE, PAGES, LIST = "archive", "pages", ".jsonl"

_BROKEN = (zipfile.BadZipFile, zlib.error, LZMAError, EOFError, NotImplementedError, RuntimeError, ValueError)


def pack_wacz(path: Path, packer: Packer, wrong: Wrong) -> None:
    """Copy the records of all WARC files in it, also of WACZ files in it. Raises OSError."""
    _pack(path, packer, wrong, nested=False)


def _pack(path: Path, packer: Packer, wrong: Wrong, *, nested: bool) -> None:
    """`nested`: it is in a WACZ file itself."""
    try:
        file = zipfile.ZipFile(path)
    except _BROKEN as error:
        wrong(0, str(error))
        return
    with file, TemporaryDirectory(prefix="ttcrawl-") as directory:
        inner = Path(directory) / "inner"
        for info in file.infolist():
            if info.is_dir() or not (info.filename.startswith(f"{ARCHIVE}/") or _is_wacz(info, nested=nested)):
                continue
            try:
                _extract(file, info, inner)
            except _BROKEN as error:
                wrong(info.header_offset, f"{info.filename}: {error}")
                if not inner.stat().st_size:  # of others, what could be read is packed
                    continue
            _pack_inner(inner, info, packer, wrong, nested=nested)


def _extract(file: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path) -> None:
    with open(target, "wb") as out, file.open(info) as stream:
        while piece := stream.read(PIECE):
            out.write(piece)


def _pack_inner(inner: Path, info: zipfile.ZipInfo, packer: Packer, wrong: Wrong, *, nested: bool) -> None:
    kind = kind_of(inner)
    if kind in (Kind.MEMBERS, Kind.WARC_GZIP):
        pack_warc(inner, packer, wrong, gzip_pieces)
    elif kind in (Kind.WARC, Kind.WARC_ZSTD):
        pack_warc(inner, packer, wrong, zstd_pieces if kind is Kind.WARC_ZSTD else None)
    elif kind is Kind.WACZ and _is_wacz(info, nested=nested):
        _pack(inner, packer, lambda _, what: wrong(info.header_offset, f"{info.filename}: {what}"), nested=True)
    else:
        wrong(info.header_offset, f"{info.filename}: no WARC file")


def _is_wacz(info: zipfile.ZipInfo, *, nested: bool) -> bool:
    """Whether it is one of several crawls that were downloaded as one file (multi-WACZ)."""
    return not nested and info.filename.endswith(".wacz")


def pages(path: Path) -> Iterator[str]:
    """Yield the URLs in pages/pages.jsonl, and in the lists of the pages that a crawler found beside it."""
    return _pages(path, nested=False)


def _pages(path: Path | BinaryIO, *, nested: bool) -> Iterator[str]:
    try:
        with zipfile.ZipFile(path) as file:
            for info in file.infolist():
                if info.filename.startswith(f"{PAGES}/") and info.filename.endswith(LIST):
                    with file.open(info) as lines:
                        yield from _urls(lines)
                elif _is_wacz(info, nested=nested):
                    with file.open(info) as inner:
                        yield from _pages(cast("BinaryIO", inner), nested=True)
    except (OSError, *_BROKEN):
        return


def urls_in(lists: Iterable[Path]) -> Iterator[str]:
    """Yield the URLs in lists of pages. Raises OSError."""
    for each in lists:
        with open(each, "rb") as lines:
            yield from _urls(lines)


def _urls(lines: IO[bytes]) -> Iterator[str]:
    while line := lines.readline(LINE):
        if url := _url(line):
            yield url


def _url(line: bytes) -> str:
    try:
        url = json.loads(line).get("url", "")
    except (ValueError, AttributeError, RecursionError):
        return ""
    return url if isinstance(url, str) else ""
