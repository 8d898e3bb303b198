"""Pages of all sizes in all codings: real ones, as Debian installs documentation, and made ones in their place."""

from __future__ import annotations

import random
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import brotli
import pytest

from tests.support.cases import some_fast
from tests.support.web.bombs import gzipped
from tests.web.coding.coded import CODED, made
from ttcrawl.web.coding.decode import PIECE, BombError, CodingError, beginning, decode
from ttcrawl.web.coding.inflate import zstd

DOCS = Path("/usr/share/doc")
LIMIT, RATIO = 16 << 20, 250
LARGEST = 5 << 20
#: Beside the sizes of the pages, bytes: where one piece of output ends and the next one begins.
EDGES = tuple(edge + off for edge in (PIECE - 16, PIECE, 98_272, 3 * PIECE, 1 << 17) for off in (-1, 0, 1))


CODINGS = sorted(set(CODED) - {"identity"})


def all_of_brotli(half: bytes) -> bytes:
    """A first call gives at most a block of what a cut stream says."""
    stream = brotli.Decompressor()
    return stream.process(half) + b"".join(iter(lambda: stream.process(b""), b""))


#: What each library makes of the beginning of a stream when it is given all of it at once, without limits.
REFERENCES: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda half: zlib.decompressobj(31).decompress(half),
    "zlib": lambda half: zlib.decompressobj().decompress(half),
    "raw deflate": lambda half: zlib.decompressobj(-15).decompress(half),
    "br": all_of_brotli,
    "br, fast": all_of_brotli,
    "br, flushed": all_of_brotli,
    "zstd": lambda half: zstd.ZstdDecompressor().decompress(half),
}


@cache
def real_pages() -> tuple[bytes, ...]:
    """Two of each size from 1 KB to 5 MB, by doubling; the same ones on every run."""
    sized: dict[int, list[Path]] = {}
    for path in sorted(DOCS.rglob("*.html")):
        size = path.stat().st_size if path.is_file() and not path.is_symlink() else 0
        if 1 << 10 <= size <= LARGEST:
            sized.setdefault(size.bit_length(), []).append(path)
    chosen = (random.Random(size).sample(paths, min(2, len(paths))) for size, paths in sorted(sized.items()))
    return tuple(path.read_bytes() for paths in chosen for path in paths)


def made_pages() -> Iterator[bytes]:
    yield from (made(1 << bits) for bits in range(10, 23))
    yield made(LARGEST)
    yield from (made(edge) for edge in EDGES)
    yield from (random.Random(edge).randbytes(edge) for edge in EDGES)  # what hardly becomes less


def wrong(name: str, pages: Iterator[bytes] | tuple[bytes, ...]) -> list[tuple[int, str]]:
    """(size, error) of the pages that do not come back."""
    coding, pack = CODED[name]
    found = []
    for page in pages:
        try:
            same = decode(pack(page), coding, LIMIT, RATIO) == page
        except CodingError as error:
            found.append((len(page), str(error)))
        else:
            found += [] if same else [(len(page), "another text")]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", CODED)
def test_made_pages_come_back(name: str) -> None:
    assert wrong(name, made_pages()) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CODED)
def test_real_pages_come_back(name: str) -> None:
    pages = real_pages()
    if not any(len(page) > 1 << 17 for page in pages):
        pytest.skip("no documentation of Debian is installed")
    assert wrong(name, pages) == []


@pytest.mark.parametrize("size", some_fast([2000, 98_273, 600_000], 98_273))
@pytest.mark.parametrize("name", CODINGS)
def test_a_truncated_body_is_an_error_and_a_beginning(name: str, size: int) -> None:
    """Wherever it is cut. What a cut body is said to begin with is all that the library itself can read of it."""
    page = made(size)
    coding, pack = CODED[name]
    body = pack(page)
    for at in (3, len(body) // 7, len(body) // 2, len(body) - 1):
        with pytest.raises(CodingError, match="it ends too early"):
            decode(body[:at], coding, LIMIT, RATIO)
        found = b""
        try:
            found = beginning(body[:at], coding, LIMIT, LIMIT, RATIO, cut=True)
        except CodingError:
            assert name not in REFERENCES or not REFERENCES[name](body[:at])
        assert page.startswith(found)
        assert name not in REFERENCES or found == REFERENCES[name](body[:at])


@pytest.mark.parametrize("size", some_fast([2000, 98_273, 600_000], 98_273))
@pytest.mark.parametrize("name", CODINGS)
def test_the_beginning_of_any_length(name: str, size: int) -> None:
    page = made(size)
    coding, pack = CODED[name]
    body = pack(page)
    for length in (1, PIECE - 16, PIECE, 98_272, 98_273, size - 1, size, size + 1):
        assert beginning(body, coding, length, LIMIT, RATIO, cut=False) == page[:length]


@pytest.mark.parametrize("name", CODINGS)
def test_what_comes_behind_it(name: str) -> None:
    """It is not read, as browsers do; the library of brotli makes it an error."""
    page = made(300_000)
    coding, pack = CODED[name]
    if coding.endswith("br"):
        with pytest.raises(CodingError):
            decode(pack(page) + b"behind it", coding, LIMIT, RATIO)
        assert beginning(pack(page) + b"behind it", coding, 1000, LIMIT, RATIO, cut=True) == page[:1000]
    else:
        assert decode(pack(page) + b"behind it", coding, LIMIT, RATIO) == page


@pytest.mark.slow
@pytest.mark.parametrize("name", CODINGS)
def test_limits_of_large_pages_are_exact(name: str) -> None:
    page = made(3_000_000)
    coding, pack = CODED[name]
    body = pack(page)
    most = max(len(page), len(brotli.compress(page, quality=1)), len(gzipped(page)))
    assert decode(body, coding, most, RATIO) == page
    with pytest.raises(BombError):
        decode(body, coding, len(page) - 1, RATIO)
    with pytest.raises(BombError):
        decode(body, coding, LIMIT, (len(page) - 1) // len(body))


@pytest.mark.slow
@pytest.mark.parametrize("name", CODINGS)
def test_no_more_is_held_than_the_page(name: str) -> None:
    """Beside the page (twice: while it grows) only pieces; the libraries' own windows are not in the measure."""
    page = made(LARGEST)
    coding, pack = CODED[name]
    body = pack(page)
    for read in (decode, lambda *rest: beginning(body, coding, LIMIT, LIMIT, RATIO, cut=False)):
        tracemalloc.start()
        try:
            assert read(body, coding, LIMIT, RATIO) == page
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 2.3 * len(page) + (2 << 20)
