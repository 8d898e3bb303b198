"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, noun: str, one: str = "", many: str = "") -> str:
    """Return a number with its noun, which gets an s unless the number is 1, and the verb of one or many.

    >>> counted(1, "page"), counted(2_000, "page")
    ('1 page', '2,000 pages')
    >>> counted(1, "URL", "is", "are"), counted(0, "URL", "is", "are")
    ('1 URL is', '0 URLs are')
    """
    verb = one if number == 1 else many
    return f"{number:,} {noun}{'' if number == 1 else 's'}{verb and f' {verb}'}"
