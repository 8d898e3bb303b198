"""The outcome of a page, from its parts."""

from __future__ import annotations

import xxhash
from msgspec import structs

from ttcrawl.parse.hooks.stage import Hooked
from ttcrawl.ring.messages import Archived, Fetched, Page, Request
from ttcrawl.ring.record import Fingerprint, Record
from ttcrawl.vocabulary.reason import Code

#: Headers that contain links, which may be relative.
LINKS = ("link", "refresh")


def page_of(
    request: Request,
    fetched: Fetched,
    archived: Archived,
    body: bytes,
    hooked: Hooked,
    *,
    refused: Code,
    error: str,
    types: tuple[str, str, str],
    headers: dict[str, str],
    robots: str,
    record: Record | None,
    fingerprint: Fingerprint | None,
    uses_page_url: bool,
) -> Page:
    """`types`: of the bytes, in the header, and the charset in the header. `error`: "" for that of the content."""
    content, links = hooked.content, hooked.links
    return Page(
        token=request.token,
        archived=archived,
        refused=refused,
        content_type=types[0],
        declared_type=types[1],
        charset=content.charset,
        declared_charset=content.declared_charset or types[2],
        charset_from=content.charset_from,
        length=len(body),
        digest=fetched.digest or xxhash.xxh3_128_digest(body),
        title=content.title,
        etag=headers.get("etag", ""),
        last_modified=headers.get("last-modified", ""),
        server=headers.get("server", ""),
        robots=robots,
        parser=content.parser,
        parse_error=error or content.error,
        found=links.found,
        content=links.content,
        same_page=links.same_page,
        recorded=links.recorded,
        not_http=links.not_http,
        schemes=links.schemes,
        content_hashes=content.content_hashes,
        look=content.look,
        links=links.new,
        targets=links.targets,
        kinds=links.kinds,
        regions=links.regions,
        parts=links.parts,
        anchors=links.anchors,
        record=record,
        text=content.text,
        image=content.image,
        document=content.document,
        fingerprint=fingerprint,
        uses_page_url=uses_page_url,
        url_independent=content.url_independent and headers.keys().isdisjoint(LINKS),
        unread=content.unread,
        fields=hooked.fields,
        score=hooked.score,
        link_scores=links.scores,
    )


def counted(page: Page, *, followed: bool) -> Page:
    """Return an irrelevant page as it is if such pages are only counted: its score, and its links if these may be
    `followed`."""
    if not followed:
        page = structs.replace(page, links=(), targets="[]", kinds=b"", regions=b"", parts=b"")
    return structs.replace(
        page,
        title="",
        found=0,
        content=0,
        same_page=0,
        recorded=0,
        not_http=0,
        anchors="",
        record=None,
        text=None,
        image=None,
        document=None,
        fingerprint=None,
        fields="",
        score=None,
        only_counted=True,
    )
