"""The input and output of the reader for one kind of content."""

from __future__ import annotations

from msgspec import Struct

from ttcrawl.parse.head import values
from ttcrawl.parse.links.follow import NO_LINKS, Links
from ttcrawl.read.fingerprints.fingerprint import FingerprintInput
from ttcrawl.ring.messages import Head, Request
from ttcrawl.ring.record import Document, Image, Record, Text
from ttcrawl.web.mime.content_type import content_type


class Answer(Struct, frozen=True, kw_only=True):
    """A response whose body is to be parsed."""

    request: Request
    head: Head
    headers: dict[str, str]  # by name in lower case; the first field of each name
    body: bytes  # without content codings
    mime: str  # its type, sniffed or declared
    declared: str  # the type in Content-Type, "" if none
    charset: str  # the charset in Content-Type, "" if none
    time: float = 0.0  # when it was requested


def answer_of(
    request: Request, head: Head, headers: dict[str, str], body: bytes, mime: str, time: float = 0.0
) -> Answer:
    declared, charset = content_type(values(head, "content-type"))
    return Answer(
        request=request, head=head, headers=headers, body=body, mime=mime, declared=declared, charset=charset, time=time
    )


class Content(Struct, frozen=True, kw_only=True):
    """The parsed content; messages.Page has the same field names."""

    charset: str = ""
    declared_charset: str = ""
    charset_from: str = ""
    title: str = ""
    robots: frozenset[str] = frozenset()  # directives of the page itself
    parser: str = ""
    error: str = ""
    links: Links = NO_LINKS
    content_hashes: tuple[int, int] = (0, 0)
    look: tuple[int, int] = (0, 0)
    record: Record | None = None
    text: Text | None = None
    image: Image | None = None
    document: Document | None = None
    fingerprint_input: FingerprintInput | None = None  # None: there is none, or it is not compared
    uses_page_url: bool = True
    url_independent: bool = False  # apart from links in its headers
    unread: bool = False  # its reading is put off
