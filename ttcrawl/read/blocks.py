"""The text of a flat tree: a line for each block, and which lines stand in which of its marked parts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from ttcrawl.read.regions import unflagged
from ttcrawl.read.scripts_without_spaces import RANGES
from ttcrawl.read.tree import PRE

#: Between two text nodes; before and after a part, with a letter that says what it is.
BREAK, BEGIN, END = "\0", "\2", "\3"

_IDEOGRAPH = re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in RANGES)}]")
#: The bytes that UTF-8 begins them with.
_LEADS = bytes((*range(0xE3, 0xEA), 0xEF, 0xF0))
_SHY = "\xad"  # shown only where a line is broken
_PILCROW = "\xb6"  # what documentation generators put behind a heading as its own link


@dataclass(frozen=True, slots=True)
class Part:
    """Lines from `start` up to `end` that stand in a marked element; the parts from `first` up to it stand in it."""

    kind: str
    start: int
    end: int
    first: int


@dataclass(frozen=True, slots=True)
class Lines:
    """White space is collapsed but in preformatted blocks, which are one line here too; none is empty."""

    lines: list[str]
    parts: list[Part]  # the inner ones first
    blanks: dict[str, int]  # of preformatted ones: how many spaces more than between words there are
    count: int  # what stands between white space
    preformatted: dict[int, list[str]]  # the words of those that are, by the place of the line


def mark(node: LexborNode, kind: str) -> None:
    """Have `lines` tell which lines are in `node`; `kind`: a letter."""
    node.insert_before(BEGIN + kind)
    node.insert_after(END)


def lines(node: LexborNode) -> Lines:
    text = unflagged(node.text(separator=BREAK, skip_empty=True))
    if _SHY in text:
        text = text.replace(_SHY, "")
    if _PILCROW in text:
        text = text.replace(_PILCROW + BREAK, BREAK).removesuffix(_PILCROW)
    count = 0
    found: list[str] = []
    parts: list[Part] = []
    blanks: dict[str, int] = {}
    preformatted: dict[int, list[str]] = {}
    opened: list[tuple[str, int, int]] = []
    for piece in text.split(BREAK):
        first = piece[:1]
        if first > END:
            separated = piece.split()
            if separated:
                count += len(separated)
                found.append(" ".join(separated))
        elif first == PRE:
            if piece := piece[1:].strip("\n").rstrip():
                separated = preformatted[len(found)] = piece.split()
                found.append(piece)
                count += len(separated)
                blanks[piece] = piece.count(" ") + 1 - len(separated)
        elif first == BEGIN:
            opened.append((piece[1:], len(found), len(parts)))
        elif first == END:
            kind, start, inner = opened.pop() if opened else ("", len(found), len(parts))
            parts.append(Part(kind, start, len(found), inner))
        elif separated := piece.split():  # it begins with a control character of its own
            count += len(separated)
            found.append(" ".join(separated))
    return Lines(found, parts, blanks, count, preformatted)


def in_one(read: Lines) -> str:
    """All lines with single spaces for all white space."""
    if not read.preformatted:
        return " ".join(read.lines)
    found = read.lines.copy()
    for place, separated in read.preformatted.items():
        found[place] = " ".join(separated)
    return " ".join(found)


def words(text: str, count: int | None = None) -> int:
    """How many words: what stands between white space (`count`, where it is known), and each ideograph of its own."""
    if not _ideographic(text):
        return len(text.split()) if count is None else count
    # a run of ideographs that stands between spaces is no word besides
    return len(_IDEOGRAPH.sub(" ", text).split()) + len(_IDEOGRAPH.findall(text))


def words_of(lines: list[str], text: str, blanks: dict[str, int], *, spaced: bool = False) -> int:
    """words(text) of some of the joined lines, in a tenth of the time; `spaced`: ideographs make no difference."""
    if not spaced and _ideographic(text):
        return words(text)
    more = sum(blanks[line] for line in lines if line in blanks) if blanks else 0
    return text.count(" ") + len(lines) - more


def _ideographic(text: str) -> bool:
    if text.isascii():
        return False
    data = text.encode("utf-8", "replace")
    return len(data) != len(data.translate(None, _LEADS)) and _IDEOGRAPH.search(text) is not None
