"""Term lists exactly as in Combine 4.005, which decodes nothing: every byte is a Latin-1 character.

Facts and their sources are in the manual (docs/topic.md); every rule here has a case computed by Combine's own code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ttcrawl.topic.regex import is_regex, problem, without_capitals
from ttcrawl.topic.terms import AND, Term, TermList

#: Beside a-z and digits these letters are kept in words.
LETTERS = "\u00e5\u00e4\u00f6\u00f8\u00e6"

#: Letters that RE2 does not take for ones, and capitals that stand for them: neither words nor needles have capitals.
STAND_INS = str.maketrans(LETTERS, "ABCDE")

#: Characters of a term, and of a text that is searched; shorter ones are left out.
SHORTEST = 3

_LINE = re.compile(r"\s*(-?[0-9]+):\s+([^=]+)=(.*)", re.DOTALL)
SPACE = " \t\n\r\f\v"


def read(data: bytes, stop_words: bytes = b"") -> TermList:
    """Read a term list. Lines that Combine does not understand are skipped, without a message, as there."""
    stops = frozenset(_chopped(stop_words))
    terms: list[Term] = []
    left_out: list[int] = []
    for number, line in enumerate(_chopped(data), 1):
        match = _LINE.match(line)
        if match is None:
            continue
        words = [word for word in split(match[2]) if word not in stops]
        text = " ".join(words).rstrip(" ")
        if len(text) < SHORTEST:
            continue
        needles = tuple(re.split(rf"[{SPACE}]+{AND}[{SPACE}]+", text)) if AND in text else (text,)
        if any(is_regex(needle) and problem(needle) for needle in needles):
            left_out.append(number)
            continue
        needles = tuple(without_capitals(needle) if is_regex(needle) else needle for needle in needles)
        classes = tuple(filter(None, (name.strip() for name in re.split(rf",[{SPACE}]+", match[3]))))
        terms.append(Term(text=text, weight=float(match[1]), classes=classes, line=number, needles=needles))
    return TermList(terms=tuple(terms), stop_words=stops, compatible=True, encoding="latin-1", left_out=tuple(left_out))


def _chopped(data: bytes) -> Iterable[str]:
    """The lines without their last character, whatever it is."""
    return [line[:-1] for line in data.decode("latin-1").splitlines(keepends=True)] if data else []


def split(text: str) -> list[str]:
    """Split at white space as Perl: a leading empty word stays, those at the end do not."""
    words = text.split()
    return ["", *words] if words and text[0] in SPACE else words
