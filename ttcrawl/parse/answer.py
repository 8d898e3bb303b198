"""What a reader of one kind of content is given, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from ttcrawl.parse.links.follow import Links
from ttcrawl.read.fingerprints.fingerprint import FingerprintInput
from ttcrawl.ring.messages import Head, Request
from ttcrawl.ring.record import Document, Image, Record, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer that has something to be read."""

    request: Request
    head: Head
    headers: dict[str, str]  # by name in lower case; the first field of each name
    body: bytes  # without content codings
    mime: str  # what it is
    declared: str  # the type in the header, "" if none
    charset: str  # the label there, "" if none
    at: float = 0.0  # when it was asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What was read: see messages.Page, which has the same names."""

    charset: str = ""
    declared_charset: str = ""
    charset_from: str = ""
    title: str = ""
    robots: frozenset[str] = frozenset()  # directives of the page itself
    parser: str = ""
    error: str = ""
    links: Links = field(default_factory=Links)
    says: tuple[int, int] = (0, 0)
    record: Record | None = None
    text: Text | None = None
    image: Image | None = None
    document: Document | None = None
    fingerprint_input: FingerprintInput | None = None  # None: it has none, or nothing of it is compared
    bound: bool = True
    anywhere: bool = False  # as far as its headers have no links
