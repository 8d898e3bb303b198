"""What was read of a document."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """Text (empty or cut when there is an error), links and metadata of a document; all as it says them itself.

    Strings can be encoded as UTF-8 and have no NUL. `error` is empty or one of: encrypted, broken: ..., bomb: ...,
    timeout, too much memory, too much output, converter missing: ...
    """

    text: str = ""
    links: tuple[tuple[str, str], ...] = ()  # URL as it stands, anchor text or ""; those inside the document left out
    title: str = ""
    author: str = ""
    created: str = ""  # as the converter gives it, mostly ISO 8601
    modified: str = ""
    pages: int | None = None
    converter: str = ""  # python:NAME, or the name of a program
    error: str = ""
