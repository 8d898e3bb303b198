"""`ttcrawl aliases`: finds, and optionally merges, hosts that serve the same pages."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.cli.commands.aliases_render import as_json, text
from ttcrawl.errors import DONE
from ttcrawl.inspect.aliases.find import find
from ttcrawl.maintain.merge_aliases import merge as merge_aliases
from ttcrawl.output.display import ReadProgress


def aliases(directory: Path, form: str, *, merge: bool) -> int:
    """Print the aliases, and merge them on request. Returns the exit status.

    Raises NotACrawl, and UsageError if the crawl to be merged is running.
    """
    with ReadProgress() as progress:
        result = find(directory, progress)
    merged = merge_aliases(directory, result.aliases) if merge else None
    print(as_json(result, merged) if form == "json" else text(directory, result, merged))
    return DONE
