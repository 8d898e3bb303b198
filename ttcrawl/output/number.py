"""Numbers with their nouns and units."""

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


def byte_text(count: int) -> str:
    """A number of bytes in the unit that suits it.

    >>> byte_text(999), byte_text(999_999), byte_text(1_234_567)
    ('999 B', '1.0 MB', '1.2 MB')
    """
    if count < 1000:
        return f"{count} B"
    value, power = count / 1000, 0
    while value >= 999.95 and power < 3:  # what rounds to 1,000 is 1 of the next unit
        value, power = value / 1000, power + 1
    return f"{value:,.1f} {'kMGT'[power]}B"
