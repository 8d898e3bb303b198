"""Term lists and stop words in files."""

from __future__ import annotations

import os
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.topic import combine, grammar
from ttcrawl.topic.sites import Sites, read_sites
from ttcrawl.topic.terms import LARGEST, TermList
from ttcrawl.topic.words import joined


def load(path: Path, stop_words: Path | None = None, *, compatible: bool = False) -> TermList:
    """Read a term list. Raises UsageError.

    A list is UTF-8; one that is not is read as Latin-1, as Combine's lists are. `compatible`: exactly as by Combine.
    """
    data, stop_data = bytes_of(path), bytes_of(stop_words) if stop_words else b""
    if compatible:
        terms = combine.read(data, stop_data)
        if not terms.terms:
            raise UsageError(f"{_name(path)} has no line that Combine would read as a term")
        return terms
    text, encoding = _decoded(data)
    stops = [joined(word) for word in _decoded(stop_data)[0].removeprefix("\ufeff").split()]
    return grammar.read(text, str(path), frozenset(filter(None, stops)), encoding)


def load_sites(path: Path, *, compatible: bool = False) -> Sites:
    """Read the patterns of sites that always pass. Raises UsageError."""
    return read_sites(_decoded(bytes_of(path))[0], str(path), compatible=compatible)


def remarks(terms: TermList, name: str) -> list[str]:
    """Return what a user should know about a list that was read from a file of this name."""
    lines = []
    if terms.encoding != "utf-8" and not terms.compatible:
        lines.append(f"{name} is not UTF-8: it is read as Latin-1")
    if terms.left_out:
        numbers = ", ".join(map(str, terms.left_out[:10])) + (" ..." if len(terms.left_out) > 10 else "")
        lines.append(f"{name}: RE2 lacks the regular expressions in these lines, which are left out: {numbers}")
    return lines


def bytes_of(path: Path) -> bytes:
    """Return the contents of a file. Raises UsageError."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > LARGEST:
                raise UsageError(f"{_name(path)} is larger than {LARGEST >> 20} MB: that is no term list")
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{_name(path)}: {error.strerror}; name a readable file") from error
    if len(data) > LARGEST:
        raise UsageError(f"{_name(path)} is larger than {LARGEST >> 20} MB: that is no term list")
    if b"\0" in data[:4096]:
        raise UsageError(f"{_name(path)} is a binary file: write text, in UTF-8")
    return data


def _decoded(data: bytes) -> tuple[str, str]:
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def _name(path: Path) -> str:
    return escape_untrusted(str(path))
