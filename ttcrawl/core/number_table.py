"""Tables of numbers by keys of 64 bits: what a crawl remembers of hundreds of thousands of URLs or pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ttcrawl import core

if TYPE_CHECKING:
    from ttcrawl.core import native

#: Keys are signed; numbers are not, and are below 2 ** 32 - 2.
NumberTable: TypeAlias = "dict[int, int] | native.NumberTable"


def new_number_table() -> NumberTable:
    """Return an empty table: 12 bytes an entry if it is compiled, otherwise a dict with five times as many."""
    return core.native.NumberTable() if core.native is not None else {}
