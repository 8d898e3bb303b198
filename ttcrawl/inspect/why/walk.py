"""Determines which URLs the rules let a crawl reach from its seeds, over the links of the fetched pages.

Breadth first, as in the crawl: a link adds 1 to the depth; a redirect, a sitemap in an index or what a page at the
maximum depth shows adds 1 redirect instead.
A URL that is refused on one path may be accepted on another. Memory: some 150 bytes a URL. Time: 28 s for a million
URLs and ten million links (one core), in equal parts for the links and for the rules.
"""

from __future__ import annotations

import json
from array import array
from itertools import repeat
from typing import NamedTuple

from ttcrawl.frontier.bounds import FARTHEST
from ttcrawl.inspect.why.as_if import Following
from ttcrawl.inspect.why.open_crawl import OpenCrawl, Rules
from ttcrawl.vocabulary.kind import REDIRECT, REQUISITES, SHOWN
from ttcrawl.vocabulary.reason import (
    ALIAS,
    ALIAS_FETCHED,
    DEPTH,
    DUPLICATE,
    KIND,
    NOFOLLOW,
    OUTSIDE_CONTENT,
    REDIRECTS,
    REQUISITE,
    REQUISITE_STEPS,
    TOO_MANY_LINKS,
    TOPIC,
)
from ttcrawl.vocabulary.region import (
    CONTENT_DUPLICATE,
    CONTENT_HOOK,
    CONTENT_NOFOLLOW,
    ELSEWHERE_DUPLICATE,
    ELSEWHERE_HOOK,
    ELSEWHERE_NOFOLLOW,
    RECORDED,
)
from ttcrawl.vocabulary.requisite import WAIVED
from ttcrawl.vocabulary.state import ANSWERED

UNREACHED = 1 << 30
BY_HOOK = (CONTENT_HOOK, ELSEWHERE_HOOK)
SAME_DEPTH = b"RI"  # a redirect, or a sitemap in an index: same depth, one more redirect
MERGED = """
    SELECT old.id, new.id FROM url AS new JOIN url AS old ON old.id = new.found_on
    WHERE old.reason = ? OR new.reason = ? OR old.state = 'failed'
"""


class Path(NamedTuple):
    """How a URL is reached: as by a link (`depth` is not None), as a page requisite (`requisite` > 0), or both."""

    depth: int | None
    redirects: int
    requisite: int


class Walk:
    """One walk; afterwards `reached` and `refusals` give the outcome of each URL."""

    def __init__(self, crawl: OpenCrawl, rules: Rules, following: Following) -> None:
        self._db = crawl.db
        self._rules = rules
        self._following = following
        self._max_depth = rules.config.crawl.max_depth
        self._max_redirects = rules.config.scope.max_redirects
        self._tunnel = rules.config.topic.tunnel if rules.config.topic.on else -1
        (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()
        self._ids: dict[int, int] = {}
        self._read = bytearray(last + 1)  # 1: it has a response, so it may have links
        self._sitemap = bytearray(last + 1)
        for key, url, answered, sitemap in self._db.execute(f"SELECT key, id, state IN {ANSWERED}, sitemap FROM url"):
            self._ids[key] = url
            self._read[url], self._sitemap[url] = answered, sitemap
        #: Merged aliases: a URL, or its page -> the URL that replaces it.
        self._merged: dict[int, int] = dict(self._db.execute(MERGED, (ALIAS, ALIAS_FETCHED)))
        self._depths = array("i", repeat(UNREACHED, last + 1))
        self._redirects = array("i", repeat(0, last + 1))
        self._shut = array("i", repeat(UNREACHED, last + 1))  # refused at this depth, so also at every greater one
        self._aside = bytearray(last + 1)  # 1: seen where links are not followed
        self._recorded = bytearray(last + 1)  # 1: seen in a link whose kind is not followed
        self._refused: dict[int, tuple[str, ...]] = {}
        #: Irrelevant pages in a row before a URL, if that limits the walk, and which pages are irrelevant, or relevant.
        self._off_topic = array("i", repeat(UNREACHED, last + 1)) if self._tunnel >= 0 else None
        self._relevant: dict[int, bool] = {}
        if self._off_topic is not None:
            self._relevant = {url: bool(each) for url, each in self._db.execute("SELECT url, relevant FROM topic")}
        self._steps = bytearray(last + 1)  # since the page to whose display it belongs; 0: to none

    def reached(self, url: int) -> bool:
        return self._depths[url] < UNREACHED or self._steps[url] > 0

    def path(self, url: int) -> Path:
        """The shortest path to a reached URL."""
        depth = self._depths[url] if self._depths[url] < UNREACHED else None
        return Path(depth, self._redirects[url], self._steps[url])

    def off_topic(self, url: int) -> int:
        """Irrelevant pages in a row before a reached URL; 0 if they do not count."""
        return self._off_topic[url] if self._off_topic is not None and self._depths[url] < UNREACHED else 0

    def refusals(self, url: int) -> tuple[str, ...]:
        """Why an unreached URL was refused on each path; () if no path led to it."""
        return self._refused.get(url) or ((KIND,) if self._recorded[url] else ())

    def walk(self) -> None:
        level: list[int] = []
        roots = "SELECT id FROM url WHERE found_on IS NULL OR sitemap = 1 ORDER BY id"
        for root in dict.fromkeys((*self._db.seed_ids.values(), *(root for (root,) in self._db.execute(roots)))):
            self._offer(root, 0, 0, 0, level)
        depth = 0
        while level:
            following: list[int] = []
            for url in level:  # redirects are appended during the loop
                # a URL on a path with fewer irrelevant pages comes again, at any of its depths
                if self._read[url] and (self._depths[url] == depth or self._off_topic is not None):
                    self._expand(url, self._depths[url], level, following)
            level, depth = following, depth + 1
        if self._rules.config.links.page_requisites:
            self._walk_requisites()

    def _walk_requisites(self) -> None:
        """What is requested as a page requisite: by steps from the pages."""
        level = [url for url, depth in enumerate(self._depths) if depth < UNREACHED and self._read[url]]
        pages = True
        for steps in range(1, FARTHEST + 2):
            following: list[int] = []
            for url in level:
                self._expand_requisites(url, steps, following, page=pages or self._depths[url] < UNREACHED)
            level, pages = [each for each in following if self._read[each]], False

    def _expand_requisites(self, url: int, steps: int, following: list[int], *, page: bool) -> None:
        """Offer the requisites of a page or of a page requisite. The links of the latter are not followed.

        The requisites of a page are offered once: in the first round, with one step.
        """
        row = self._db.execute("SELECT targets, kinds, regions FROM outlinks WHERE source = ?", (url,)).fetchone()
        if row is None:
            return
        requisites = 0
        for key, kind, region in zip(json.loads(row[0]), row[1], row[2], strict=True):
            target = self._ids.get(key)
            is_requisite = kind in REQUISITES and region not in BY_HOOK
            requisites += is_requisite
            if target is None:
                continue
            offered = is_requisite and (steps == 1 or not page) and not 0 < self._following.urls_per_page < requisites
            if offered or (chr(kind) == REDIRECT.letter and self._steps[url]):
                self._offer_requisite(target, steps, following)
            if not page and region == RECORDED:
                self._recorded[target] = 1
            elif not page and not self.reached(target) and region in self._following.followed:
                self._refuse(target, self._refusal(target, 0) or REQUISITE)

    def _offer_requisite(self, url: int, steps: int, following: list[int]) -> None:
        if self._steps[url]:
            return
        reason = REQUISITE_STEPS if steps > FARTHEST else self._rules.refusal_of_requisite(self._db.url_of(url))
        if reason:
            self._refuse(url, reason)
        else:
            self._steps[url] = steps
            following.append(url)

    def _expand(self, url: int, depth: int, level: list[int], following: list[int]) -> None:
        row = self._db.execute(
            "SELECT targets, kinds, regions, links, robots FROM outlinks JOIN page ON page.url = source"
            " WHERE source = ?",
            (url,),
        ).fetchone()
        if row is None:
            return
        packed, kinds, regions, links, directives = row
        rules, ids, depths, shut = self._following, self._ids, self._depths, self._shut
        over_limit = 0 < rules.urls_per_page < links
        followed, behind = rules.followed, self._behind(url)
        for key, kind, region in zip(json.loads(packed), kinds, rules.regions(regions, links, directives), strict=True):
            target = ids.get(key)
            if target is None:  # refused, and without a row
                continue
            if region == RECORDED:
                self._recorded[target] = 1
            elif region not in followed:
                self._refuse_link(target, region, over_limit)
            elif kind in SAME_DEPTH or (depth == self._max_depth and kind in SHOWN):
                self._offer(target, depth, self._redirects[url] + 1, behind, level)
            elif (depths[target] > depth + 1 or self._off_topic is not None) and shut[target] > depth + 1:
                self._offer(target, depth + 1, 0, behind, following)

    def _behind(self, url: int) -> int:
        """Irrelevant pages in a row up to the links of a URL; 0 if they do not count."""
        relevant = self._relevant.get(url)
        return 0 if self._off_topic is None or relevant else self._off_topic[url] + (relevant is False)

    def _offer(self, url: int, depth: int, redirects: int, off_topic: int, level: list[int]) -> None:
        """Follow a path to a URL, unless a rule refuses it. `off_topic`: irrelevant pages in a row before the URL."""
        on_topic = self._off_topic is not None and off_topic < self._off_topic[url]
        if (self._depths[url] <= depth and not on_topic) or self._shut[url] <= depth:
            return
        reason = self._refusal(url, depth)
        if not reason and 0 <= self._max_depth < depth:
            reason = DEPTH
        if reason:
            self._shut[url] = depth
        elif redirects > self._max_redirects:
            reason = REDIRECTS
        elif 0 <= self._tunnel < off_topic:
            reason = TOPIC
        if reason:
            self._refuse(url, reason)
            return
        if depth < self._depths[url]:
            self._depths[url], self._redirects[url] = depth, redirects
        if self._off_topic is not None:
            self._off_topic[url] = min(off_topic, self._off_topic[url])
        level.append(url)
        if (canonical := self._merged.get(url)) is not None:
            self._offer(canonical, depth, redirects, off_topic, level)

    def _refusal(self, url: int, depth: int) -> str:
        reason = self._rules.refusal(self._db.url_of(url), depth)
        return "" if self._sitemap[url] and reason in WAIVED else reason

    def _refuse_link(self, url: int, region: int, over_limit: bool) -> None:
        """A link that is not followed."""
        if self._depths[url] < UNREACHED or self._shut[url] == 0:
            return
        if not self._aside[url]:
            self._aside[url] = 1
            reason = self._refusal(url, 0)
            if reason:
                self._shut[url] = 0
                self._refuse(url, reason)
                return
        if region == CONTENT_DUPLICATE or (self._following.follow_all and region == ELSEWHERE_DUPLICATE):
            self._refuse(url, DUPLICATE)
            return
        stopped = region == CONTENT_NOFOLLOW or (self._following.follow_all and region == ELSEWHERE_NOFOLLOW)
        self._refuse(url, NOFOLLOW if stopped else OUTSIDE_CONTENT)
        if stopped and over_limit:
            self._refuse(url, TOO_MANY_LINKS)

    def _refuse(self, url: int, reason: str) -> None:
        reasons = self._refused.get(url, ())
        if reason not in reasons:
            self._refused[url] = (*reasons, reason)
