"""The entries of a list of URLs."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """One URL as it stands in the list; it need not be one."""

    number: int  # of its line, or where a form has no lines its position, from 1
    text: str
    rest: str = ""  # what follows the URL in its line, except a comment


class NoListError(Exception):
    """It is not a list of URLs; the message says what it is, or what it lacks."""
