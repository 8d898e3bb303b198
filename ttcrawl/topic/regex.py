"""Regular expressions in term lists: which terms are ones, their letters in lower case, and what is wrong with them.

RE2 matches in time linear in the text, whatever the expression. It therefore has neither look-around nor
back-references (https://github.com/google/re2/wiki/Syntax).
"""

from __future__ import annotations

import re

import re2

from ttcrawl.web.late import late

#: Maximum bytes of one compiled expression, and of those without a literal together, with the state cache of RE2.
MAX_MEMORY, MOST = 1 << 20, 64 << 20

#: The only character of folded text besides letters and digits (ttcrawl.topic.words).
OTHER = "[ /'-]"

_META = late(r"[\\\[\](){}*+?|^$.]")

#: Escapes as units, so that the letters in them are left alone.
_UNITS = late(r"\(\?P<\w+>|\(\?[a-zA-Z-]*[:)]|\\[pPx]\{[^}]*\}|\\[pPx]?.|.", re.DOTALL)
_ANY_CASE = late(r"\(\?[a-zA-Z]*i")

#: A character that no text has.
_NEVER = "\x01"

_CLASSES = {r"\w": r"\pL\pM\pN", r"\d": r"\p{Nd}"}
_ALONE = {r"\w": "[^ /'-]", r"\W": OTHER, r"\d": r"\p{Nd}"}  # smaller when compiled
_NOT_IN_RE2 = {
    "(?=": "look-ahead", "(?!": "look-ahead", "(?<=": "look-behind", "(?<!": "look-behind", "(?>": "an atomic group"
}  # fmt: skip


def is_regex(text: str) -> bool:
    """Whether a term has a character with a meaning in a regular expression."""
    return _META.search(text) is not None


def lowered(pattern: str) -> str:
    r"""Return a pattern for folded text: its letters in lower case, \w and \d for all scripts.

    >>> lowered(r"D\S+ \pL[A-Z\w]")
    'd\\S+ \\pL[a-z\\pL\\pM\\pN]'
    """
    units: list[str] = []
    in_class = False
    for unit in _UNITS.findall(pattern):
        if unit in ("[", "]"):
            in_class = unit == "["
        elif len(unit) == 1:
            unit = unit.lower()
        elif in_class:
            unit = _CLASSES.get(unit, unit)
        else:
            unit = _ALONE.get(unit, unit)
        units.append(unit)
    return "".join(units)


def without_capitals(pattern: str) -> str:
    r"""Return a pattern that matches no capital, and the same as before in texts without any. One with (?i) stays.

    >>> without_capitals("Drosera[A-Z]*") == without_capitals("Drosera[D]*") == "\x01rosera[\x01]*"
    True
    >>> without_capitals(r"[0-Z][A-z]\W")
    '[0-@][\\[-z]\\W'
    """
    if _ANY_CASE.search(pattern):
        return pattern
    units = _UNITS.findall(pattern)
    capitals = [len(unit) == 1 and "A" <= unit <= "Z" for unit in units]
    in_class = False
    for index, unit in enumerate(units):
        if unit in ("[", "]"):
            in_class = unit == "["
        elif capitals[index]:
            units[index] = _NEVER
            if in_class and units[index + 1 : index + 2] == ["-"] and units[index + 2] != "]":
                units[index] = r"\["  # the character behind Z
                if capitals[index + 2]:
                    units[index : index + 3], capitals[index + 2] = [_NEVER, "", ""], False
            elif in_class and units[index - 1] == "-" and units[index - 2] != "[":
                units[index] = "@"  # the character before A
    return "".join(units)


def problem(pattern: str) -> tuple[str, int] | None:
    """Return what is wrong with a pattern, and the index of the wrong piece in it; None if nothing is."""
    try:
        re2.compile(pattern, options(MAX_MEMORY))
    except re2.error as error:
        message = error.args[0] if error.args else ""
        message = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
    else:
        return None
    if "large" in message or "invalid repetition size" in message:
        return "the regular expression needs too much memory", 0
    name, _, piece = message.partition(": ")
    index = max(0, pattern.find(piece)) if piece else 0
    if pattern.endswith(("(?", "(?<")):  # before the = of a look-around
        return "look-around cannot be matched in linear time, and the first = ends the term", pattern.rindex("(?")
    perl = next((each for each in sorted(_NOT_IN_RE2, key=len, reverse=True) if pattern.startswith(each, index)), "")
    if perl:
        return f"{perl} ({_NOT_IN_RE2[perl]}) cannot be matched in linear time", index
    if name == "invalid escape sequence":
        return f"{piece} is not an escape sequence of RE2 (it has no back-references)", index
    return f"{name}{f': {piece}' if piece else ''}", index


def options(memory: int) -> re2.Options:
    settings = re2.Options()
    settings.max_mem = memory
    settings.log_errors = False
    return settings


def at_perl_boundaries(pattern: str) -> tuple[str, int]:
    r"""As Combine: between two \b. Group 0 is the match."""
    return rf"\b{pattern}\b", 0


def at_word_boundaries(pattern: str) -> tuple[str, int]:
    """Between two characters that are not letters of any script. Group 1 is the match."""
    return f"(?:^|{OTHER})({pattern})(?:{OTHER}|$)", 1
