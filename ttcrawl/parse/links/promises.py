"""What the links of a page promise, once the page has its score.

A parse process sends each URL once, and again for each path that is better in some way than every path before: it is
shorter, fewer irrelevant pages lie on it, or the words at its link promise more. The crawl process ignores paths that
exceed a limit, so that one may count although another has a better score. Few links are sent twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec import structs

from ttcrawl.parse.links.follow import MAX_SENT, Links
from ttcrawl.parse.links.link import link
from ttcrawl.ring.columns import Topic
from ttcrawl.ring.messages import NOT_FOLLOWED, Link, Request
from ttcrawl.topic.best_first import FULL, handed_down, off_topic, offered
from ttcrawl.topic.links import STEP, ScoresLinks
from ttcrawl.vocabulary import region

#: The bits above the three numbers of a packed path.
_BITS = 15, 31, 63
_GUARD = sum(1 << bit for bit in _BITS)


def packed(depth: int, off_topic: int, lost: int) -> int:
    """Return a path as a number. `lost`: what its score lacks to the best one, at most 2 ** 15 - 1."""
    return depth << 32 | min(off_topic, 0x7FFF) << 16 | lost


def covers(path: int, other: int) -> bool:
    """Whether no number of a path is larger than that of another one.

    >>> covers(packed(1, 2, 3), packed(1, 2, 4)), covers(packed(1, 2, 3), packed(9, 1, 9))
    (True, False)
    """
    return ((other | _GUARD) - path) & _GUARD == _GUARD  # a larger number borrows the bit above the other one


class SentPaths:
    """Which paths to a URL a parse process has sent, packed: those that no other one covers."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        self._others: dict[int, list[int]] = {}  # of the few URLs with several

    def is_better(self, key: int, path: int) -> bool:
        """Whether a path to a URL is better in some way than every one that was sent; if so, it counts as sent."""
        before = self._first.get(key)
        if before is None:
            if len(self._first) >= MAX_SENT:  # sending one again is harmless
                self._first.clear()
                self._others.clear()
            self._first[key] = path
            return True
        others = self._others.get(key, ())
        if covers(before, path) or any(covers(each, path) for each in others):
            return False
        self._first[key], *rest = [path, *(each for each in (before, *others) if not covers(path, each))]
        if rest:
            self._others[key] = rest
        else:
            self._others.pop(key, None)
        return True


class Promises:
    """`scorer`: of links; None: they are not fetched in the order of their scores."""

    def __init__(self, scorer: ScoresLinks | None, *, follow_all: bool) -> None:
        self._scorer = scorer
        self._followed = frozenset(region.followed(everywhere=follow_all))
        self._sent = SentPaths()

    def forget_sent(self) -> None:
        self._sent = SentPaths()

    def add(self, request: Request, links: Links, topic: Topic | None) -> Links:
        """Return the links of a page with their scores, and with those that must be sent again."""
        scores = self._scores(links)
        if request.depth == NOT_FOLLOWED:  # only a page requisite: its links are no paths
            return structs.replace(links, scores=scores)
        best: dict[int, int] = {}  # index of the best link by the key of its target
        for index, (target, letter) in enumerate(zip(links.resolved, links.outlinks.regions, strict=True)):
            if letter in self._followed and not target.refused:
                before = best.get(target.key)
                if before is None or (scores and scores[before] < scores[index]):
                    best[target.key] = index
        better = self._better(request, best, scores, topic)
        new = [self._scored(each, best, scores) for each in links.new] if scores else [*links.new]
        sent = {each.key for each in links.new if not each.requisite}
        depth = min(request.depth + 1, NOT_FOLLOWED)
        for key in better:
            if key not in sent:
                again = link(links.resolved[best[key]], depth)
                new.append(self._scored(again, best, scores))
        return structs.replace(links, new=tuple(new), scores=scores)

    def _scores(self, links: Links) -> bytes:
        """A byte for each link; 0 for those that are not followed. An error costs these scores, and not the page."""
        if self._scorer is None:
            return b""
        try:
            return bytes(self._scores_one_by_one(self._scorer, links))
        except Exception:
            return bytes(len(links.outlinks.regions))

    def _scores_one_by_one(self, scorer: ScoresLinks, links: Links) -> Iterator[int]:
        outlinks, nearby = links.outlinks, links.nearby
        anchors: list[str] = json.loads(outlinks.anchors) if outlinks.anchors else []
        for index, (target, letter) in enumerate(zip(links.resolved, outlinks.regions, strict=True)):
            if letter not in self._followed or target.refused:
                yield 0
                continue
            anchor = anchors[index] if anchors else ""
            yield scorer.score(anchor, nearby.get(index, ""), target.key, target.url) // STEP

    def _better(self, request: Request, best: dict[int, int], scores: bytes, topic: Topic | None) -> list[int]:
        """The targets to which this page has a better path than those that were sent."""
        relevant, probability = (topic.relevant, topic.probability) if topic else (None, None)
        steps = off_topic(request.off_topic, relevant)
        from_page = handed_down(relevant, probability, steps)
        better, here = [], packed(request.depth, steps, 0)
        for key, index in best.items():
            lost = FULL - (offered(scores[index] * STEP, from_page) if scores else 0)
            if self._sent.is_better(key, here | lost):
                better.append(key)
        return better

    def _scored(self, each: Link, best: dict[int, int], scores: bytes) -> Link:
        if not scores or each.requisite or each.distance == NOT_FOLLOWED or each.key not in best:
            return each
        return structs.replace(each, score=scores[best[each.key]] * STEP)
