"""Files whose records cannot be found by position are packed anew into one of gzip members."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ttcrawl.archives import har, wacz
from ttcrawl.archives.arc import pack_arc
from ttcrawl.archives.packer import Packer
from ttcrawl.archives.scrapy_cache import pack_cache, pack_database
from ttcrawl.archives.sources import Kind, Source
from ttcrawl.archives.streams import Wrong, gzip_pieces, pack_warc, zstd_pieces


def pack(source: Source, target: Path, wrong: Wrong) -> None:
    """Pack an archive into a new file, which has its name when it is complete. Raises OSError."""
    part = target.with_name(f".{target.name}.part")
    try:
        with open(part, "w+b") as file:
            _pack(source, Packer(file), wrong)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)  # of a full disk


def _pack(source: Source, packer: Packer, wrong: Wrong) -> None:
    match source.kind:
        case Kind.WARC:
            pack_warc(source.path, packer, wrong, None)
        case Kind.WARC_GZIP | Kind.MEMBERS:
            pack_warc(source.path, packer, wrong, gzip_pieces)
        case Kind.WARC_ZSTD:
            pack_warc(source.path, packer, wrong, zstd_pieces)
        case Kind.ARC | Kind.ARC_GZIP:
            pack_arc(source.path, packer, wrong, packed=source.kind is Kind.ARC_GZIP)
        case Kind.WACZ:
            wacz.pack_wacz(source.path, packer, wrong)
        case Kind.HAR:
            har.pack_har(source.path, packer, wrong)
        case Kind.SCRAPY:
            pack_cache(source.path, packer, wrong)
        case Kind.SCRAPY_DATABASE:
            pack_database(source.path, packer, wrong)


def pages(source: Source) -> Iterator[str] | None:
    """Return the URLs of the pages in an archive; None: it does not tell pages from what they show."""
    if source.kind is Kind.WACZ:
        return wacz.pages(source.path)
    if source.path.parent.name == wacz.ARCHIVE:  # the directory of a crawl of Browsertrix, before it is a WACZ file
        lists = sorted(source.path.parent.parent.glob(f"{wacz.PAGES}/*{wacz.LIST}"))
        return wacz.urls_in(lists) if lists else None
    return har.pages(source.path) if source.kind is Kind.HAR else None
