"""Whether a crawl was written since somebody has read it."""

from __future__ import annotations

from pathlib import Path


def stamp_of(directory: Path) -> str:
    """What changes when something is written to a crawl; a reader may make or remove an empty log."""
    files = (directory / name for name in ("crawl.db", "crawl.db-wal", "config.ini"))
    stats = [each.stat() for each in files if each.exists()]
    return " ".join(f"{each.st_size}:{each.st_mtime_ns}" for each in stats if each.st_size)
