"""What the tables say of the bytes of an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageBytes:
    """The columns of a page row that describe its bytes."""

    id: int
    url: str
    moved: bool
    status: int
    length: int
    digest: bytes | None
    offset: int
    size: int
    payload: int | None  # the URL whose record has the bytes; None: this URL
    is_original: bool  # other pages have their bytes here
    latest: bool
