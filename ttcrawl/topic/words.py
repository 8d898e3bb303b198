"""The words of a page and of a term: letters and digits of any script, in lower case, one blank between two words.

Text is folded (Unicode casefold, NFC). The characters / ' - stay inside a word, as in Combine; all others end it. In
scripts without spaces every character is a word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import cache, lru_cache

from ttcrawl.topic.page import Page, Words
from ttcrawl.web.unspaced import SOUTHEAST_ASIAN, UNSPACED

#: Characters inside a word at which a term may begin or end.
SEPARATORS = "/'-"

_KEPT = set(b"0123456789abcdefghijklmnopqrstuvwxyz" + SEPARATORS.encode())
_ASCII = bytes(ord(chr(n).lower()) if n >= 0x80 or ord(chr(n).lower()) in _KEPT else 0x20 for n in range(0x80))
_TABLE = _ASCII + bytes(range(0x80, 0x100))
_ALL_ASCII = bytes(range(0x80))
_OTHERS_BLANK = _ASCII + bytes([0x20]) * 0x80

#: Different characters that are replaced one by one; more are translated in one pass, which takes longer for few.
FEW = 40

#: First and last code point of scripts without spaces.
_SPACELESS = (*UNSPACED, *SOUTHEAST_ASIAN)


def folded(text: str) -> str:
    """Return a text with its words folded; runs of blanks may remain.

    >>> folded("Caf\u00c9-bar, 2nd FLOOR")
    'caf\u00e9-bar  2nd floor'
    """
    return folded_bytes(text).decode()


def folded_bytes(text: str) -> bytes:
    """Return the same in UTF-8."""
    data = text.encode("utf-8", "replace")
    if text.isascii():
        return data.translate(_TABLE)
    rest = data.translate(None, _ALL_ASCII).decode()
    if not rest.strip(_signs()):  # no letter to keep
        return data.translate(_OTHERS_BLANK)
    others = frozenset(rest)
    folds = {each: _folded_character(each) for each in others}
    if any(map(_may_compose, others)) and not unicodedata.is_normalized("NFC", text):
        return folded_bytes(unicodedata.normalize("NFC", text))
    text = data.translate(_TABLE).decode()
    if len(others) > FEW:
        return text.translate({ord(each): fold for each, fold in folds.items()}).encode()
    for each, fold in folds.items():
        if fold != each:
            text = text.replace(each, fold)
    return text.encode()


@lru_cache(maxsize=1 << 14)
def _may_compose(character: str) -> bool:
    """Whether a text with this letter or mark may not be NFC. Below U+0300 none composes with the one before it."""
    return character >= "\u0300" and unicodedata.category(character)[0] in "LM"


@cache
def _signs() -> str:
    """The blanks among frequent characters: signs of Latin-1, punctuation, arrows."""
    frequent = map(chr, (*range(0x80, 0xC0), *range(0x2000, 0x2070), *range(0x2190, 0x2200)))
    return "".join(each for each in frequent if _folded_character(each).isspace())


@lru_cache(maxsize=1 << 14)
def _folded_character(character: str) -> str:
    if any(first <= ord(character) <= last for first, last in _SPACELESS):
        return f" {character} " if character.isalnum() else " "
    fold = unicodedata.normalize("NFC", character.casefold())
    return "".join(each if unicodedata.category(each)[0] in "LMN" else " " for each in fold)


def joined(text: str, stop_words: Collection[str] = ()) -> str:
    """Return the words of a text with one blank between them, without stop words."""
    return " ".join([word for word in folded(text).split() if word not in stop_words])


def part(text: str, stop_words: Collection[str] = ()) -> bytes:
    """Return the words of a part of a page, in UTF-8; without stop words runs of blanks may be between them."""
    return joined(text, stop_words).encode() if stop_words else folded_bytes(text)


def words_of(page: Page, stop_words: Collection[str] = ()) -> Words:
    """Return the words of a page, part by part."""
    return Words(
        title=part(page.title, stop_words),
        metadata=part(" ".join([content for _, content in page.metadata]), stop_words),
        headings=part(" ".join(page.headings), stop_words),
        text=part(page.text, stop_words),
        path=part(page.path, stop_words),
    )
