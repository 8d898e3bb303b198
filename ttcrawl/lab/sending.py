"""The links that a parse process would send: each once, decided by the scope and the traps of the configuration."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from ttcrawl.config import Config
from ttcrawl.config.compiled import canon_of
from ttcrawl.lab.record import Answer, RecordedUrl, RecordedWeb
from ttcrawl.lab.word_scores import WordScores
from ttcrawl.parse.links.follow import NESTED, Follower
from ttcrawl.ring.messages import NOT_FOLLOWED, Link, Request
from ttcrawl.topic.links import STEP
from ttcrawl.vocabulary import region
from ttcrawl.vocabulary.reason import NOFOLLOW, Code
from ttcrawl.web.scope import Scope


class Sending:
    """`directory`: of the trial. `nearer`: whether a shorter path to a URL matters; links on it are then sent again.
    Best first, links are sent each time: one page may promise more than another."""

    def __init__(self, web: RecordedWeb, config: Config, scope: Scope, directory: Path, *, nearer: bool) -> None:
        self._web, self._nearer = web, nearer
        self._every = config.frontier.best_first
        self._words = WordScores(config, directory, web.urls) if self._every else None
        self._followed = region.followed(everywhere=config.links.follow == "all")
        self._follower = Follower(config, scope, canon_of(config))
        self._decided: dict[int, tuple[Code, str]] = {}
        self._sent: dict[int, int] = {}  # key -> the shortest distance that matters

    def links(self, request: Request, answer: Answer) -> tuple[Link, ...]:
        """Return the links of a page that the crawl process has to know."""
        if self._words is not None and not answer.scores:
            answer = replace(answer, scores=self._words.of(answer))
        sent, every = self._sent, self._every or answer.listing
        deeper = min(request.depth + 1, NOT_FOLLOWED)
        links = []
        for key, kind, follows, score in answer.links(self._followed):
            nested = kind == NESTED
            distance = (deeper - nested if deeper < NOT_FOLLOWED else deeper) if follows else NOT_FOLLOWED
            compared = distance if self._nearer or not follows else 0
            if (not every and sent.get(key, NOT_FOLLOWED + 1) <= compared) or key not in self._web.urls:
                continue
            sent[key] = compared
            link = self._link(self._web.urls[key], distance, listed=answer.listing, nested=nested)
            if not follows and not link.refused:
                link = replace(link, refused=NOFOLLOW)
            links.append(replace(link, score=score * STEP) if score else link)
        return tuple(links)

    def followed(self, answer: Answer) -> list[RecordedUrl]:
        """Return the targets of a page that are followed, each once."""
        urls = self._web.urls
        keys = dict.fromkeys(key for key, _, follows, _ in answer.links(self._followed) if follows)
        return [urls[key] for key in keys if key in urls]

    def target(self, request: Request, answer: Answer) -> Link | None:
        """Return where a redirect leads; None: to no URL."""
        for key, *_ in answer.links(self._followed):
            if key in self._web.urls:
                return self._link(self._web.urls[key], request.depth, listed=False, nested=False)
        return None

    def sitemap(self, url: RecordedUrl) -> Link:
        """Return a sitemap that a host names."""
        return self._link(url, 0, listed=False, nested=True)

    def _link(self, url: RecordedUrl, distance: int, *, listed: bool, nested: bool) -> Link:
        refused, rule = self._decide(url, sitemap=nested)
        link: Link = Link.sound(
            url=url.url,
            key=url.key,
            host=url.host,
            distance=distance,
            refused=refused,
            rule=rule,
            rank=url.rank if listed else 0,
            sitemap=nested,
        )
        return link

    def _decide(self, url: RecordedUrl, *, sitemap: bool) -> tuple[Code, str]:
        if sitemap:
            return self._follower.refusal_of_sitemap(url.url)
        decided = self._decided.get(url.key)
        if decided is None:
            decided = self._decided[url.key] = self._follower.refusal(url.url)
        return decided
