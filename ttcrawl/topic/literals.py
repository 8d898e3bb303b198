"""A piece of text that every match of a regular expression contains: looked for first, because that is cheaper."""

from __future__ import annotations

import re

#: Shorter pieces occur on too many pages.
SHORTEST = 3

#: `glass art[^\s]*`: the usual expression in term lists.
_TRUNCATION = re.compile(
    r"([^\\[\](){}*+?|^$. /'-](?:[^\\[\](){}*+?|^$.]*[^\\[\](){}*+?|^$. /'-])?)(?:\[\^\\s\]|\\S)\*"
)

_UNIT = re.compile(r"\\[pPx]\{[^}]*\}|\\[pPx]?.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{[0-9,]*\}|.", re.DOTALL)


def literal(pattern: str) -> str:
    r"""Return the longest piece outside of groups, "" if there is none for sure.

    >>> literal(r"u\.?\s*wightiana"), literal("colou?r"), literal("(cats?|dogs?)"), literal("cat|dog")
    ('wightiana', 'colo', '', '')
    """
    if re.search(r"\(\?|\[\[|\\[Qx0-9]", pattern):
        return ""
    pieces, piece, depth = [""], "", 0
    for unit in _UNIT.findall(pattern):
        depth += (unit == "(") - (unit == ")")
        if unit == "|" and depth == 0:
            return ""
        plain = depth == 0 and _plain(unit)
        if unit in ("*", "?") or (unit[0] == "{" and len(unit) > 1):
            piece = piece[:-1]
        if plain:
            piece += plain
        else:
            pieces.append(piece)
            piece = ""
    return max((each for each in (*pieces, piece) if len(each) >= SHORTEST), key=len, default="")


def truncation(pattern: str) -> str:
    r"""Return the words with which all matches of a pattern begin, "" if they may go on otherwise than with a word.

    >>> truncation(r"glass art[^\s]*"), truncation("carnivor\\S*"), truncation("cats?")
    ('glass art', 'carnivor', '')
    """
    match = _TRUNCATION.fullmatch(pattern)
    return match[1] if match else ""


def _plain(unit: str) -> str:
    """The character that a unit stands for, "" if it may be another one."""
    if len(unit) == 1:
        return "" if unit in r"\[](){}*+?|^$." else unit
    return unit[1] if len(unit) == 2 and unit[0] == "\\" and not unit[1].isalnum() else ""
