"""The text of a flat tree: one line per block, and the lines inside its marked elements."""

from __future__ import annotations

from msgspec import Struct
from selectolax.lexbor import LexborNode

from ttcrawl.read.regions import unflagged
from ttcrawl.read.tree import PRE
from ttcrawl.web.late import late
from ttcrawl.web.unspaced import UNSPACED

#: Between two text nodes; before and after a marked element, with a letter for its kind.
BREAK, BEGIN, END = "\0", "\2", "\3"

_IDEOGRAPH = late(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in UNSPACED)}]")
#: The first bytes of ideographs in UTF-8.
_LEADS = bytes((*range(0xE3, 0xEA), 0xEF, 0xF0))
_SHY = "\xad"  # displayed only at a line break
_PILCROW = "\xb6"  # a self-link after a heading, from documentation generators


class Block(Struct, frozen=True):
    """Lines from `start` up to `end` inside a marked element; the blocks from index `first` up to this one are inside
    it."""

    kind: str
    start: int
    end: int
    first: int


class Lines(Struct, frozen=True):
    """White space is collapsed except in preformatted blocks, which count as one line; no line is empty."""

    lines: list[str]
    blocks: list[Block]  # inner ones first
    blanks: dict[str, int]  # for preformatted lines: number of spaces beyond one between words
    count: int  # number of words separated by white space
    preformatted: dict[int, list[str]]  # words of preformatted lines, by index of the line


def mark(node: LexborNode, kind: str) -> None:
    """Mark `node`, so that `lines` reports its lines; `kind`: a letter."""
    node.insert_before(BEGIN + kind)
    node.insert_after(END)


def lines(node: LexborNode) -> Lines:
    text = unflagged(node.text(separator=BREAK, skip_empty=True))
    if _SHY in text:
        text = text.replace(_SHY, "")
    if _PILCROW in text:
        text = text.replace(_PILCROW + BREAK, BREAK).removesuffix(_PILCROW)
    count = 0
    texts: list[str] = []
    blocks: list[Block] = []
    blanks: dict[str, int] = {}
    preformatted: dict[int, list[str]] = {}
    opened: list[tuple[str, int, int]] = []
    for piece in text.split(BREAK):
        first = piece[:1]
        if first > END:
            separated = piece.split()
            if separated:
                count += len(separated)
                texts.append(" ".join(separated))
        elif first == PRE:
            if piece := piece[1:].strip("\n").rstrip():
                separated = preformatted[len(texts)] = piece.split()
                texts.append(piece)
                count += len(separated)
                blanks[piece] = piece.count(" ") + 1 - len(separated)
        elif first == BEGIN:
            opened.append((piece[1:], len(texts), len(blocks)))
        elif first == END:
            kind, start, inner = opened.pop() if opened else ("", len(texts), len(blocks))
            blocks.append(Block(kind, start, len(texts), inner))
        elif separated := piece.split():  # text that starts with its own control character
            count += len(separated)
            texts.append(" ".join(separated))
    return Lines(texts, blocks, blanks, count, preformatted)


def one_line(page_lines: Lines) -> str:
    """All lines, with white space collapsed to single spaces."""
    if not page_lines.preformatted:
        return " ".join(page_lines.lines)
    texts = page_lines.lines.copy()
    for index, separated in page_lines.preformatted.items():
        texts[index] = " ".join(separated)
    return " ".join(texts)


def words(text: str, count: int | None = None) -> int:
    """Number of words: those separated by white space (`count`, if known), and each ideograph."""
    if not _ideographic(text):
        return len(text.split()) if count is None else count
    # a run of ideographs between spaces does not count as another word
    return len(_IDEOGRAPH.sub(" ", text).split()) + len(_IDEOGRAPH.findall(text))


def words_of(lines: list[str], text: str, blanks: dict[str, int], *, spaced: bool = False) -> int:
    """words(text) of some of the joined lines, in a tenth of the time; `spaced`: ideographs do not change the count."""
    if not spaced and _ideographic(text):
        return words(text)
    extra = sum(blanks[line] for line in lines if line in blanks) if blanks else 0
    return text.count(" ") + len(lines) - extra


def _ideographic(text: str) -> bool:
    if text.isascii():
        return False
    data = text.encode("utf-8", "replace")
    return len(data) != len(data.translate(None, _LEADS)) and _IDEOGRAPH.search(text) is not None
