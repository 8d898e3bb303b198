"""Pages in all content codings."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Callable

import brotli

from tests.support.web.bombs import gzipped
from ttcrawl.web.coding.inflate import zstd


def flushed(page: bytes) -> bytes:
    """As a server sends what it has so far: blocks of a few KB."""
    stream = brotli.Compressor(quality=4)
    parts = (stream.process(page[at : at + 5000]) + stream.flush() for at in range(0, len(page), 5000))
    return b"".join(parts) + stream.finish()


def raw_deflate(page: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return stream.compress(page) + stream.flush()


def two_members(page: bytes) -> bytes:
    return gzipped(page[: len(page) // 3]) + gzipped(page[len(page) // 3 :])


def two_frames(page: bytes) -> bytes:
    return zstd.compress(page[: len(page) // 3]) + zstd.compress(page[len(page) // 3 :])


CODED: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzipped),
    "x-gzip": ("x-gzip", gzipped),
    "stored": ("gzip", lambda page: gzip.compress(page, 0, mtime=0)),
    "members": ("gzip", two_members),
    "zlib": ("deflate", zlib.compress),
    "raw deflate": ("deflate", raw_deflate),
    "br": ("br", lambda page: brotli.compress(page, quality=5)),
    "br, fast": ("br", lambda page: brotli.compress(page, quality=0)),
    "br, small window": ("br", lambda page: brotli.compress(page, quality=4, lgwin=10)),
    "br, flushed": ("br", flushed),
    "zstd": ("zstd", zstd.compress),
    "frames": ("zstd", two_frames),
    "gzip, br": ("gzip, br", lambda page: brotli.compress(gzipped(page), quality=1)),
    "br, gzip": ("br, gzip", lambda page: gzipped(brotli.compress(page, quality=1))),
    "br, br, zstd": (
        "br, br, zstd",
        lambda page: zstd.compress(brotli.compress(brotli.compress(page, quality=1), quality=1)),
    ),
    "identity": ("identity", bytes),
}


def made(size: int, seed: int = 1) -> bytes:
    """A page of so many bytes, about as regular as a real one."""
    random_ = random.Random(seed)
    rows = (
        b"<li><a href=/%d>%x</a> of <b>%d</b>\n" % (n, random_.getrandbits(60), n % 97) for n in range(size // 25 + 1)
    )
    return b"".join(rows)[:size]
