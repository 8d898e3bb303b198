"""Results in the manual, between two marks that stay."""

from __future__ import annotations

from pathlib import Path


def write(page: Path, begin: str, end: str, text: str) -> None:
    """Put a result into a page of the manual, in the place of the one before."""
    manual = page.read_text(encoding="utf-8")
    before, after = manual.partition(begin)[0], manual.partition(end)[2]
    page.write_text(f"{before}{begin}{text}\n{end}{after}", encoding="utf-8")
