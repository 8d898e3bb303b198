"""What one reader of HTML found in a page, before anything is resolved."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ttcrawl.parse.links.regions import unflagged

TITLE_LENGTH = 500  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The links in document order: hrefs, kinds, regions and nofollow have the same length (see links.Extraction).

    Regions and nofollow are empty where nobody asked for them.
    """

    base: str | None  # the href of the first base element that has one
    hrefs: list[str]
    kinds: bytes
    regions: bytes
    title: str
    metas: list[tuple[str, str]]  # (name, content) of meta elements that have a name
    nofollow: bytes  # 1: rel has the token nofollow


def tidy(title: str) -> str:
    """White space collapsed, cut at TITLE_LENGTH characters."""
    return " ".join(title.split())[:TITLE_LENGTH]


def tidied(read: Found, *, flagged: bool) -> Found:
    """What a reader found, without the marks of regions where there are any; only then the title is cut."""
    if not flagged:
        return replace(read, title=tidy(read.title))
    return replace(
        read,
        hrefs=[unflagged(href) for href in read.hrefs],
        title=tidy(unflagged(read.title)),
        metas=[(unflagged(name), unflagged(content)) for name, content in read.metas],
    )


def is_nofollow(rel: str) -> bool:
    """The attribute rel of a link has the token nofollow (HTML standard 4.6.6.12)."""
    return "nofollow" in rel.lower().split()
