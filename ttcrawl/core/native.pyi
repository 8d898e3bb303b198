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

def events(html: bytes) -> list[str] | str:
    """Return what the tree of a page (UTF-8) consists of, in its order; a str: why the page is left to Python.

    `<name` and `@name=value` of an element, `/` at its end, `T` with a text, `!` for a comment, `?` for a processing
    instruction. For tests: names are in lower case.
    """
