"""Texts without upper case, for comparison (Unicode 3.13.3, default case folding)."""

from __future__ import annotations

from ttcrawl import core

_ASCII = bytes(range(128))

#: A lone surrogate has no case, and no UTF-8 without this.
_ERRORS = "surrogatepass"


def casefolded(text: str) -> str:
    """The same as text.casefold(), which looks each character up unless all are ASCII.

    In most texts that are not, the others are quotation marks, dashes and the like, without case. Then the bytes of the
    text are folded as ASCII: 16 instead of 48 us for 8,000 characters.
    """
    if text.isascii():
        return text.lower()
    data = text.encode("utf-8", _ERRORS)
    others = data.translate(None, _ASCII).decode("utf-8", _ERRORS)
    return text.casefold() if others != others.casefold() else data.lower().decode("utf-8", _ERRORS)


def casefolded_utf8(text: str) -> bytes:
    """The same as UTF-8; lone surrogates are replaced."""
    if core.native is not None:
        return core.native.casefolded(text)
    return casefolded(text).encode("utf-8", "replace")
