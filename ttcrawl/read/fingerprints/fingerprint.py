"""What a page says -> what it is known by."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

import xxhash

from ttcrawl import config
from ttcrawl.read.fingerprints import keys
from ttcrawl.read.fingerprints.similarity import KEPT
from ttcrawl.ring.record import Fingerprint

#: Words of a text from which it can be the same as another. "We're sorry but this app doesn't work properly without
#: JavaScript enabled. Please enable it to continue." has 15, and is all that thousands of different pages say.
LEAST = 16

#: Characters of main text that are compared: as much as [record] max_text keeps.
LONGEST = 1 << 20

#: Of the permutations.
SEED = 42


@dataclass(frozen=True, slots=True, kw_only=True)
class FingerprintInput:
    """What is compared of a page; "" where that is not asked for."""

    whole: str  # text with single spaces for all white space
    words: int  # of the whole text
    main: str  # main text, a line a block
    title: str = ""
    images: tuple[str, ...] = ()  # references to what is shown in it, as they stand


def prepare(settings: config.Duplicates) -> None:
    """Load and make what fingerprints take: a process whose memory is limited may not be able to later."""
    fingerprint(FingerprintInput(whole="", words=0, main="a word"), replace(settings, min_words=1))


def fingerprint(page: FingerprintInput, settings: config.Duplicates) -> Fingerprint:
    """A part is empty where it is not asked for or there is too little text.

    The bands and the signature are of all shingles, `shingles` are the KEPT smallest of their hashes (a bottom-k
    sketch; Cohen and Kaplan 2007): of a page with more of them the similarity to another is estimated, with a standard
    error of at most 0.005 at 0.9.
    """
    text = _digest(page) if settings.exact and page.words >= LEAST else b""
    if not settings.near:
        return Fingerprint(text=text)
    # late: numpy takes 10 MB and 50 ms that a crawl without duplicates can do without
    from ttcrawl.read.fingerprints.shingles import shingles
    from ttcrawl.read.fingerprints.words import split

    words = split(page.main[:LONGEST].casefold())
    if len(words.numbers) < settings.min_words:
        return Fingerprint(text=text)
    hashes = shingles(words, settings.shingle)
    minima = signature(hashes.tobytes(), settings.permutations)
    return Fingerprint(
        text=text, bands=keys.bands(minima, settings.bands), signature=minima, shingles=hashes[:KEPT].tobytes()
    )


def signature(shingles: bytes, permutations: int) -> bytes:
    """The MinHash signature of at least one shingle, 32 bits each, by rensa.

    Its estimates are unbiased, with an error that is at most the binomial one (measured for 30 to 4,000 shingles).
    """
    import numpy
    from rensa import RMinHash

    hashes = numpy.frombuffer(shingles, dtype="<u4").astype(numpy.uint64)
    made = RMinHash.digest_matrix_from_flat_token_hashes(hashes, [0, len(hashes)], permutations, SEED)
    return struct.pack(f"<{permutations}I", *made.to_rows()[0])


def _digest(page: FingerprintInput) -> bytes:
    """Of the text, the title (all that pages differ in that a script will fill) and the names of the images (all that
    the pages of a gallery differ in)."""
    names = sorted({_name(each) for each in page.images})
    title = " ".join(page.title.casefold().split())
    told = "\n".join((page.whole.casefold(), title, *names))
    return xxhash.xxh3_128_digest(told.encode("utf-8", "replace"))


def _name(reference: str) -> str:
    """The last segment of the path: the same picture may lie elsewhere, and be asked for with the number of a session.

    >>> _name("../img/a.jpg?sid=1#x")
    'a.jpg'
    """
    return reference.partition("#")[0].partition("?")[0].strip().rstrip("/").rpartition("/")[2]
