"""Which reader read HTML pages, and why, in a few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.vocabulary.reader import COMPILED

#: Reasons for which Python read pages that are shown.
MOST_REASONS = 3


def by_reader(pages: Counter[str]) -> tuple[int, dict[str, int]]:
    """Return the pages that the compiled core read, and the others by reason, most first.

    >>> by_reader(Counter({"frame": 12, "compiled": 980, "control character": 8}))
    (980, {'frame': 12, 'control character': 8})
    """
    return pages[COMPILED], {why: count for why, count in pages.most_common() if why != COMPILED}


def read_by(core: int, python: Mapping[str, int]) -> str:
    """`core`: pages that the compiled core read; `python`: the others by reason, most first. "" without pages.

    >>> read_by(980, {"frame": 12, "control character": 8})
    'HTML pages by the core: 980, by Python: 20 (12 frame, 8 control character)'
    """
    if not (core or python):
        return ""
    if not python:
        return f"HTML pages by the core: {core:,}"
    reasons = [f"{count:,} {escape_untrusted(why)}" for why, count in python.items()]
    shown = ", ".join(reasons[:MOST_REASONS] + ["..."] * (len(reasons) > MOST_REASONS))
    return f"HTML pages by the core: {core:,}, by Python: {sum(python.values()):,} ({shown})"
