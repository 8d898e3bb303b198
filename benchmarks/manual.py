"""Results in the manual, between two marks that stay."""

from __future__ import annotations

from pathlib import Path


def write(page: Path, begin: str, end: str, text: str) -> None:
    """Put a result into a page of the manual, in the place of the one before."""
    before, begun, rest = page.read_text(encoding="utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    if not (begun and ended):
        raise SystemExit(f"{page} has no {begin.strip()} with {end.strip()} behind it: write both for the result")
    page.write_text(f"{before}{begin}{text}\n{end}{after}", encoding="utf-8")
