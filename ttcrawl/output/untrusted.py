"""Make text from the web safe to display: on a terminal, in a table, on one line. Pure."""

from __future__ import annotations

import unicodedata


def escape_untrusted(text: str) -> str:
    r"""`text` on one line, safe for a terminal: every character that moves, hides or reorders output is escaped.

    Escaped are all characters that Unicode classifies as "other" (controls, direction marks and other invisible
    characters, surrogates, private and unassigned characters), and line and paragraph separators.

    >>> print(escape_untrusted("a\x1b[2J b\u202ec\n"))
    a\x1b[2J b\u202ec\x0a
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
