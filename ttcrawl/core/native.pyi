"""The extension module that is built from module.cpp."""

#: Of the package that it was built for.
VERSION: str

def casefolded(text: str) -> bytes:
    """Return str.casefold as UTF-8; lone surrogates are replaced."""

def shingles(text: str, size: int, fewest: int) -> bytes:
    """Return the shingles of the folded text: 32-bit hashes of this machine's byte order, distinct and ascending.

    b"" if the text has fewer words than `fewest`. `size`: words in a shingle.
    """

def widened(hashes: bytes) -> bytes:
    """Return 32-bit numbers as 64-bit numbers."""
