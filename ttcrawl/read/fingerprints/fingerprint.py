"""The fingerprint of a page, from its text, title and images."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import xxhash
from msgspec import Struct

from ttcrawl import config, core
from ttcrawl.read.casefold import casefolded_utf8
from ttcrawl.read.fingerprints import keys
from ttcrawl.read.fingerprints.shingles import text_shingles
from ttcrawl.read.fingerprints.similarity import HASH_SIZE, SKETCH_SIZE
from ttcrawl.ring.columns import Fingerprint

#: Minimum words of a text that can be a duplicate. "We're sorry but this app doesn't work properly without JavaScript
#: enabled. Please enable it to continue." has 15, and is the complete text of thousands of different pages.
LEAST = 16

#: Characters of main text that are compared: the same number as the default of [record] max_text.
LONGEST = 1 << 20

#: For the permutations.
SEED = 42


class FingerprintInput(Struct, frozen=True, kw_only=True):
    """The data of a page to compare; b"" if not requested."""

    folded: bytes  # text in UTF-8 without upper case, white space collapsed to single spaces
    words: int  # of the complete text
    shingles: bytes  # of the main text
    title: str = ""
    images: tuple[str, ...] = ()  # references to displayed images, unchanged


def prepare(settings: config.Duplicates) -> None:
    """Load the libraries for fingerprints: a process with limited memory may fail to load them later."""
    fingerprint(fingerprint_input("", "a word", replace(settings, min_words=1)), settings)


def fingerprint_input(text: str, main: str, settings: config.Duplicates) -> FingerprintInput:
    """Of a text, and of its main text."""
    words = text.split()
    return FingerprintInput(
        folded=folded(" ".join(words), settings), words=len(words), shingles=main_shingles(main, settings)
    )


def folded(text: str, settings: config.Duplicates) -> bytes:
    """What is compared of a text, white space collapsed to single spaces."""
    return casefolded_utf8(text) if settings.exact else b""


def main_shingles(main: str, settings: config.Duplicates) -> bytes:
    """The shingles of a main text, b"" if it is too short."""
    return text_shingles(main[:LONGEST], settings.shingle, settings.min_words) if settings.near else b""


def fingerprint(page: FingerprintInput, settings: config.Duplicates) -> Fingerprint:
    """The fingerprint; a field is empty if it is not requested or the text is too short.

    The bands and the signature use all shingles, `shingles` are the SKETCH_SIZE smallest hashes (a bottom-k sketch;
    Cohen and Kaplan 2007). For pages with more shingles the similarity is estimated, with a standard error of at most
    0.005 at 0.9.
    """
    text = _digest(page) if settings.exact and page.words >= LEAST else b""
    make: Callable[..., Fingerprint] = Fingerprint.sound
    if not settings.near or not page.shingles:
        return make(text=text)
    minima = signature(page.shingles, settings.permutations)
    sketch = page.shingles[: SKETCH_SIZE * HASH_SIZE]
    return make(text=text, bands=keys.bands(minima, settings.bands), signature=minima, shingles=sketch)


def signature(shingles: bytes, permutations: int) -> bytes:
    """The MinHash signature of at least one shingle, 32 bits each, by rensa.

    Its estimates are unbiased, with at most the binomial error (measured for 30 to 4,000 shingles).
    """
    count = len(shingles) // HASH_SIZE
    (digest,) = _digests()(_widened(shingles), [0, count], permutations, SEED).to_rows()
    return struct.pack(f"<{permutations}I", *digest)


@cache
def _digests() -> Any:
    from rensa import RMinHash  # imported late: a crawl may need no signatures

    return RMinHash.digest_matrix_from_flat_token_hashes


def _widened(shingles: bytes) -> memoryview:
    """The hashes as rensa wants them: 64 bits each."""
    if core.native is not None:
        return memoryview(core.native.widened(shingles)).cast("Q")
    return memoryview(array("Q", array("I", shingles)))


def _digest(page: FingerprintInput) -> bytes:
    """Digest of the text, the title (the only difference between pages that a script fills) and the names of the images
    (the only difference between the pages of a gallery)."""
    names = sorted({_name(each) for each in page.images}) if page.images else []
    title = " ".join(page.title.casefold().split())
    rest = "\n".join((title, *names)).encode("utf-8", "replace")
    return xxhash.xxh3_128_digest(page.folded + b"\n" + rest)


def _name(reference: str) -> str:
    """The last segment of the path: the same picture may have another directory, or a session number in its query.

    >>> _name("../img/a.jpg?sid=1#x")
    'a.jpg'
    """
    return reference.partition("#")[0].partition("?")[0].strip().rstrip("/").rpartition("/")[2]
