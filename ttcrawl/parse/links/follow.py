"""The links of a page resolved, decided by scope and traps, and handed on once each."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from ttcrawl.canon import Canon
from ttcrawl.config import Config, link_kinds
from ttcrawl.messages import KIND, NOT_FOLLOWED, Link, Request
from ttcrawl.parse.links.extract import Extraction
from ttcrawl.parse.links.regions import CONTENT, CONTENT_NOFOLLOW, ELSEWHERE, ELSEWHERE_NOFOLLOW
from ttcrawl.parse.links.resolver import Resolver, Target, target_of
from ttcrawl.scope import Scope
from ttcrawl.traps import Orders, compile_traps
from ttcrawl.url import key

#: URLs a parse process remembers having sent; forgotten all at once when there are more (sending again does no harm).
SENT = 2_000_000

#: Why a link is not followed on this page, though it may be on another.
WHY_STOPPED = ("", "nofollow", "trap: urls")
_STOPPED = {CONTENT: CONTENT_NOFOLLOW, ELSEWHERE: ELSEWHERE_NOFOLLOW}

#: The region of a link whose kind is not followed, and the distance that it is sent with, as far as we remember.
RECORDED = ord("r")
_ASIDE = NOT_FOLLOWED + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The links of one page, as messages.Page has them."""

    new: tuple[Link, ...] = ()
    targets: str = "[]"
    kinds: bytes = b""
    regions: bytes = b""
    parts: bytes = b""
    anchors: str = ""
    content: int = 0
    same_page: int = 0
    found: int = 0
    recorded: int = 0
    not_http: int = 0
    schemes: str = "{}"


class Follower:
    """What a parse process remembers of the links that it has met."""

    def __init__(self, config: Config, scope: Scope, canon: Canon) -> None:
        self._follow_all = config.links.follow == "all"
        self._followed = frozenset(link_kinds(config.links.kinds))
        self._nofollow = config.links.nofollow
        self._urls_per_page = config.traps.urls_per_page
        self._scope = scope
        self._traps = compile_traps(config.traps, time.gmtime().tm_year)
        self._orders = Orders(config.traps.permutations)
        self._resolver = Resolver(canon, self.refusal)
        self._sent: dict[int, int] = {}  # key -> the distance it was sent with

    def refusal(self, url: str) -> tuple[str, str]:
        reason, rule = self._scope.ruling(url)
        if reason:
            return reason, rule
        # orders come last, because what they let through they remember
        return self._traps.refusal(url) or self._orders.refusal(url), ""

    def follow(self, request: Request, page: Extraction, nofollow: bool) -> Links:
        """`nofollow`: the page says so of all its links."""
        target_at = self._resolver.page(page.base).target
        every = self._scope.counts_hops  # this way to a URL may be a shorter one in that respect
        own, sent, follow_all, deeper = key(request.url), self._sent, self._follow_all, request.depth + 1
        followed = self._followed
        keys: list[int] = []
        places: list[int] = []
        kinds, regions = bytearray(), bytearray()
        new: list[Link] = []
        content = same_page = recorded = not_http = 0
        stops = b"\1" * len(page.hrefs) if nofollow and self._nofollow != "no" else page.nofollow
        if 0 < self._urls_per_page < len(stops):
            stops = stops[: self._urls_per_page] + b"\2" * (len(stops) - self._urls_per_page)
        for place, (href, kind, region, stop) in enumerate(
            zip(page.hrefs, page.kinds, page.regions, stops, strict=True)
        ):
            target = target_at(href.partition("#")[0] if "#" in href else href)
            if target is None:
                not_http += 1
                continue
            aside = kind not in followed
            inside = region == CONTENT and not aside
            content += inside
            if target.key == own:
                same_page += not aside
                continue
            places.append(place)
            keys.append(target.key)
            kinds.append(kind)
            if aside:
                recorded += 1
                regions.append(RECORDED)
                distance, why = _ASIDE, KIND
            else:
                follows = inside or follow_all
                regions.append(_STOPPED[region] if stop else region)
                distance = deeper if follows and not stop else NOT_FOLLOWED
                why = target.refused or (WHY_STOPPED[stop] if follows else "")
            if every or sent.get(target.key, _ASIDE + 1) > distance:
                sent[target.key] = distance
                new.append(link(target, min(distance, NOT_FOLLOWED), why))
        if len(sent) > SENT:
            sent.clear()
        return Links(
            new=tuple(new),
            targets=f"[{','.join(map(str, keys))}]",
            kinds=bytes(kinds),
            regions=bytes(regions),
            parts=bytes(page.parts[place] for place in places) if page.parts else b"",
            anchors=json.dumps([page.anchors[place] for place in places], ensure_ascii=False) if page.anchors else "",
            content=content,
            same_page=same_page,
            found=len(keys) - recorded + same_page,
            recorded=recorded,
            not_http=not_http,
        )


def link(target: Target, distance: int, refused: str = "") -> Link:
    """`refused`: why, "" for what the target says."""
    return Link(
        url=target.url,
        key=target.key,
        host=target.host,
        distance=distance,
        refused=refused or target.refused,
        rule=target.rule if refused in ("", target.refused) else "",
        spelling=target.spelling,
    )


def redirect(canon: Canon, base: str, location: str, depth: int, follower: Follower) -> Link | None:
    """The target of a redirect; None when that is no http(s) URL."""
    url, spelling = canon.spelled(base, location)
    return None if url is None else link(target_of(url, spelling, follower.refusal), depth)
