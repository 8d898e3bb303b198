"""What one reader of HTML found in a page, before anything is resolved."""

from __future__ import annotations

from dataclasses import dataclass

TITLE_LENGTH = 500  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The links in document order: hrefs, kinds and regions have the same length (see links.Extraction)."""

    base: str | None  # the href of the first base element that has one
    hrefs: list[str]
    kinds: bytes
    regions: bytes
    title: str


def tidy(title: str) -> str:
    """White space collapsed, cut at TITLE_LENGTH characters."""
    return " ".join(title.split())[:TITLE_LENGTH]
