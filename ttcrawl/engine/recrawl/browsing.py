"""Which pages go through a browser: what was learnt of their templates, and pages that are read again because of it.

The state is in crawl.db: it changes in the transaction of the outcome that it follows from. Pages of a template that
turns out to need a browser are those that were read statically because of it: no list of them can be lost.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable

from msgspec.structs import astuple, replace

from ttcrawl.browser.templates import Template, pattern_of
from ttcrawl.engine.recrawl.another import AnotherAnswer
from ttcrawl.engine.settle import UrlSettler
from ttcrawl.engine.settle.retries import reason_of, wait_of
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.host_queue import Queued, queued_of
from ttcrawl.frontier.turn import Turn
from ttcrawl.frontier.visit import Rereading
from ttcrawl.ring.browsing import AGAIN, FAILED, RENDERED, SAMPLE, STATIC, TEMPLATE, Choice, Known, Plan
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import PAGE, Failed, Moved, NotModified, Outcome, Page, Same
from ttcrawl.store.browser_uses import BrowserUse, TemplateRow
from ttcrawl.web.url import host

#: Hosts whose templates are in memory; of others they are in crawl.db.
HOSTS = 1_000

#: Patterns of a host, and signatures of a pattern, that are told apart.
PATTERNS, SIGNATURES = 200, 16

#: The pattern of URLs beyond these.
OTHERS = "*"

#: Pages that are read again at once: as many may be read in vain if their template needs no browser after all.
AT_ONCE = 10

#: Seconds until hosts are looked for again that had no room in memory.
PAUSE = 1.0

#: The outcomes of a URL that was answered before.
Visited = Page | Same | Moved | NotModified | Failed

#: The templates of a host: pattern -> signature -> template.
Templates = dict[str, dict[int, Template]]


class Browsing:
    """Part of the crawl process of a crawl with browsers; `learns`: [browser] use = auto."""

    def __init__(self, shared: Shared, urls: UrlSettler, another: AnotherAnswer) -> None:
        self._fetch, self.learns = shared.config.fetch, shared.config.browser.auto
        self._store = shared.store
        self._ledger = shared.ledger
        self._frontier = shared.frontier
        self._clock = shared.clock
        self._urls, self._another = urls, another
        self._hosts: OrderedDict[int, Templates] = OrderedDict()
        self._last = shared.store.browser_uses.last_template()
        self._looks = set[int]()  # ids of templates that a page in flight may look at again
        self._passing = Counter[int]()  # id of a template -> pages in flight that are read statically if they have it
        self._due = self.learns  # pages may have to be read again ...
        self._active = dict[int, str]()  # ... besides these; ids of URLs -> their host
        self._next_look = 0.0

    # -- what is learnt ---------------------------------------------------------------------------------------------

    def plan(self, turn: Turn) -> Plan | None:
        """Return what is known of the page of a turn; None: its URL alone decides."""
        if turn.kind != PAGE:
            return None
        if turn.queued is not None and isinstance(turn.queued.visit, Rereading):
            return Plan(templates=(), again=True)
        templates = self._templates(turn.host, turn.url)
        known = tuple(Known(signature=each, read=self._next(template)) for each, template in templates.items())
        return Plan(templates=known, full=len(known) >= SIGNATURES)

    def _next(self, template: Template) -> str:
        """How the next page of a template is read. Of the pages in flight, one is the look that is due; those that are
        read statically have passed, or a burst of quick pages would end before the look."""
        if template.read != STATIC:
            return template.read
        if template.id in self._looks or self._passing[template.id] < template.wait:
            self._passing[template.id] += 1
            return STATIC
        self._looks.add(template.id)
        return SAMPLE

    def _end_plan(self, turn: Turn, plan: Plan) -> None:
        templates = self._templates(turn.host, turn.url)
        for each in plan.templates:
            if each.signature not in templates:
                continue
            template = templates[each.signature].id
            if each.read == SAMPLE:
                self._looks.discard(template)
            elif each.read == STATIC:
                self._passing -= Counter((template,))  # what is left without pages is dropped

    def answered(self, queued: Queued, flight: Flight[Turn], outcome: Outcome, *, stored: bool) -> None:
        """Learn from an outcome, and note how the page was read if its answer was `stored`."""
        fetched = flight.fetched
        if flight.request.plan is not None:
            self._end_plan(flight.turn, flight.request.plan)
        if fetched is None or fetched.choice is None or not isinstance(outcome, Page | Same):
            return
        choice, gain = fetched.choice, outcome.gain if isinstance(outcome, Page) else None
        template = self._learn(flight.turn, choice, gain.digest if gain else None) if choice.templated else None
        decided = fetched.rendered or choice.reason == TEMPLATE
        if stored:
            self._store.browser_uses.add(
                BrowserUse(
                    url=queued.id,
                    way=RENDERED if fetched.rendered else STATIC,
                    reason=choice.reason,
                    template=template.id if template and decided else None,
                    seconds=choice.seconds,
                    requests=choice.requests,
                    bytes=choice.received,
                    links=gain.links if gain else None,
                    words=gain.words if gain else None,
                )
            )

    def _learn(self, turn: Turn, choice: Choice, gain: bytes | None) -> Template:
        templates = self._templates(turn.host, turn.url)
        signature = choice.signature if choice.signature in templates or len(templates) < SIGNATURES else 0
        template = templates.get(signature)
        if template is None:
            self._last += 1
            name = self._pattern(turn.host, turn.url)
            template = Template(id=self._last, site=turn.host.site, pattern=name, signature=signature)
            templates[signature] = template
        again = choice.reason == AGAIN
        if gain is not None:
            template.compared(gain, again=again)
        elif choice.reason in FAILED:
            template.compared(template.gain)  # the browser showed nothing that is known
        elif not again:
            template.passed()
        self._store.browser_uses.save(TemplateRow(*astuple(template)))
        self._due = self._due or template.read == RENDERED
        return template

    def _templates(self, at: Host, url: str) -> dict[int, Template]:
        return self._host(at).setdefault(self._pattern(at, url), {})

    def _pattern(self, at: Host, url: str) -> str:
        patterns, name = self._host(at), pattern_of(url)
        return name if name in patterns or len(patterns) < PATTERNS else OTHERS

    def _host(self, at: Host) -> Templates:
        templates = self._hosts.get(at.site)
        if templates is None:
            templates = self._hosts[at.site] = {}
            for row in self._store.browser_uses.templates(at.site):
                templates.setdefault(row.pattern, {})[row.signature] = Template(**row._asdict())
            if len(self._hosts) > HOSTS:
                self._hosts.popitem(last=False)
        self._hosts.move_to_end(at.site)
        return templates

    # -- pages that are read again ----------------------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """Whether pages are, or may have to be, read again."""
        return self._due or bool(self._active)

    def look(self, visited: Callable[[int], bool]) -> None:
        """Hand pages that must be read again to the frontier; not those that are being `visited` (ids of URLs)."""
        foreign = self._ledger.foreign
        if foreign is not None and self._active:  # hosts that have moved took their pages out of memory
            self._active = {url: name for url, name in self._active.items() if not foreign.is_foreign(name)}
        if not self._due or self._active or self._clock() < self._next_look:
            return
        rows = self._store.browser_uses.again(RENDERED, AT_ONCE)
        self._due = bool(rows)
        for row in rows:
            name, hosts = host(row.url), self._frontier.hosts
            if foreign is not None and foreign.is_foreign(name):
                self._store.browser_uses.not_again(row.id)
                continue
            if visited(row.id) or (name not in hosts and (hosts.crowded(name) or not hosts.room(1))):
                continue
            queued = queued_of(replace(row, attempts=0, due=0.0))
            queued.visit = Rereading()
            self._active[row.id] = name
            self._frontier.visit(self._ledger.host(name, row.site), queued)
        if rows and not self._active:
            self._next_look = self._clock() + PAUSE

    def read_again(self, at: Host, queued: Queued, flight: Flight[Turn], outcome: Visited) -> None:
        """Process the outcome of a page that is read again: another answer takes the place of the first one only if
        it went through the browser."""
        fetched = flight.fetched
        wait = wait_of(self._fetch, queued, flight, reason_of(flight, outcome))
        if wait is None and self._urls.must_repeat(queued, flight, outcome):
            wait = 0.0
        if wait is not None:
            self._frontier.put_off(at, queued, self._clock() + wait)
            return
        self._active.pop(queued.id, None)
        if not (isinstance(outcome, Page) and fetched is not None and fetched.rendered and not outcome.refused):
            self.refuse(at, queued)
            return
        self._another.put(at, queued, flight, outcome, self._store.browser_uses.latest(queued.id))
        self.answered(queued, flight, outcome, stored=True)

    def refuse(self, at: Host, queued: Queued) -> None:
        """Let a page stay as it is: it must not be requested now, or it answers otherwise."""
        self._active.pop(queued.id, None)
        self._frontier.settled(at, queued)
        self._store.browser_uses.not_again(queued.id)
