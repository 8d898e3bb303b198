"""ttcrawl aliases: hosts that serve the same pages, and on request made one."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.ask.aliases.find import find
from ttcrawl.ask.aliases.merge import merge as taken_over
from ttcrawl.ask.aliases.render import as_json, text
from ttcrawl.errors import DONE


def aliases(place: Path, form: str, *, merge: bool) -> int:
    """Print what was found, and merge it where that is wanted; the exit status.

    Raises NotACrawl, and UsageError where what is to be merged is being crawled.
    """
    found = find(place)
    merged = taken_over(place, found.aliases) if merge else None
    print(as_json(found, merged) if form == "json" else text(place, found, merged))
    return DONE
