"""Which reader read HTML pages, and why, in a few words."""

from __future__ import annotations

from collections.abc import Mapping

from ttcrawl.output.untrusted import escape_untrusted

#: Reasons for which Python read pages that are shown.
MOST_REASONS = 3


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
