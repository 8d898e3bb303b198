from __future__ import annotations

import contextlib
import random
import time
import tracemalloc
import zlib
from collections.abc import Callable
from functools import partial

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.cases import one_in
from tests.support.web.bombs import NAMES, bomb, gzipped, packed
from ttcrawl.web.coding.decode import MAX_CODINGS, MAX_MEMBERS, BombError, CodingError, beginning, decode
from ttcrawl.web.coding.inflate import zstd

LIMIT, RATIO = 16 << 20, 250
PAGE = "<p>Žluťoučký kůň".encode() * 1000
CODED = {name: packed(name, PAGE) for name in NAMES}
SKIPPED = b"\x53\x2a\x4d\x18\x03\x00\x00\x00any"  # a frame of zstd that holds nothing

WHOLE = [
    # Content-Encoding, body
    *((name, body) for name, body in CODED.items()),
    ("", PAGE),
    ("identity", PAGE),
    ("utf-8, none", PAGE),
    ("X-GZip", CODED["gzip"]),
    ("deflate", zlib.compress(PAGE)[2:-4]),  # the bare stream
    ("gzip", PAGE),  # said and not done
    ("gzip", gzipped(PAGE[:9]) + gzipped(PAGE[9:])),
    ("gzip", gzipped(PAGE) + gzipped(b"") * 3 + b"\0" * 9),  # what is no member is not read
    ("zstd", zstd.compress(PAGE[:9]) + SKIPPED + zstd.compress(PAGE[9:])),
    ("zstd", SKIPPED + zstd.compress(PAGE) + b"behind it"),
    ("gzip, br", brotli.compress(CODED["gzip"])),
    (" GZIP ,identity,, zstd ", zstd.compress(CODED["gzip"])),
    ("gzip, gzip", gzipped(PAGE)),  # the outer one is said and not done
    ("gzip, deflate, br, zstd, gzip", gzipped(packed("zstd", brotli.compress(zlib.compress(CODED["gzip"]))))),
]

BROKEN = [
    # Content-Encoding, body, what is said of it
    *((name, body[:-1], f"broken {name}: it ends too early") for name, body in CODED.items()),
    *((name, body[:1], "it ends too early") for name, body in CODED.items() if name != "gzip"),
    *((name, body[: len(body) // 2] + b"garbage" + body[len(body) // 2 :], name) for name, body in CODED.items()),
    *((name, b"plain text, no coding at all", f"broken {name}: ") for name in CODED if name != "gzip"),
    ("gzip", gzipped(PAGE)[:-8] + bytes(8), "incorrect data check"),
    ("gzip", gzipped(PAGE) + gzipped(PAGE)[:30], "it ends too early"),
    ("br", brotli.compress(PAGE) + b"behind it", "broken br"),
    ("zstd", zstd.compress(PAGE, options={zstd.CompressionParameter.window_log: 24})[:4] + b"\0\x70" + PAGE, "zstd"),
    ("gzip, br", CODED["gzip"], "broken br"),
    ("compress", b"\x1f\x9d\x90", "content coding compress was not asked for"),
    ("gzip, dcb", CODED["gzip"], "content coding dcb was not asked for"),
    (", ".join(["gzip"] * (MAX_CODINGS + 1)), CODED["gzip"], "6 content codings"),
    ("gzip", gzipped(b"") * (MAX_MEMBERS + 1), "more than 100000 members"),
    pytest.param("zstd", SKIPPED * (MAX_MEMBERS + 1), "more than 100000 members", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("coding", "body"), WHOLE)
def test_undone(coding: str, body: bytes) -> None:
    assert decode(body, coding, LIMIT, RATIO) == PAGE


@pytest.mark.parametrize("coding", ["", "gzip", "deflate", "br", "zstd", "gzip, br"])
def test_of_nothing_there_is_nothing(coding: str) -> None:
    assert decode(b"", coding, LIMIT, RATIO) == b""
    assert decode(brotli.compress(b""), f"{coding}, br", LIMIT, RATIO) == b""


@pytest.mark.parametrize(("coding", "body", "said"), BROKEN)
def test_broken(coding: str, body: bytes, said: str) -> None:
    with pytest.raises(CodingError, match=said) as error:
        decode(body, coding, LIMIT, RATIO)
    assert not isinstance(error.value, BombError)


BOMBS = [
    # Content-Encoding, what makes the body (seconds, in some cases), limit, ratio
    *one_in(2, [(name, partial(bomb, name), LIMIT, 10**9) for name in NAMES]),
    *(pytest.param(name, partial(bomb, name), 10**9, RATIO, marks=pytest.mark.slow) for name in NAMES),
    ("gzip, gzip", lambda: gzipped(bomb("gzip")), LIMIT, 10**9),
    ("br, zstd", lambda: zstd.compress(bomb("br")), LIMIT, 10**9),
    ("gzip, zstd, br", lambda: brotli.compress(zstd.compress(bomb("gzip"))), 10**9, RATIO),
    ("gzip", lambda: gzipped(bytes(100)) * 1000, 99_999, 10**9),  # none of the members alone is one
    ("zstd, gzip", lambda: gzipped(zstd.compress(b"") * 30_000), 99_999, 10**9),  # what comes between them is one
]


@pytest.mark.parametrize(("coding", "made", "limit", "ratio"), BOMBS)
def test_a_bomb_is_known_in_time(coding: str, made: Callable[[], bytes], limit: int, ratio: int) -> None:
    """Memory of the libraries' own (windows: at most 16 MB) is not in the measure."""
    body = made()
    tracemalloc.start()
    started = time.process_time()
    try:
        with pytest.raises(BombError):
            decode(body, coding, limit, ratio)
        assert time.process_time() - started < 2
        assert tracemalloc.get_traced_memory()[1] < min(limit, max(1_000_000, ratio * len(body))) * 1.2 + (3 << 20)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", NAMES)
def test_limits_are_exact(name: str) -> None:
    body = packed(name, PAGE)
    assert decode(body, name, len(PAGE), 2) == PAGE
    with pytest.raises(BombError, match=f"more than {len(PAGE) - 1} bytes when decoded, of {len(body)}"):
        decode(body, name, len(PAGE) - 1, 2)


@pytest.mark.slow
def test_ratio() -> None:
    """8 MB out of 9 KB are a bomb, 8 MB out of 400 KB are none, and 1 MB may come out of anything."""
    row = b'<li class="entry entry--of-the-long-list"><a class="entry__link" href="/entry/%d">an entry</a></li>\n'
    page = b"".join(row % random.Random(number).randrange(10**6) for number in range(88_000))
    zeros, honest = gzipped(bytes(len(page))), gzipped(page)
    assert len(page) > 8_000_000 and len(zeros) < 9_000 and 15 < len(page) / len(honest) < 30
    assert decode(honest, "gzip", LIMIT, RATIO) == page
    with pytest.raises(BombError):
        decode(zeros, "gzip", LIMIT, RATIO)
    assert decode(gzipped(bytes(1_000_000)), "gzip", LIMIT, RATIO) == bytes(1_000_000)


@given(st.lists(st.sampled_from(NAMES), max_size=MAX_CODINGS), st.binary(max_size=300), st.integers(0, 300))
def test_any_chain_there_and_back(names: list[str], text: bytes, repeated: int) -> None:
    text *= repeated
    body = text
    for name in names:
        body = packed(name, body)
    assert decode(body, ", ".join(names), LIMIT, 10**6) == text


@given(st.sampled_from([*NAMES, "br, gzip"]), st.sampled_from(NAMES), st.integers(0, 20), st.binary(max_size=500))
def test_nothing_else_is_raised(coding: str, name: str, headed: int, noise: bytes) -> None:
    with contextlib.suppress(CodingError):
        decode(CODED[name][:headed] + noise, coding, LIMIT, RATIO)


@pytest.mark.parametrize(("coding", "body"), WHOLE)
def test_the_beginning(coding, body):
    for size in (0, 10, 10 * len(PAGE)):
        assert beginning(body, coding, size, LIMIT, RATIO, cut=False) == decode(body, coding, LIMIT, RATIO)[:size]


@pytest.mark.parametrize("name", NAMES)
def test_the_beginning_of_a_bomb_and_of_what_was_cut(name):
    assert beginning(bomb(name), name, 1000, LIMIT, RATIO, cut=False) == bytes(1000)
    text = random.Random(1).randbytes(400_000)
    whole = packed(name, text)
    half = whole[: len(whole) // 2]
    with pytest.raises(CodingError):
        beginning(half, name, len(text), LIMIT, RATIO, cut=False)
    found = beginning(half, name, len(text), LIMIT, RATIO, cut=True)
    assert len(found) > len(text) // 10 and text.startswith(found)
    assert beginning(bomb(name)[:-1], name, LIMIT, LIMIT, RATIO, cut=True)
    with pytest.raises(BombError):
        beginning(bomb(name)[:-1], name, LIMIT + 1, LIMIT, RATIO, cut=True, bombs=False)
