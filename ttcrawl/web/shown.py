"""Text that came from the web as a person may see it: on a terminal, in a table, in one line. Pure."""

from __future__ import annotations

import unicodedata


def shown(text: str) -> str:
    r"""`text` in one line that a terminal only shows: what would move, hide or turn round anything is written out.

    Written out is all that Unicode calls "other" (controls, those of the direction of writing and other invisible
    marks, surrogates, private and unassigned characters), and what separates lines or paragraphs.

    >>> print(shown("a\x1b[2J b\u202ec\n"))
    a\x1b[2J b\u202ec\x0a
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
