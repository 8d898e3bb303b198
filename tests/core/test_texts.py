"""The functions of texts in C++ beside those in Python."""

import random
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.compiled import needs_core
from ttcrawl.core import native
from ttcrawl.read.casefold import casefolded
from ttcrawl.read.fingerprints.shingles import shingles
from ttcrawl.read.fingerprints.words import LONGEST, split
from ttcrawl.web.unspaced import UNSPACED

pytestmark = needs_core

#: Case in Turkish, at the end of a Greek word, with marks that combine, beyond the first plane; letters that fold to
#: several, and those that only another normal form would make equal; no character at all, and half of one.
FOLDED = [
    *("", "The URL", "İstanbul ı I i", "ΣΊΣΥΦΟΣ σς", "Straße ẞ", "ﬁNE ŉ ΐ", "É É é", "𐐀𐐨 𞤀", "Ǆ ǅ ǆ", "Ꭰꭰ ꮿ"),
    *("ſ K Å Ω", "日本語 ＡＢＣ", "🇩🇪 👩‍🚀", "\x00A\x00", "\ud800A", "A\udc00\ud800Ä", "\ufeffA", "\U0010ffffA"),
]

#: Each kind of character, alone and side by side, and what ends a line or a word.
PIECES = [
    *(
        "a",
        "B",
        "Wort",
        "é",
        "ß",
        "7",
        "12",
        "-",
        "、",
        "日",
        "本",
        "한",
        "กข",
        "\U0001f600",
        "\U00020001",
        "\U0003ffff",
    ),
    *("\U00040000", "\U0010ffff", "\ud800", "\u200d", "\u0301", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\x1c", "\x1f"),
    *("\x85", "\xa0", "\u2028", "\u2029", "\u3000", "\x00", "x" * 23, "x" * 24, "x" * 300),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


def test_folding_changes_no_word():
    """The core counts the words of lines that it has folded."""
    changed = [code for code in range(0x110000) if chr(code).casefold() != chr(code)]
    words = [f"{chr(code)} {casefolded(chr(code))}" for code in changed]
    lines = split("\n".join(words))
    assert len(lines) == 2 * len(changed)


def in_python(text: str, size: int, fewest: int = 0) -> bytes:
    words = split(casefolded(text))
    return shingles(words, size).tobytes() if len(words) >= fewest else b""


@pytest.mark.parametrize("text", FOLDED)
def test_case_is_folded_as_python_does(text):
    assert native.casefolded(text) == text.casefold().encode("utf-8", "replace")


def test_every_character_is_folded_as_python_does():
    text = "".join(map(chr, (*range(0xD800), *range(0xE000, sys.maxunicode + 1))))
    assert native.casefolded(text) == text.casefold().encode()


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(st.text(st.characters()), st.integers(1, 5))
def test_any_text(text, size):
    assert native.casefolded(text) == text.casefold().encode("utf-8", "replace")
    assert native.shingles(text, size, 0) == in_python(text, size)


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(TEXTS, st.integers(1, 20), st.integers(0, 20))
def test_shingles(text, size, fewest):
    assert native.shingles(text, size, fewest) == in_python(text, size, fewest)


def test_every_character_has_its_kind():
    """As a letter it makes a line of its own, as white space it ends a word or a line, as an ideograph it is a word."""
    for first in range(0, sys.maxunicode + 1, 0x4000):
        text = "".join(
            f"a\n{chr(code)}7{chr(code)}\n-" for code in range(first, first + 0x4000, 1 if first < 0x40000 else 61)
        )
        assert native.shingles(text, 2, 0) == in_python(text, 2), hex(first)


@pytest.mark.parametrize("length", [1, LONGEST - 1, LONGEST, LONGEST + 1, 5 * LONGEST])
def test_the_rest_of_a_long_word_is_ignored(length):
    text = f"some words {'x' * length}yz {'日' * length} and more words"
    assert native.shingles(text, 3, 0) == in_python(text, 3)


def test_repeated_shingles_are_different_ones():
    text = "yes\nno\n" * 5000
    assert native.shingles(text, 3, 0) == in_python(text, 3)
    assert len(native.shingles(text, 3, 0)) == 4 * 10_000


def test_a_text_of_megabytes():
    chance = random.Random(1)
    text = "".join(chance.choices(PIECES, k=20_000)) + "日本" * 100_000
    assert native.shingles(text, 3, 0) == in_python(text, 3)


def test_numbers_of_64_bits():
    hashes = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2**32 - 1))
    assert list(memoryview(native.widened(hashes)).cast("Q")) == [0, 1, 2**32 - 1]
    assert native.widened(b"") == b""


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: native.casefolded(b"bytes"), TypeError),
        (lambda: native.shingles("a", 0, 0), ValueError),
        (lambda: native.shingles(b"a", 3, 0), TypeError),
        (lambda: native.shingles("a", 3), TypeError),
        (lambda: native.widened("text"), TypeError),
    ],
)
def test_a_wrong_argument_is_an_error_of_python(call, error):
    with pytest.raises(error):
        call()


def test_in_several_threads():
    texts = ["".join(random.Random(seed).choices(PIECES, k=500)) for seed in range(8)]
    results: dict[int, bytes] = {}

    def work(index: int) -> None:
        for _ in range(20):
            results[index] = native.shingles(texts[index], 3, 0)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [results[index] for index in range(len(texts))] == [in_python(text, 3) for text in texts]


def test_the_ranges_of_ideographs_are_those_of_python():
    for first, last in UNSPACED:
        for code in (first - 1, first, last, last + 1):
            text = f"{chr(code) * 3} b"
            assert native.shingles(text, 1, 0) == in_python(text, 1), hex(code)
