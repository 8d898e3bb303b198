"""The words of a page exactly as in Combine 4.005, in Latin-1."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from ttcrawl.topic.combine import LETTERS, split
from ttcrawl.topic.page import HEADINGS, METADATA, PATH, TEXT, TITLE, Page, Words
from ttcrawl.topic.text import SHORT, squeezed

_CAPITALS = "\u00c5\u00c4\u00d6\u00d8\u00c6"
_ZERO = np.uint8(ord("0"))
_NUMBER = re.compile(r"\b[0-9]+\b")


def _lower(character: str) -> str:
    if character.isascii():
        return character.lower() if character.isalnum() or character in "/'-" else " "
    if character in _CAPITALS:
        return LETTERS[_CAPITALS.index(character)]
    return character if character in LETTERS else " "


_TABLE = bytes(ord(_lower(chr(byte))) for byte in range(0x100))


def converted(part: str, stop_words: Collection[str]) -> bytes:
    """Return a part of a page as words in Latin-1 with one blank between them; a leading blank stays."""
    data = part.encode("latin-1", "replace").translate(_TABLE)
    if len(data) < SHORT or stop_words:
        words = split(_NUMBER.sub(" ", data.decode("latin-1")))
        return " ".join(word for word in words if word not in stop_words).encode("latin-1")
    data = _without_numbers(data)
    text = squeezed(data).strip()
    return b" %b" % text if text and data.startswith(b" ") else text


def _without_numbers(data: bytes) -> bytes:
    """Blanks for pure numbers, one for each."""
    padded = b" %b " % data
    codes = np.frombuffer(padded, np.uint8)
    digits = codes - _ZERO < 10  # other bytes wrap around
    edges = np.flatnonzero(digits[1:] != digits[:-1]) + 1
    starts, ends = edges[0::2], edges[1::2]
    alone = (codes[starts - 1] < _ZERO) & (codes[ends] < _ZERO)
    firsts, lasts = [1, *ends[alone].tolist()], [*starts[alone].tolist(), len(padded) - 1]
    return b" ".join([padded[first:last] for first, last in zip(firsts, lasts, strict=True)])


def words_of(page: Page, stop_words: Collection[str]) -> Words:
    """Return the words of a page. A title or heading of "0" counts as none, and ends the list of headings."""
    metadata = ""
    for name, content in page.metadata:
        if name in ("", "0"):
            break
        if name != "Rsummary" and not name.startswith("autoclass"):
            metadata += f"{content} "
    headings = ""
    for heading in page.headings:
        if heading in ("", "0"):
            break
        headings += f"{heading} "
    parts = {
        TITLE: page.title if page.title != "0" else "",
        METADATA: metadata,
        HEADINGS: headings,
        TEXT: page.text,
        PATH: page.path.removeprefix("/").replace("/", " "),
    }
    texts = {name: converted(part, stop_words) for name, part in parts.items()}
    return Words(
        title=texts[TITLE],
        metadata=texts[METADATA],
        headings=texts[HEADINGS],
        text=texts[TEXT],
        path=texts[PATH],
        counts={name: text.count(b" ") + 1 for name, text in texts.items()},
    )
