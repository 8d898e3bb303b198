"""The keys of buckets: pages in one bucket may be duplicates. 64 bits, signed as in SQLite."""

from __future__ import annotations

import struct
from functools import cache

import xxhash


def of_bytes(digest: bytes) -> int:
    """The key of pages with this body."""
    return _key(b"b" + digest)


def of_text(digest: bytes) -> int:
    """The key of pages with this cleaned text."""
    return _key(b"t" + digest)


def bands(signature: bytes, count: int) -> bytes:
    """The keys of a MinHash signature divided into `count` bands; a remainder belongs to no band."""
    size = len(signature) // 4 // count * 4
    # the index of the band is the seed, so that two bands with equal numbers have different buckets
    keys = [xxhash.xxh3_64_intdigest(signature[n * size : (n + 1) * size], n) for n in range(count)]
    return struct.pack(f"<{count}Q", *keys)


def unpacked(packed: bytes) -> tuple[int, ...]:
    return _keys(len(packed) // 8).unpack(packed)


@cache
def _keys(count: int) -> struct.Struct:
    return struct.Struct(f"<{count}q")


def of_page(body: bytes, text: bytes, packed: bytes) -> tuple[int, ...]:
    """All keys of a page: from the digests of its body and its text, or b"", and the packed keys of its bands."""
    exact = ([of_bytes(body)] if body else []) + ([of_text(text)] if text else [])
    return (*exact, *unpacked(packed))


def _key(data: bytes) -> int:
    return xxhash.xxh3_64_intdigest(data) - (1 << 63)
