"""The links of a page: resolved, decided by scope and traps, and sent once each."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass

from ttcrawl.config import Config, link_kinds
from ttcrawl.parse.links.extract import Extraction
from ttcrawl.parse.links.resolver import Resolver, Target, target_of
from ttcrawl.parse.links.schemes import scheme
from ttcrawl.ring.messages import NOT_FOLLOWED, Link, Request
from ttcrawl.vocabulary.kind import INDEX
from ttcrawl.vocabulary.reason import KIND, NOFOLLOW, NONE, SCOPE_EXTENSION, TOO_MANY_LINKS, Code
from ttcrawl.vocabulary.region import (
    CONTENT,
    CONTENT_NOFOLLOW,
    CONTENT_NOT_OBEYED,
    ELSEWHERE,
    ELSEWHERE_NOFOLLOW,
    ELSEWHERE_NOT_OBEYED,
    RECORDED,
)
from ttcrawl.web.canon import Canon
from ttcrawl.web.scope import Scope
from ttcrawl.web.traps import Orders, compile_traps
from ttcrawl.web.url import key, without_fragment

#: URLs that a parse process remembers as sent. Above this number it forgets all of them: sending one again is harmless.
MAX_SENT = 2_000_000

#: Why a link is not followed from this page; another page may still lead to it.
WHY_STOPPED = (NONE, NOFOLLOW, TOO_MANY_LINKS, NONE)
TOO_MANY, NOT_OBEYED = 2, 3  # SAYS_SO: the page declares nofollow, but the link is followed
_TO_NOT_OBEYED = bytes.maketrans(b"\1", bytes([NOT_OBEYED]))
_STOPPED = {CONTENT: CONTENT_NOFOLLOW, ELSEWHERE: ELSEWHERE_NOFOLLOW}
_NOT_OBEYED_REGIONS = {CONTENT: CONTENT_NOT_OBEYED, ELSEWHERE: ELSEWHERE_NOT_OBEYED}

NESTED = ord(INDEX.letter)
#: The stored distance of a link whose kind is not followed.
_ASIDE = NOT_FOLLOWED + 1

#: Schemes of a page that are counted by name.
SCHEMES = 20

_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode  # json.dumps creates one per call


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The links of one page, as in messages.Page."""

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
    #: Whether the links depend on more of the page's URL than its directory. A link to the page itself does, except
    #: "#there": the same href on another page of the directory is a link to this page.
    uses_page_url: bool = True


class Follower:
    """The links that a parse process remembers."""

    def __init__(self, config: Config, scope: Scope, canon: Canon) -> None:
        self._follow_all = config.links.follow == "all"
        self._followed = frozenset(link_kinds(config.links.kinds)) | {NESTED}
        self._nofollow = config.links.nofollow
        self._urls_per_page = config.traps.urls_per_page
        # a path to a URL may have fewer off-domain hops, or be the first on a page that is not a duplicate
        self._every = scope.counts_hops or not config.duplicates.follow
        self._scope = scope
        self._traps = compile_traps(config.traps, time.gmtime().tm_year)
        self._orders = Orders(config.traps.permutations)
        self._resolver = Resolver(canon, self.refusal)
        self._sent: dict[int, int] = {}  # key -> the distance it was sent with

    def refusal(self, url: str) -> tuple[Code, str]:
        reason, rule = self._scope.ruling(url)
        if reason:
            return reason, rule
        # orders last: they remember every URL that they accept
        return self._traps.refusal(url) or self._orders.refusal(url), ""

    def follow(self, request: Request, page: Extraction, nofollow: bool) -> Links:
        """`nofollow`: the page declares it for all its links. A sitemap in an index has the distance of the index."""
        target_of_href = (resolver := self._resolver.page(page.base)).target
        own, sent, follow_all, deeper = key(request.url), self._sent, self._follow_all, request.depth + 1
        followed, ranks = self._followed, page.ranks
        keys, indexes, elsewhere = list[int](), list[int](), list[str]()
        regions, new = bytearray(), list[Link]()
        content, same_page, recorded, uses_page_url = 0, 0, 0, page.uses_page_url
        stops = page.nofollow if self._nofollow == "all" else page.nofollow.translate(_TO_NOT_OBEYED)
        stops = b"\1" * len(stops) if nofollow and self._nofollow != "no" else stops
        remaining = len(stops) if ranks or not self._urls_per_page else self._urls_per_page
        occurrences = zip(page.hrefs, page.kinds, page.regions, stops, strict=True)
        for index, (href, kind, region, stop) in enumerate(occurrences):
            target = target_of_href(without_fragment(href) if "#" in href else href)
            if target is None:
                elsewhere.append(href)
                continue
            aside = kind not in followed
            remaining -= not aside
            inside = region == CONTENT and not aside
            content += inside
            if target.key == own:
                same_page, uses_page_url = same_page + (not aside), uses_page_url or href[:1] not in ("", "#")
                continue
            indexes.append(index)
            keys.append(target.key)
            if remaining < 0:
                stop = TOO_MANY
            follows = inside or follow_all
            if aside:
                recorded += 1
                regions.append(RECORDED)
                distance = _ASIDE
            else:
                is_followed = not stop or stop == NOT_OBEYED
                regions.append((_NOT_OBEYED_REGIONS if is_followed else _STOPPED)[region] if stop else region)
                distance = deeper if follows and is_followed else NOT_FOLLOWED
            if self._every or ranks or sent.get(target.key, _ASIDE + 1) > distance:
                why = KIND if aside else target.refused or (WHY_STOPPED[stop] if follows else NONE)
                if ranks and not aside:
                    new.append(self._entry(target, distance, why, ranks[index], nested=kind == NESTED))
                    continue
                sent[target.key] = distance
                new.append(link(target, min(distance, NOT_FOLLOWED), why))
        if len(sent) > MAX_SENT:
            sent.clear()
        return Links(
            new=tuple(new),
            targets=f"[{','.join(map(str, keys))}]",
            kinds=bytes(map(page.kinds.__getitem__, indexes)),
            regions=bytes(regions),
            parts=bytes(map(page.landmarks.__getitem__, indexes)) if page.landmarks else b"",
            anchors=_json([*map(page.anchors.__getitem__, indexes)]) if page.anchors else "",
            content=content,
            same_page=same_page,
            found=len(keys) - recorded + same_page,
            recorded=recorded,
            not_http=len(elsewhere),
            schemes=_json_of_schemes(page.base, elsewhere),
            uses_page_url=uses_page_url or resolver.uses_page_url,
        )

    def _entry(self, target: Target, distance: int, why: Code, rank: int, *, nested: bool) -> Link:
        """An entry of a sitemap or feed. All entries are sent: one may have a better rank than the path on which it was
        sent before. An entry with a worse rank than a link must not prevent that link from being sent."""
        if nested:
            # in an index, which adds no distance
            return link(target, distance - (distance != NOT_FOLLOWED), why, rank, sitemap=True)
        if rank <= 0:
            self._sent[target.key] = min(distance, self._sent.get(target.key, _ASIDE))
        return link(target, distance, why, rank)


def _json_of_schemes(base: str, hrefs: list[str]) -> str:
    """The number of links per scheme, the most frequent first; beyond SCHEMES of them, the rest is counted together."""
    if not hrefs:
        return "{}"
    counted = Counter(scheme(base, href) for href in hrefs).most_common()
    counts = dict(counted[:SCHEMES])
    if len(counted) > SCHEMES:
        counts["other"] = counts.get("other", 0) + sum(times for _, times in counted[SCHEMES:])
    return json.dumps(counts)


def link(target: Target, distance: int, refused: Code = NONE, rank: int = 0, *, sitemap: bool = False) -> Link:
    """`refused`: the reason; "": the reason of the target."""
    why = refused or target.refused
    why = NONE if sitemap and why == SCOPE_EXTENSION else why
    return Link(
        url=target.url,
        key=target.key,
        host=target.host,
        distance=distance,
        refused=why,
        rule=target.rule if why == target.refused else "",
        spelling=target.spelling,
        rank=rank,
        sitemap=sitemap,
    )


def link_to(
    canon: Canon, base: str, href: str, depth: int, follower: Follower, *, sitemap: bool = False
) -> Link | None:
    """The target of a redirect, or a sitemap named by its site; None if it is not an http(s) URL."""
    url, spelling = canon.spelled(base, href)
    return None if url is None else link(target_of(url, spelling, follower.refusal), depth, sitemap=sitemap)
