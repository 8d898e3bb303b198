"""The language of a text by resiliparse: no model to load, some 15 µs.

Measured on 45 languages, 1080 texts out of translations: of 2000 characters 98 % are right, of 600 96 %, of 200 87 %,
of 60 51 %. How far the second best is behind tells how sure it is: with a confidence of SURE or more 99 % are right of
400 characters and more, 97 % of 200.
"""

from __future__ import annotations

import math
from typing import Any

from resiliparse.parse.lang import detect_fast

#: Characters that are looked at, and that there must be.
SAMPLE, FEWEST = 2000, 40

#: Confidence from which a detected language counts.
SURE = 0.8

_SCALE = 0.015  # of the distance between the best and the second, as a share of the best
_NAMES, _WORDY = 0.75, 20  # lists of names look like any language; one with a space in 20 characters puts some there
_SENTENCE = 7  # spaces in a line that is no list item
_CUTOFF = 5000  # the greatest distance: texts of Han and Kana are far from everything, from their own language too
_LONG = 200  # characters; in a shorter text the distance says less


def detected(text: str) -> tuple[str, float]:
    """(primary subtag of BCP 47, confidence from 0 to 1); ("", 0.0) where none was detected."""
    sentences = _sentences(text)
    sample = sentences or text[:SAMPLE]
    if len(sample) < FEWEST:
        return "", 0.0
    found: Any = detect_fast(sample, cutoff=_CUTOFF, n_results=2)
    if len(found) < 2 or found[0][1] <= 0:
        return "", 0.0
    (best, distance), (_, second) = found
    sure = (1 - math.exp((distance - second) / distance / _SCALE)) * min(1.0, len(sample) / _LONG)
    if not sentences and sample.count(" ") * _WORDY > len(sample):
        sure *= _NAMES
    return best, round(sure, 2)


def _sentences(text: str) -> str:
    """The longer lines, because tables and lists of names say little; "" where there are few."""
    long = " ".join(line for line in text[: 4 * SAMPLE].split("\n") if line.count(" ") >= _SENTENCE)[:SAMPLE]
    return long if len(long) > _LONG else ""


def primary(tag: str) -> str:
    """The primary subtag of a language tag: en of en-GB, and of en_GB as many write; "" where it is none."""
    first = tag.replace("_", "-").partition("-")[0].strip().lower()
    return first if first.isascii() and first.isalpha() and 2 <= len(first) <= 3 else ""
