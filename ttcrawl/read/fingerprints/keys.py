"""The keys of buckets: pages in one bucket may be the same. 64-bit, signed as SQLite has them."""

from __future__ import annotations

import struct

import xxhash


def of_bytes(digest: bytes) -> int:
    """Of the pages with this body."""
    return _key(b"b" + digest)


def of_text(digest: bytes) -> int:
    """Of the pages with this cleaned text."""
    return _key(b"t" + digest)


def bands(signature: bytes, count: int) -> bytes:
    """Those of a MinHash signature cut into so many bands; what is left of it is in none."""
    size = len(signature) // 4 // count * 4
    # the number of the band is the seed, so that two bands with the same numbers are two buckets
    keys = [xxhash.xxh3_64_intdigest(signature[n * size : (n + 1) * size], n) for n in range(count)]
    return struct.pack(f"<{count}Q", *keys)


def unpacked(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(packed) // 8}q", packed)


def of_page(body: bytes, text: bytes, packed: bytes) -> tuple[int, ...]:
    """All that a page has: the digests of its body and its text, or b"", and the packed keys of its bands."""
    exact = ([of_bytes(body)] if body else []) + ([of_text(text)] if text else [])
    return (*exact, *unpacked(packed))


def _key(data: bytes) -> int:
    return xxhash.xxh3_64_intdigest(data) - (1 << 63)
