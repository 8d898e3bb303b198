"""Bodies in each content coding, and bombs: much out of little."""

from __future__ import annotations

import gzip
import zlib
from functools import cache, partial

import brotli

from ttcrawl.parse.coding.inflate import zstd

NAMES = ("gzip", "deflate", "br", "zstd")


# No time in its head: bodies are parameters of tests, which have to be the same in every process that collects them.
gzipped = partial(gzip.compress, mtime=0)


def packed(name: str, body: bytes) -> bytes:
    pack = {"gzip": gzipped, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstd.compress}
    return pack[name](body)


@cache
def bomb(name: str, size: int = 1 << 30) -> bytes:
    """So many zeros, made a megabyte at a time: some KB to 1 MB on the wire."""
    if name == "br":
        brotlied = brotli.Compressor(quality=1)
        parts = [brotlied.process(bytes(1 << 20)) for _ in range(size >> 20)]
        return b"".join(parts) + brotlied.finish()
    stream = zstd.ZstdCompressor() if name == "zstd" else zlib.compressobj(wbits=31 if name == "gzip" else 15)
    return b"".join(stream.compress(bytes(1 << 20)) for _ in range(size >> 20)) + stream.flush()


#: 32 KB that make a parser fill a gigabyte in about a second: each <p> has a copy of every <b>.
SLOW_TO_PARSE = b"<p>" + b"".join(b"<b a=%d>" % n for n in range(1500)) + b"</p>" + b"<p>x" * 4000
