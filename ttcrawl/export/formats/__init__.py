"""The formats of `ttcrawl export`, one file each: `crawl_log.py` has FORMAT, what `--format crawl-log` writes."""

from __future__ import annotations

from pkgutil import iter_modules


def names() -> tuple[str, ...]:
    """The names of all formats, in alphabetical order."""
    return tuple(sorted(each.name.replace("_", "-") for each in iter_modules(__path__)))
