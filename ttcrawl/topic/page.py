"""The parts of a page that are scored."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from msgspec import Struct

from ttcrawl.vocabulary.headings import heading_texts

TITLE, METADATA, HEADINGS, TEXT, PATH = "title", "metadata", "headings", "text", "path"


class Page(Struct, frozen=True, kw_only=True):
    """What a page says. `metadata`: (name, content) in document order. `path`: of its URL, with the first /."""

    title: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    headings: tuple[str, ...] = ()
    text: str = ""
    path: str = ""
    urls: tuple[str, ...] = ()  # all its URLs, for the patterns of sites that always pass
    language: str = ""  # primary subtag of BCP 47, "" if it is unknown


class Words(Struct, frozen=True, kw_only=True):
    """The parts of a page as words with blanks between them, in bytes. `counts`: the number of words of each part that
    Combine divides by, at least 1; None: all of them."""

    title: bytes
    metadata: bytes
    headings: bytes
    text: bytes
    path: bytes
    counts: dict[str, int] | None = None


def page_of_metadata(
    url: str, title: str, description: str, keywords: str, headings: str, language: str, text: str
) -> Page:
    """Return the parts of a page as tables have them. `headings`: JSON array of [level, text]; `url`: "" if none."""
    named = (("description", description), ("keywords", keywords))
    return Page(
        title=title,
        metadata=tuple((name, content) for name, content in named if content),
        headings=tuple(heading_texts(headings)),
        text=text,
        path=unquote(urlsplit(url).path),
        urls=(url,) if url else (),
        language=language,
    )
