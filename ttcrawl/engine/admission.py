"""Whether a queued URL that is due is requested after all: the crawl has learnt more since it was discovered."""

from __future__ import annotations

from ttcrawl.config import Config
from ttcrawl.engine.duplicates.repeats import Repeats
from ttcrawl.engine.settle import HostSettler, ProbeSettler, UrlSettler
from ttcrawl.frontier.bounds import ScopeAt
from ttcrawl.frontier.frontier import Frontier
from ttcrawl.frontier.host import Host, Probe, Queued
from ttcrawl.frontier.priority import put_last
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.reason import DUPLICATE_PATTERN, NONE, SCOPE_EXTENSION, TOO_MANY_PAGES, Code, Family, family
from ttcrawl.vocabulary.state import REFUSED


class Admission:
    """`again` is what scope says now of URLs that an earlier run queued."""

    def __init__(
        self,
        config: Config,
        store: Store,
        frontier: Frontier,
        urls: UrlSettler,
        hosts: HostSettler,
        probes: ProbeSettler,
        repeats: Repeats,
        again: ScopeAt | None,
    ) -> None:
        self._most_pages = config.traps.pages_per_host
        self._refuses = config.duplicates.repeated == "refuse"
        self._store = store
        self._frontier = frontier
        self._urls, self._hosts, self._probes = urls, hosts, probes
        self._repeats = repeats
        self._again = again

    def refuse(self, refusal: Refusal) -> None:
        """What the frontier refused is processed as what a process brought."""
        subject, reason = refusal.subject, refusal.reason
        if isinstance(subject, Queued):
            rule = self._again(subject.url, 0, 0)[1] if self._again and family(reason) is Family.SCOPE else ""
            self._urls.refuse(refusal.host, subject, refusal.state, reason, rule)
        elif isinstance(subject, Probe):
            self._probes.refuse(subject, reason)
        else:
            self._hosts.refuse(refusal.host, subject, reason)

    def admits(self, turn: Turn) -> bool:
        """Whether a turn is to be taken; if not, its URL is refused, or comes last."""
        at, queued = turn.host, turn.queued
        if queued is None:
            return True
        if reason := self._refusal(at, queued):
            self._frontier.give_back(turn)
            self.refuse(Refusal(host=at, subject=queued, state=REFUSED, reason=reason))
            return False
        if self._put_last(at, queued):
            self._frontier.put_back(turn)
            return False
        return True

    def _refusal(self, at: Host, queued: Queued) -> Code:
        """Why a URL is not to be requested; NONE: it is. The one that is asked about is in flight already."""
        if 0 < self._most_pages <= at.asked + at.flying - 1:
            return TOO_MANY_PAGES
        if reason := self._urls.patterns.refusal(queued.url):
            return reason
        # what a seed or a sitemap names, no page made up
        named = not queued.depth or queued.sitemap
        if not named and (reason := self._urls.echoes.refusal(queued.url, lambda: self._store.source(queued.id))):
            return reason
        reason = self._again(queued.url, 0, 0)[0] if self._again else NONE
        if reason and not (queued.sitemap and reason == SCOPE_EXTENSION):
            return reason
        return DUPLICATE_PATTERN if self._refuses and self._likely_duplicate(queued) else NONE

    def _put_last(self, at: Host, queued: Queued) -> bool:
        """Whether a URL comes behind all others, because it is likely a duplicate: then its row says so."""
        pattern = "" if self._refuses else self._likely_duplicate(queued)
        if not pattern:
            return False
        self._repeats.put_last(queued.url, pattern)
        before, queued.priority = queued.priority, put_last(queued.priority)
        self._store.reorder(queued.id, at.site, before, queued.priority)
        return True

    def _likely_duplicate(self, queued: Queued) -> str:
        """The pattern by which it is one; "": it is not, or it is requested to see whether the pattern is right."""
        pattern = self._repeats.likely(queued)
        if pattern and self._repeats.audited(queued.url):
            self._store.patterns.audit(queued.id, pattern)
            return ""
        return pattern
