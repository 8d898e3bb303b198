"""The texts of a page, and what is compared of them. The compiled core makes the same without the lines as objects."""

from __future__ import annotations

from collections.abc import Container

from msgspec import Struct

from ttcrawl import config
from ttcrawl.config.needed import needs_main_text
from ttcrawl.read.blocks import Lines, one_line, words, words_of
from ttcrawl.read.compared_text import is_most_of_page
from ttcrawl.read.fingerprints.fingerprint import folded, main_shingles
from ttcrawl.read.main import main_text


class PageTexts(Struct, frozen=True):
    """Texts are UTF-8 with one line per block; a field is empty if it is not needed."""

    text: bytes
    main: bytes
    words: int
    main_words: int
    folded: bytes  # the text without upper case, white space collapsed to single spaces
    shingles: bytes  # of the main text, if the page is compared by it


def page_texts(
    page_lines: Lines, anchors: Container[str], settings: config.Record, compared: config.Duplicates
) -> PageTexts:
    """The texts of a page. `anchors`: the anchor texts, white space collapsed."""
    text = "\n".join(page_lines.lines)
    count = words(text, page_lines.count)
    all_folded = folded(one_line(page_lines), compared) if compared.exact else b""
    if not needs_main_text(settings, compared):
        return PageTexts(text=utf8(text), main=b"", words=count, main_words=0, folded=all_folded, shingles=b"")
    chosen = main_text(page_lines.lines, page_lines.blocks, anchors)
    main = "\n".join(chosen.lines)
    spaced = count == page_lines.count  # ideographs change the count, except single ones between spaces
    return PageTexts(
        text=utf8(text),
        main=utf8(main),
        words=count,
        main_words=words_of(chosen.lines, main, page_lines.blanks, spaced=spaced),
        folded=all_folded,
        shingles=main_shingles(main, compared) if is_most_of_page(chosen) else b"",
    )


def plain_texts(text: str, settings: config.Record, compared: config.Duplicates) -> PageTexts:
    """The same for a text without markup, which is also the main text."""
    count, data = words(text), utf8(text)
    has_main = needs_main_text(settings, compared)
    return PageTexts(
        text=data,
        main=data if has_main else b"",
        words=count,
        main_words=count if has_main else 0,
        folded=folded(" ".join(text.split()), compared) if compared.exact else b"",
        shingles=main_shingles(text, compared),
    )


def utf8(text: str) -> bytes:
    """Lone surrogates are replaced.

    >>> utf8("a\\ud800b")
    b'a?b'
    """
    return text.encode("utf-8", "replace")
