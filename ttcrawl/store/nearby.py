"""The crawl directories beside a wrong name: what the user may have meant."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from pathlib import Path

from ttcrawl.errors import closest

#: Entries of a directory that are looked at, and names that are listed.
MOST, FEW = 1_000, 3


def nearby_crawls(wrong: Path | None = None) -> str:
    """Return a hint to the crawl that a wrong name may mean, or else to those beside it; "" if there are none.

    None: no name was given, so the crawls in the current directory.
    """
    parent = Path() if wrong is None else wrong.parent
    names = sorted(_crawls(parent))
    near = "" if wrong is None else closest(wrong.name, names)
    for name in (f"crawl-{wrong.name}" if wrong else "", near):  # of a host: the name that crawl gives by itself
        if name in names:
            return f" (did you mean {parent / name}?)"
    if not names:
        return ""
    more = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return f" (crawls {'here' if parent == Path() else f'in {parent}'}: {', '.join(names[:FEW])}{more})"


def _crawls(parent: Path) -> list[str]:
    with suppress(OSError, ValueError):
        return [each.name for each in islice(parent.iterdir(), MOST) if (each / "crawl.db").is_file()]
    return []
