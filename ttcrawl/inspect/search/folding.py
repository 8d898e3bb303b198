"""Words as they are compared: without case, accents, compatibility forms, and characters that show nothing."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

#: Characters that show nothing (Unicode 5.21, Default_Ignorable_Code_Point), and the Arabic tatweel, which only
#: lengthens a word. For [ ] in regular expressions.
IGNORED = (
    "\u00ad\u034f\u061c\u0640\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff"
)

#: Marks that do not count: accents, Hebrew points and Arabic vowels. Those of other scripts make another letter.
MARKS = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"

#: Letters that are another one with a stroke, or two, without a decomposition in Unicode; as search engines fold them.
_LETTERS = dict(zip("øđðħıłŧёأإآٱىةکی", "oddhiltеاااايهكي", strict=True)) | {"æ": "ae", "œ": "oe", "þ": "th"}
#: Characters of words and signs, which are remembered because texts repeat them; a longer run may be a page.
WORD = 30
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_NOTHING = re.compile(f"[{IGNORED}{MARKS}]+")
_ARABIC = "\u0621-\u064a"
#: The article, also behind a conjunction or preposition, before at least three letters.
_ARTICLE = re.compile(f"(?<![{_ARABIC}])(?:[وبكف]?ال|لل)(?=[{_ARABIC}]{{3}})")


def fold(text: str) -> str:
    """A text whose words are equal where a reader takes them for the same word (NFKC, default case folding).

    >>> fold("Classiﬁes Größe Œuvre ２０２５ cafe\u0301 İzmir ёлка"), fold("والكتاب")
    ('classifies grosse oeuvre 2025 cafe izmir елка', 'كتاب')
    """
    return text.lower() if text.isascii() else _NOT_ASCII.sub(_run, text).lower()


def _run(run: re.Match[str]) -> str:
    return _folded_word(run[0]) if len(run[0]) <= WORD else _folded(run[0])


def _folded(run: str) -> str:
    plain = unicodedata.normalize("NFKC", run).casefold()
    return _ARTICLE.sub("", _NOTHING.sub("", plain.translate(_FOLDING)))


_folded_word = lru_cache(maxsize=100_000)(_folded)


class _Folding(dict[int, str]):
    """Code point -> what is compared for it."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        folded = _LETTERS.get(character) or _without_accents(character)
        self[code] = folded
        return folded


def _without_accents(letter: str) -> str:
    """A Latin or Greek letter without its accents; й and が are letters of their own."""
    base = unicodedata.normalize("NFD", letter)[0]
    return base if unicodedata.name(base, "").startswith(("LATIN", "GREEK")) else letter


_FOLDING = _Folding()
