"""The links of a page: resolved, decided by scope and traps, and sent once each."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import accumulate, compress

from msgspec import Struct, structs

from ttcrawl.config import Config, link_kinds
from ttcrawl.config.compiled import compile_traps
from ttcrawl.core.number_table import NumberTable, new_number_table
from ttcrawl.parse.links.extract import Extraction, no_page
from ttcrawl.parse.links.link import link
from ttcrawl.parse.links.linked import UNSENT, DistanceByLetter, json_of, linked
from ttcrawl.parse.links.resolver import Resolver, Target
from ttcrawl.parse.links.schemes import counted, together
from ttcrawl.ring.columns import LinkCounts, Outlinks
from ttcrawl.ring.messages import NOT_FOLLOWED, Link, Request
from ttcrawl.vocabulary import region as vocabulary
from ttcrawl.vocabulary.kind import HOOK, INDEX, REQUISITES, SHOWN
from ttcrawl.vocabulary.reason import KIND, NOFOLLOW, NONE, REQUISITE, TOO_MANY_LINKS, Code
from ttcrawl.vocabulary.region import (
    CONTENT,
    CONTENT_NOFOLLOW,
    CONTENT_NOT_OBEYED,
    ELSEWHERE,
    ELSEWHERE_NOFOLLOW,
    ELSEWHERE_NOT_OBEYED,
    MARK_HOOK,
    RECORDED,
)
from ttcrawl.vocabulary.requisite import WAIVED, waived
from ttcrawl.web.canon import Canon
from ttcrawl.web.scope import Scope
from ttcrawl.web.traps import Orders
from ttcrawl.web.url import key

#: URLs that a parse process remembers as sent (7 MB; 20 MB without the compiled core). Above this number it forgets all
#: of them: sending one again is harmless.
MAX_SENT = 300_000

#: Why a link is not followed from this page; another page may still lead to it.
WHY_STOPPED = (NONE, NOFOLLOW, TOO_MANY_LINKS, NONE)
TOO_MANY, NOT_OBEYED = 2, 3  # NOT_OBEYED: the page declares nofollow, but the link is followed
_TO_NOT_OBEYED = bytes.maketrans(b"\1", bytes([NOT_OBEYED]))
_STOPPED = {CONTENT: CONTENT_NOFOLLOW, ELSEWHERE: ELSEWHERE_NOFOLLOW}
_NOT_OBEYED_REGIONS = {CONTENT: CONTENT_NOT_OBEYED, ELSEWHERE: ELSEWHERE_NOT_OBEYED}
_OF_STOPS: tuple[dict[int, int], ...] = ({}, _STOPPED, _STOPPED, _NOT_OBEYED_REGIONS)

_RECORDED = bytes([RECORDED])
_INSIDE, _LETTERS = vocabulary.letters(lambda each: each.content), vocabulary.letters(lambda each: True)

NESTED, ADDED = ord(INDEX.letter), ord(HOOK.letter)
#: The stored distance of a link whose kind is not followed.
_ASIDE = NOT_FOLLOWED + 1


class Links(Struct, frozen=True, kw_only=True):
    """The links of one page, as in messages.Page. `new`: those that the crawl process has to know."""

    new: tuple[Link, ...] = ()
    outlinks: Outlinks = Outlinks()
    counts: LinkCounts = LinkCounts()
    #: Whether the links depend on more of the page's URL than its directory. A link to the page itself does, except
    #: "#there": the same href on another page of the directory is a link to this page.
    uses_page_url: bool = True
    #: The targets of the links, the words near them (by index), and scores (a byte each).
    resolved: Sequence[Target] = ()
    nearby: Mapping[int, str] = {}
    scores: bytes = b""


NO_LINKS = Links()


class Follower:
    """The links that a parse process remembers. `hook`: the hook for URLs, a function URL -> reason, "" for none."""

    def __init__(self, config: Config, scope: Scope, canon: Canon, hook: Callable[[str], Code] | None = None) -> None:
        self._hook = hook
        self._follow_all = config.links.follow == "all"
        self._followed = vocabulary.followed(everywhere=self._follow_all)
        followed = frozenset(link_kinds(config.links.kinds)) | {NESTED, ADDED}
        #: For bytes.translate: 0 for kinds that are followed, 1 for the others.
        self._asides = bytes(kind not in followed for kind in range(256))
        #: 1 for kinds of page requisites, if these are fetched.
        self._requisites = bytes(config.links.page_requisites and kind in REQUISITES for kind in range(256))
        #: 1 for kinds that a page at the maximum depth shows, if these are followed.
        self._max_depth, self._shown = config.crawl.max_depth, bytes(kind in SHOWN & followed for kind in range(256))
        self._waived = WAIVED if config.links.page_requisites else frozenset()
        self._nofollow = config.links.nofollow
        self._urls_per_page = config.traps.urls_per_page
        # a path to a URL may have fewer off-domain hops, or be the first on a page that is not a duplicate
        self._every = scope.counts_hops or not config.duplicates.follow
        self._scope = scope
        self._traps = compile_traps(config.traps, time.gmtime().tm_year, session=config.has_session)
        self._orders = Orders(config.traps.permutations)
        self._resolver = Resolver(canon, self.refusal, config.scope.max_url)
        self._sent, self._unsent = new_number_table(), new_number_table()  # the second one stays empty
        self._sent_shown = new_number_table()  # the same, for what pages at the maximum depth show
        self._required = new_number_table()  # key -> the steps it was sent with as a page requisite

    def refusal(self, url: str) -> tuple[Code, str]:
        return self._refusal(url, self._waived)

    def refusal_of_sitemap(self, url: str) -> tuple[Code, str]:
        """Reason and rule against a sitemap that its site names, on any host (sitemaps.org, cross submits)."""
        return self._refusal(url, WAIVED)

    def is_foreign(self, url: str) -> bool:
        """Whether the host of a URL is out of scope."""
        return self._scope.is_foreign(url)

    def is_outside(self, url: str) -> bool:
        """Whether the host or the directory of a URL is out of scope."""
        return self._scope.is_outside(url)

    def _refusal(self, url: str, waivable: Set[Code]) -> tuple[Code, str]:
        scope, rule = self._scope.ruling(url)
        if scope and scope not in waivable:
            return scope, rule
        reason = self._traps.refusal(url)
        if not reason and self._hook is not None:
            reason = self._hook(url)
        # orders last: they remember every URL that they accept
        reason = reason or self._orders.refusal(url)
        return (reason, "") if reason else (scope, rule)

    def follow(self, request: Request, page: Extraction, nofollow: bool) -> Links:
        """`nofollow`: the page declares it for all its links. A sitemap in an index has the distance of the index."""
        resolver = self._resolver.page(page.base)
        targets = resolver.targets(page.hrefs)
        asides = page.kinds.translate(self._asides)
        stops = self._stops(page, nofollow, targets, asides)
        letters = _letters(page.regions, asides, stops)
        deeper = min(request.depth + 1, NOT_FOLLOWED)
        sent = self._sent if self._sends_once(request, page) else self._unsent
        own = key(request.url)
        found = linked(targets, own, page, letters, sent, _distances(self._followed, deeper))
        outlinks, here = found.outlinks, found.own_letters.translate(None, _RECORDED)
        recorded = outlinks.regions.count(RECORDED)
        return Links(
            new=tuple(self._to_send(found.unsent, request, page, letters, stops)) if found.unsent else (),
            outlinks=outlinks,
            counts=LinkCounts.sound(
                links=len(found.targets) - recorded + len(here),
                content_links=_inside(outlinks.regions) + _inside(here),
                same_page_links=len(here),
                recorded_links=recorded,
                not_http=len(found.elsewhere),
                schemes=counted(page.base, found.elsewhere),
            ),
            uses_page_url=page.uses_page_url or resolver.uses_page_url or found.names_itself,
            resolved=found.targets,
            nearby=_of_others(page.nearby, targets, own) if page.nearby else {},
        )

    def add(self, request: Request, links: Links, urls: Sequence[str], metas: Mapping[str, str]) -> Links:
        """The links of a page and more of them, relative to its URL, which are followed in any case.

        `metas`: what is handed to the pages behind canonical URLs. Such a link is sent again if it was sent before.
        """
        for sent in (self._sent, self._sent_shown):
            for url in metas:
                sent.pop(key(url), None)
        more = self.follow(request, no_page(request.url, urls, ADDED), nofollow=False)
        before, added = links.outlinks, more.outlinks
        count = len(added.kinds)
        return structs.replace(
            links,
            new=links.new + _with(metas, more.new),
            outlinks=Outlinks(
                targets=f"[{','.join(filter(None, (before.targets[1:-1], added.targets[1:-1])))}]",
                kinds=before.kinds + added.kinds,
                regions=before.regions + added.regions,
                landmarks=before.landmarks and before.landmarks + b"-" * count,
                anchors=json_of(json.loads(before.anchors) + [""] * count) if before.anchors else "",
            ),
            counts=_sum(links.counts, more.counts),
            resolved=(*links.resolved, *more.resolved),
        )

    def refuse(self, links: Links, reasons: Mapping[int, Code]) -> Links:
        """The links of a page without those with these keys, which are not followed from it."""
        marked = links.outlinks.regions.translate(MARK_HOOK)
        pairs = zip(links.resolved, links.outlinks.regions, marked, strict=True)
        new = tuple(_refused(each, reasons[each.key]) if each.key in reasons else each for each in links.new)
        self.unsend(each for each in new if each.key in reasons)  # another page may lead there
        regions = bytes(mark if each.key in reasons else letter for each, letter, mark in pairs)
        return structs.replace(links, new=new, outlinks=structs.replace(links.outlinks, regions=regions))

    def unsend(self, links: Iterable[Link]) -> None:
        """Let the next page that has these links send them again."""
        for each in links:
            for sent in (self._sent, self._sent_shown, self._required):
                sent.pop(each.key, None)

    def forget_sent(self) -> None:
        """Let pages send all links again."""
        for sent in (self._sent, self._sent_shown, self._required):
            sent.clear()

    def forget_targets(self) -> None:
        """Decide about all URLs again."""
        self._resolver.forget()

    def _stops(self, page: Extraction, nofollow: bool, targets: Sequence[Target | None], asides: bytes) -> bytes:
        """Why each link is not followed, as in WHY_STOPPED."""
        stops = page.nofollow if self._nofollow == "all" else page.nofollow.translate(_TO_NOT_OBEYED)
        stops = b"\1" * len(stops) if nofollow and self._nofollow != "no" else stops
        if page.ranks or not 0 < self._urls_per_page < len(stops):
            return stops
        counted = accumulate(not aside and target is not None for aside, target in zip(asides, targets, strict=True))
        most = self._urls_per_page
        return bytes(TOO_MANY if count > most else stop for count, stop in zip(counted, stops, strict=True))

    def _sends_once(self, request: Request, page: Extraction) -> bool:
        """Whether the links of a page that were sent with this distance are not sent again."""
        return not (
            self._every or page.ranks or request.depth == self._max_depth or 1 in page.kinds.translate(self._requisites)
        )

    def _to_send(
        self, pairs: Sequence[tuple[int, Target]], request: Request, page: Extraction, letters: bytes, stops: bytes
    ) -> Iterator[Link]:
        """The links to send; page requisites as such, and also as links if their kind is followed."""
        deeper = min(request.depth + 1, NOT_FOLLOWED)
        required = page.kinds.translate(self._requisites)
        linked = pairs
        if request.depth == self._max_depth and 1 in (shown := page.kinds.translate(self._shown)):
            own = [pair for pair in pairs if shown[pair[0]]]
            for each in self._new(own, page, letters, stops, deeper, self._sent_shown):
                yield structs.replace(each, distance=request.depth) if each.distance == deeper else each
            linked = [pair for pair in pairs if not shown[pair[0]]]
        if 1 not in required:
            yield from self._new(linked, page, letters, stops, deeper, self._sent)
            return
        linked = [pair for pair in linked if not required[pair[0]] or letters[pair[0]] != RECORDED]
        yield from self._new(linked, page, letters, stops, deeper, self._sent)
        steps = request.requisite + 1 if request.depth == NOT_FOLLOWED else 1
        yield from self._page_requisites([target for index, target in pairs if required[index]], steps)

    def _page_requisites(self, targets: Iterable[Target], steps: int) -> Iterator[Link]:
        """The page requisites that were not sent with these steps, or fewer. Neither nofollow nor the content region
        stops them: both are about what a reader may follow."""
        sent = self._required
        for count, target in enumerate(targets):
            if sent.get(target.key, steps + 1) <= steps:
                continue
            refused = waived(target.refused)
            if not refused and 0 < self._urls_per_page <= count:
                refused = TOO_MANY_LINKS
            else:
                sent[target.key] = steps
            rule = target.rule if refused == target.refused else ""
            yield structs.replace(link(target, NOT_FOLLOWED), refused=refused, rule=rule, requisite=steps)
        if len(sent) > MAX_SENT:
            sent.clear()

    def _new(
        self,
        pairs: Iterable[tuple[int, Target]],
        page: Extraction,
        letters: bytes,
        stops: bytes,
        deeper: int,
        sent: NumberTable,
    ) -> Iterator[Link]:
        """The links to send: those that were not sent with this distance, or a smaller one. `pairs`: index and target;
        `deeper`: the distance of links that are followed, NOT_FOLLOWED on a page requisite; `sent`: is updated."""
        ranks, every = page.ranks, self._every or bool(page.ranks)
        stopped = WHY_STOPPED if deeper < NOT_FOLLOWED else (REQUISITE,) * len(WHY_STOPPED)
        distances = _distances(self._followed, deeper).of
        for index, target in pairs:
            distance = distances[letters[index]]
            if not every and sent.get(target.key, UNSENT) <= distance:
                continue
            aside, stop = letters[index] == RECORDED, stops[index]
            follows = self._follow_all or page.regions[index] == CONTENT
            stopping = stopped[stop] if follows else NONE
            why = KIND if aside else target.refused or stopping
            if ranks and not aside:
                if nested := page.kinds[index] == NESTED:
                    why = (target.refused and self.refusal_of_sitemap(target.url)[0]) or stopping
                entry = self._entry(target, distance, why, ranks[index], nested=nested)
                yield structs.replace(entry, changed=page.dates[index]) if page.dates else entry
                continue
            sent[target.key] = distance
            yield link(target, min(distance, NOT_FOLLOWED), why)
        if len(sent) > MAX_SENT:
            sent.clear()

    def _entry(self, target: Target, distance: int, why: Code, rank: int, *, nested: bool) -> Link:
        """An entry of a sitemap or feed. All entries are sent: one may have a better rank than the path on which it was
        sent before. An entry with a worse rank than a link must not prevent that link from being sent."""
        if nested:
            # in an index, which adds no distance
            return link(target, distance - (distance != NOT_FOLLOWED), why, rank, sitemap=True)
        if rank <= 0:
            self._sent[target.key] = min(distance, self._sent.get(target.key, _ASIDE))
        return link(target, distance, why, rank)


@lru_cache(maxsize=64)
def _distances(followed: bytes, deeper: int) -> DistanceByLetter:
    """`followed`: the letters of links that lead `deeper`."""
    others = dict.fromkeys(_LETTERS, NOT_FOLLOWED) | {RECORDED: _ASIDE}
    return DistanceByLetter(others | dict.fromkeys(followed, deeper))


def _sum(one: LinkCounts, other: LinkCounts) -> LinkCounts:
    numbers = {name: getattr(one, name) + getattr(other, name) for name in LinkCounts.__struct_fields__}
    return LinkCounts(**numbers | {"schemes": together(one.schemes, other.schemes)})


def _with(metas: Mapping[str, str], links: Sequence[Link]) -> tuple[Link, ...]:
    return tuple(structs.replace(each, meta=metas[each.url]) if each.url in metas else each for each in links)


def _refused(link: Link, reason: Code) -> Link:
    if link.distance == NOT_FOLLOWED and not link.requisite:
        return link
    return structs.replace(link, distance=NOT_FOLLOWED, refused=link.refused or reason)


def _letters(regions: bytes, asides: bytes, stops: bytes) -> bytes:
    """The letter of each link: ttcrawl.vocabulary.region."""
    if stops.count(0) < len(stops):
        stopped = bytearray(regions)
        for index in compress(range(len(stops)), stops):
            stopped[index] = _OF_STOPS[stops[index]][regions[index]]
        regions = bytes(stopped)
    if 1 not in asides:
        return regions
    if regions.count(regions[0]) == len(regions):  # as on most pages
        return asides.translate(bytes((regions[0], RECORDED)) + bytes(254))
    return bytes([RECORDED if aside else region for region, aside in zip(regions, asides, strict=True)])


def _of_others(nearby: Mapping[int, str], targets: Sequence[Target | None], own: int) -> dict[int, str]:
    """Words near links, by the index among the links to other URLs than the page's `own`."""
    indexes = [index for index, target in enumerate(targets) if target is not None and target.key != own]
    return {to: nearby[index] for to, index in enumerate(indexes) if index in nearby}


def _inside(letters: bytes) -> int:
    """The number of links in the content region."""
    return len(letters) - len(letters.translate(None, _INSIDE))
