"""One answer -> one outcome: what the crawl process needs of it, and nothing it must recompute."""

from __future__ import annotations

import codecs
from pathlib import Path

import xxhash

from ttcrawl import robots
from ttcrawl.canon import compile_canon
from ttcrawl.config import Config
from ttcrawl.messages import ROBOTS, Archived, Fetched, Head, Moved, Outcome, Page, Request, Robots
from ttcrawl.parse.charset import declared, to_utf8
from ttcrawl.parse.coding.decode import BombError, CodingError, beginning, decode
from ttcrawl.parse.directives import NOFOLLOW, directives, recorded
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.follow import Follower, Links, redirect
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.scope import Scope
from ttcrawl.store.position import Position
from ttcrawl.store.warc import Archive
from ttcrawl.traps import Contents

HTML = frozenset({"text/html", "application/xhtml+xml"})

#: Bytes that may be unpacked on the way to what is read of a robots.txt, where codings lie on top of one another.
MAX_CODED_ROBOTS = 10 * robots.MAX_BYTES


class Reader:
    """A parse process without the process: the archive it writes and what it remembers."""

    def __init__(self, config: Config, scope: Scope, archive: Path, position: Position) -> None:
        self._parser = config.links.parser
        self._wanted = wanted(config.links)
        self._agent = config.agent.name
        self._limit, self._ratio = config.fetch.max_decoded, config.fetch.max_ratio
        self._canon = compile_canon(config.url)
        self._follower = Follower(config, scope, self._canon)
        self._contents = Contents() if config.traps.same_content else None
        self._archive = Archive(archive, position, config.store.warc_size)

    def read(self, request: Request, fetched: Fetched, head: Head, body: bytes) -> Outcome:
        """Archive an answer and say what it is. Raises OSError when the archive cannot be written."""
        whole = not fetched.refused and fetched.method == "GET"
        archived = self._archive.append(request.url, head, body, fetched.started, whole=whole)
        headers = {name.lower(): value for name, value in reversed(head.headers)}
        if 300 <= head.status < 400 and "location" in headers:
            return self._moved(request, archived, headers["location"])
        if request.kind == ROBOTS:
            return self._robots(request, archived, head, headers, body, cut=bool(fetched.refused))
        return self._page(request, archived, head, headers, body)

    def close(self) -> None:
        self._archive.close()

    def _moved(self, request: Request, archived: Archived, location: str) -> Moved:
        # http.client gives a header as latin-1; where a server sent UTF-8, that is what was meant (WHATWG Fetch)
        try:
            location = location.encode("latin-1").decode("utf-8")
        except UnicodeError:
            location = location.encode("latin-1", "replace").decode("latin-1")
        target = redirect(self._canon, request.url, location, request.depth, self._follower)
        return Moved(token=request.token, archived=archived, location=location, target=target)

    def _robots(
        self, request: Request, archived: Archived, head: Head, headers: dict[str, str], body: bytes, *, cut: bool
    ) -> Robots:
        """UTF-8 by RFC 9309 section 2.3; bytes that are not are replaced, so that the lines around them still count."""
        text: str | None = ""
        if 200 <= head.status < 300:
            try:
                text = beginning(body, _coding(head), robots.MAX_BYTES, MAX_CODED_ROBOTS, self._ratio, cut=cut).decode(
                    "utf-8", "replace"
                )
            except CodingError:
                text = None
        return Robots(
            token=request.token,
            archived=archived,
            text=text,
            etag=headers.get("etag", ""),
            last_modified=headers.get("last-modified", ""),
        )

    def _page(self, request: Request, archived: Archived, head: Head, headers: dict[str, str], body: bytes) -> Page:
        declared_type = headers.get("content-type", "")
        content_type = declared_type.partition(";")[0].strip().lower()
        charset, refused, error, says, page, links = "", "", "", 0, None, Links()
        asked = directives((), head.headers, self._agent)
        is_html = content_type in HTML or (not content_type and _looks_like_html(body))
        if 200 <= head.status < 300 and body and is_html:
            try:
                plain = decode(body, _coding(head), self._limit, self._ratio)
                html, charset = to_utf8(plain, declared(declared_type))
                page = extract(html, request.url, self._parser, self._wanted)
                asked |= directives(page.metas, (), self._agent)
                says = self._contents.of(request.url, html) if self._contents else 0
                links, error = self._follower.follow(request, page, not asked.isdisjoint(NOFOLLOW)), page.error
            except BombError:
                refused = "bomb"
            except CodingError as broken:
                error = str(broken)
        return Page(
            token=request.token,
            archived=archived,
            refused=refused,
            content_type=content_type,
            declared_type=content_type,
            charset=charset,
            declared_charset=declared(declared_type),
            charset_from="",
            length=len(body),
            digest=xxhash.xxh3_128_digest(body),
            title=page.title if page else "",
            etag=headers.get("etag", ""),
            last_modified=headers.get("last-modified", ""),
            server=headers.get("server", ""),
            robots=recorded(asked),
            parser=page.parser if page else "",
            parse_error=error,
            found=links.found,
            content=links.content,
            same_page=links.same_page,
            recorded=links.recorded,
            not_http=links.not_http,
            schemes=links.schemes,
            says=says,
            links=links.new,
            targets=links.targets,
            kinds=links.kinds,
            regions=links.regions,
            parts=links.parts,
            anchors=links.anchors,
            record=None,
            text=None,
            image=None,
            document=None,
        )


def _coding(head: Head) -> str:
    """Several headers are one list (RFC 9110 section 5.3)."""
    return ",".join(value for name, value in head.headers if name.lower() == "content-encoding")


def _looks_like_html(body: bytes) -> bool:
    return body[:512].removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<")
