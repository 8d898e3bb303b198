"""One answer -> one outcome: what the crawl process needs of it, and nothing it must recompute."""

from __future__ import annotations

import codecs
import time
from dataclasses import dataclass
from pathlib import Path

import xxhash

from ttcrawl import robots
from ttcrawl.canon import compile_canon
from ttcrawl.config import Config
from ttcrawl.messages import NOT_FOLLOWED, ROBOTS, Archived, Fetched, Head, Link, Moved, Outcome, Page, Request, Robots
from ttcrawl.parse.charset import declared, to_utf8
from ttcrawl.parse.coding import BombError, CodingError, beginning, decode
from ttcrawl.parse.directives import NOFOLLOW, directives, recorded
from ttcrawl.parse.links import Extraction, extract
from ttcrawl.parse.regions import CONTENT, CONTENT_NOFOLLOW, ELSEWHERE, ELSEWHERE_NOFOLLOW
from ttcrawl.parse.resolver import Resolver, Target, target_of
from ttcrawl.scope import Scope
from ttcrawl.store.position import Position
from ttcrawl.store.warc import Archive
from ttcrawl.traps import Contents, Orders, compile_traps
from ttcrawl.url import key

HTML = frozenset({"text/html", "application/xhtml+xml"})

#: URLs a parse process remembers having sent; forgotten all at once when there are more (sending again does no harm).
SENT = 2_000_000

#: Why a link is not followed on this page, though it may be on another.
_WHY_STOPPED = ("", "nofollow", "trap: urls")
_STOPPED = {CONTENT: CONTENT_NOFOLLOW, ELSEWHERE: ELSEWHERE_NOFOLLOW}

#: Bytes that may be unpacked on the way to what is read of a robots.txt, where codings lie on top of one another.
MAX_CODED_ROBOTS = 10 * robots.MAX_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The links of one page, resolved."""

    new: tuple[Link, ...] = ()
    targets: str = "[]"
    kinds: bytes = b""
    regions: bytes = b""
    content: int = 0
    same_page: int = 0
    found: int = 0
    not_http: int = 0


class Reader:
    """A parse process without the process: the archive it writes and what it remembers."""

    def __init__(self, config: Config, scope: Scope, archive: Path, position: Position) -> None:
        self._parser = config.links.parser
        self._markers = (config.links.content_start.encode(), config.links.content_end.encode())
        self._follow_all = config.links.follow == "all"
        self._nofollow = config.links.nofollow
        self._agent = config.agent.name
        self._limit, self._ratio = config.fetch.max_decoded, config.fetch.max_ratio
        self._scope = scope
        self._canon = compile_canon(config.url)
        self._traps = compile_traps(config.traps, time.gmtime().tm_year)
        self._orders = Orders(config.traps.permutations)
        self._contents = Contents() if config.traps.same_content else None
        self._urls_per_page = config.traps.urls_per_page
        self._resolver = Resolver(self._canon, self._refusal)
        self._sent: dict[int, int] = {}  # key -> the distance it was sent with
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

    def _refusal(self, url: str) -> tuple[str, str]:
        reason, rule = self._scope.ruling(url)
        if reason:
            return reason, rule
        # orders come last, because what they let through they remember
        return self._traps.refusal(url) or self._orders.refusal(url), ""

    def _moved(self, request: Request, archived: Archived, location: str) -> Moved:
        # http.client gives a header as latin-1; where a server sent UTF-8, that is what was meant (WHATWG Fetch)
        try:
            location = location.encode("latin-1").decode("utf-8")
        except UnicodeError:
            location = location.encode("latin-1", "replace").decode("latin-1")
        url, spelling = self._canon.spelled(request.url, location)
        link = None if url is None else _link(target_of(url, spelling, self._refusal), request.depth)
        return Moved(token=request.token, archived=archived, location=location, target=link)

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
                rels = self._nofollow == "all"
                page = extract(html, request.url, self._parser, self._markers if self._markers[0] else None, rels)
                asked |= directives(page.metas, (), self._agent)
                says = self._contents.of(request.url, html) if self._contents else 0
                links, error = self._links(request, page, not asked.isdisjoint(NOFOLLOW)), page.error
            except BombError:
                refused = "bomb"
            except CodingError as broken:
                error = str(broken)
        return Page(
            token=request.token,
            archived=archived,
            refused=refused,
            content_type=content_type,
            charset=charset,
            length=len(body),
            digest=xxhash.xxh3_128_digest(body),
            title=page.title if page else "",
            etag=headers.get("etag", ""),
            last_modified=headers.get("last-modified", ""),
            robots=recorded(asked),
            parser=page.parser if page else "",
            parse_error=error,
            found=links.found,
            content=links.content,
            same_page=links.same_page,
            not_http=links.not_http,
            says=says,
            links=links.new,
            targets=links.targets,
            kinds=links.kinds,
            regions=links.regions,
        )

    def _links(self, request: Request, page: Extraction, nofollow: bool) -> Links:
        """`nofollow`: the page says so of all its links."""
        target_at = self._resolver.page(page.base).target
        every = self._scope.counts_hops  # this way to a URL may be a shorter one in that respect
        own, sent, follow_all, deeper = key(request.url), self._sent, self._follow_all, request.depth + 1
        keys: list[int] = []
        kinds, regions = bytearray(), bytearray()
        new: list[Link] = []
        content = same_page = not_http = 0
        stops = b"\1" * len(page.hrefs) if nofollow and self._nofollow != "no" else page.nofollow
        if 0 < self._urls_per_page < len(stops):
            stops = stops[: self._urls_per_page] + b"\2" * (len(stops) - self._urls_per_page)
        for href, kind, region, stop in zip(page.hrefs, page.kinds, page.regions, stops, strict=True):
            target = target_at(href.partition("#")[0] if "#" in href else href)
            if target is None:
                not_http += 1
                continue
            inside = region == CONTENT
            content += inside
            if target.key == own:
                same_page += 1
                continue
            keys.append(target.key)
            kinds.append(kind)
            follows = inside or follow_all
            regions.append(_STOPPED[region] if stop else region)
            distance = deeper if follows and not stop else NOT_FOLLOWED
            if every or sent.get(target.key, NOT_FOLLOWED + 1) > distance:
                sent[target.key] = distance
                new.append(_link(target, distance, refused=_WHY_STOPPED[stop] if follows else ""))
        if len(sent) > SENT:
            sent.clear()
        return Links(
            new=tuple(new),
            targets=f"[{','.join(map(str, keys))}]",
            kinds=bytes(kinds),
            regions=bytes(regions),
            content=content,
            same_page=same_page,
            found=len(keys) + same_page,
            not_http=not_http,
        )


def _link(target: Target, distance: int, refused: str = "") -> Link:
    return Link(
        url=target.url,
        key=target.key,
        host=target.host,
        distance=distance,
        refused=target.refused or refused,
        rule=target.rule,
        spelling=target.spelling,
    )


def _coding(head: Head) -> str:
    """Several headers are one list (RFC 9110 section 5.3)."""
    return ",".join(value for name, value in head.headers if name.lower() == "content-encoding")


def _looks_like_html(body: bytes) -> bool:
    return body[:512].removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<")
