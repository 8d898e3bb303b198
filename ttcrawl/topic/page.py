"""The parts of a page that are scored."""

from __future__ import annotations

from dataclasses import dataclass

TITLE, METADATA, HEADINGS, TEXT, PATH = "title", "metadata", "headings", "text", "path"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a page says. `metadata`: (name, content) in document order. `path`: that of its URL, with the first /."""

    title: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    headings: tuple[str, ...] = ()
    text: str = ""
    path: str = ""
    urls: tuple[str, ...] = ()  # all its URLs, for the patterns of sites that always pass
    language: str = ""  # primary subtag of BCP 47, "" if it is unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The parts of a page as words with one blank between them, and the number of words of each part, at least 1."""

    title: str
    metadata: str
    headings: str
    text: str
    path: str
    counts: dict[str, int]
    has_title: bool = True
    has_metadata: bool = True
