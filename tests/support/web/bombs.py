"""Bodies in each content coding, and bombs: much out of little."""

from __future__ import annotations

import functools
import gzip
import struct
import sys
import zlib
from collections.abc import Callable
from functools import cache, partial

import brotli

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

NAMES = ("gzip", "deflate", "br", "zstd")


# No time in its head: bodies are parameters of tests, which have to be the same in every process that collects them.
gzipped = partial(gzip.compress, mtime=0)

#: The best quality takes ten times as long, for megabytes.
brotlied = partial(brotli.compress, quality=9)


def packed(name: str, body: bytes) -> bytes:
    pack: dict[str, Callable[[bytes], bytes]] = {
        "gzip": gzipped,
        "deflate": zlib.compress,
        "br": brotlied,
        "zstd": zstd.compress,
    }
    return pack[name](body)


@cache
def bomb(name: str, size: int = 1 << 30) -> bytes:
    """So many zeros, made a megabyte at a time: some KB to 1 MB on the wire."""
    zeros = bytes(1 << 20)
    if name == "br":
        compressor = brotli.Compressor(quality=1)
        parts = [compressor.process(zeros) for _ in range(size >> 20)]
        return bytes(b"".join(parts) + compressor.finish())
    if name == "zstd":
        stream = zstd.ZstdCompressor()
        return b"".join(stream.compress(zeros) for _ in range(size >> 20)) + stream.flush()
    # every process that collects tests makes some: a megabyte after a full flush is always the same bytes
    deflated = zlib.compressobj(wbits=31 if name == "gzip" else 15)
    first, other = (deflated.compress(zeros) + deflated.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    crc = functools.reduce(lambda crc, _: zlib.crc32(zeros, crc), range(size >> 20), 0)
    adler = (size % 65521) << 16 | 1  # of zeros (RFC 1950 section 8.2)
    check = struct.pack("<II", crc, size % (1 << 32)) if name == "gzip" else struct.pack(">I", adler)
    return first + other * ((size >> 20) - 1) + b"\x03\x00" + check


#: 32 KB that make a parser fill a gigabyte: each <p> has a copy of every <b>. It takes 0.2 to 5 seconds, by the system.
FILLS_MEMORY = b"<p>" + b"".join(b"<b a=%d>" % n for n in range(1500)) + b"</p>" + b"<p>x" * 4000


#: 9.9 MB that only compute, for seconds: every attribute is compared with the others of its element.
SLOW_TO_PARSE = (b"<a " + b" ".join(b"%x" % n for n in range(0x1000, 0x1000 + 990)) + b">") * 2000
