"""What the references of a page, and its text, look like beside those of other pages."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl import core
from ttcrawl.web.traps import shells


def look(hrefs: Sequence[str], folded: bytes) -> tuple[int, int]:
    """See ttcrawl.web.traps.shells.look."""
    return shells.look(_references(hrefs), folded)


def _references(hrefs: Sequence[str]) -> bytes:
    if core.native is None or not isinstance(hrefs, core.native.TextList):
        return shells.references(hrefs)
    lines = hrefs.without_queries()
    return lines.decode("utf-8", "surrogatepass").encode("utf-8", "replace") if b"\xed" in lines else lines
