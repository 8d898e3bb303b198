"""The result of the conversion of a document."""

from __future__ import annotations

from msgspec import Struct


class Converted(Struct, frozen=True, kw_only=True):
    """Text (empty or truncated if there is an error), links and metadata of a document, unverified.

    Strings can be encoded as UTF-8 and contain no NUL. `error` is empty or one of: encrypted, broken: ..., bomb: ...,
    timeout, too much memory, too much output, converter missing: ...
    """

    text: str = ""
    links: tuple[tuple[str, str], ...] = ()  # URL unchanged, anchor text or ""; without links inside the document
    title: str = ""
    author: str = ""
    created: str = ""  # from the converter, mostly ISO 8601
    modified: str = ""
    pages: int | None = None
    converter: str = ""  # python:NAME, or the name of a program
    error: str = ""
