"""Whether a queued URL that is due is requested after all: the crawl has learnt more since it was discovered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ttcrawl.engine.companion import Companion, Processor, overriding
from ttcrawl.engine.duplicates.repeats import Repeats
from ttcrawl.engine.settle.trap_memory import TrapMemory
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.bounds import ScopeAt
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.priority import DEMOTED
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.ring.messages import NOT_FOLLOWED
from ttcrawl.vocabulary.reason import DUPLICATE_PATTERN, NONE, REQUISITE_OFF, TOO_MANY_PAGES, Code
from ttcrawl.vocabulary.requisite import waived
from ttcrawl.vocabulary.state import REFUSED


class Admission:
    """Decides at each turn. `again` is the present scope, for URLs that an earlier run queued."""

    def __init__(
        self,
        shared: Shared,
        processors: Mapping[type, Processor],
        companions: Sequence[Companion],
        repeats: Repeats,
        traps: TrapMemory,
        again: ScopeAt | None,
    ) -> None:
        self._most_pages = shared.config.traps.pages_per_host
        self._requisites = shared.config.links.page_requisites
        self._refuses = shared.config.duplicates.repeated == "refuse"
        self._store = shared.store
        self._frontier = shared.frontier
        self._processors = processors
        self._refused = overriding(companions, Companion.refused)
        self._repeats = repeats
        self._traps = traps
        self._again = again

    def admitted(self, taken: Turn | Refusal) -> Turn | None:
        """Return a turn that is requested. Otherwise its URL is refused, or put last, and this is processed."""
        if isinstance(taken, Refusal):
            self._refuse(taken)
            return None
        if taken.queued is None:
            return taken
        reason, rule = self._against(taken.host, taken.queued)
        if reason:
            self._frontier.give_back(taken)
            self._refuse(Refusal(host=taken.host, subject=taken.queued, state=REFUSED, reason=reason, rule=rule))
            return None
        if taken.queued.visit is None and self._put_last(taken.queued):
            self._frontier.put_back(taken)
            return None
        return taken

    def _refuse(self, refusal: Refusal) -> None:
        """Process a refusal, like an outcome from a process."""
        task = refusal.task
        self._processors[type(task)].refuse(refusal)
        if isinstance(task, Queued):
            for refused in self._refused:
                refused(task)

    def _against(self, host: Host, queued: Queued) -> tuple[Code, str]:
        """Return reason and rule against requesting a URL; NONE if there is none. It counts as in flight already."""
        if queued.visit is not None:
            return self._out_of_scope(queued)
        # a user names seeds, and a site its sitemaps: no page has generated them
        named = not queued.depth or queued.sitemap
        if not named and (reason := self._trap(host, queued)):
            return reason, ""
        reason, rule = self._out_of_scope(queued)
        if reason:
            return reason, rule
        pattern = self._likely_duplicate(queued) if self._refuses and not named else ""
        if pattern and not self._store.answers.listed_by_seed(queued.id):
            return DUPLICATE_PATTERN, self._repeats.rule_against(queued.url, pattern)
        return NONE, ""

    def _trap(self, host: Host, queued: Queued) -> Code:
        """Return the trap to which a URL belongs by what other URLs brought, "" if to none."""
        if 0 < self._most_pages <= host.requested + host.flying - 1:
            return TOO_MANY_PAGES
        trap = self._traps.into(queued)
        return NONE if trap and self._store.answers.listed_by_seed(queued.id) else trap

    def _out_of_scope(self, queued: Queued) -> tuple[Code, str]:
        """Return why the present configuration excludes a URL that an earlier run queued or requested."""
        if queued.depth == NOT_FOLLOWED and not self._requisites:
            return REQUISITE_OFF, ""
        reason, rule = self._again(queued.url, 0, 0) if self._again else (NONE, "")
        exempt = queued.sitemap or (queued.requisite and self._requisites)
        return (NONE, "") if exempt and not waived(reason) else (reason, rule)

    def _put_last(self, queued: Queued) -> bool:
        """Put a URL behind all others, with its row, if it is likely a duplicate. Return whether it was put last."""
        pattern = "" if self._refuses else self._likely_duplicate(queued)
        if not pattern:
            return False
        self._repeats.put_last(queued.url, pattern)
        queued.priority += DEMOTED
        queued.demoted = True
        self._store.urls.demote(queued.id, queued.priority)
        return True

    def _likely_duplicate(self, queued: Queued) -> str:
        """Return the pattern that makes a URL a likely duplicate; "" if there is none or the URL is an audit."""
        pattern = self._repeats.likely(queued)
        if pattern and self._repeats.audited(queued.url):
            self._store.patterns.audit(queued.id, pattern)
            return ""
        return pattern
