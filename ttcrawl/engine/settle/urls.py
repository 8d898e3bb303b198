"""How outcomes change a URL."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.engine.duplicates.repeats import Repeats
from ttcrawl.engine.redirected_seeds import RedirectedSeeds
from ttcrawl.engine.settle.circles import Circles
from ttcrawl.engine.settle.retries import reason_of, wait_of
from ttcrawl.engine.settle.trap_memory import TrapMemory
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.turn import Refusal, Turn
from ttcrawl.ring.columns import NO_SCORE
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import NOT_FOLLOWED, Failed, Fetched, Link, Moved, Outcome, Page, Request, Same
from ttcrawl.store.fingerprints import Mark
from ttcrawl.store.rows import NO_RELEVANCE, Relevance
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import (
    BLOCKED_ADDRESS,
    DUPLICATE,
    GONE,
    HTTP,
    NONE,
    REDIRECT_TO_NO_URL,
    Code,
    family,
    filled,
    is_reason_of,
)
from ttcrawl.vocabulary.requisite import waived
from ttcrawl.vocabulary.state import FAILED, FETCHED, MOVED, REFUSED
from ttcrawl.web.sitemaps.read import FORMS
from ttcrawl.web.storable import replace
from ttcrawl.web.url import key

#: Beginning of the error of a document whose converter is not installed.
MISSING = "converter missing"


class UrlSettler:
    """Processes the outcomes of queued URLs."""

    def __init__(
        self,
        shared: Shared,
        circles: Circles,
        originals: Originals,
        repeats: Repeats,
        redirected: RedirectedSeeds,
        traps: TrapMemory,
        say: Callable[[str], None],
    ) -> None:
        self._config = shared.config
        self._store = shared.store
        self._ledger = shared.ledger
        self._frontier = shared.frontier
        self._counters = shared.counters
        self._clock = shared.clock
        self._circles = circles
        self._originals = originals
        self._repeats = repeats
        self._redirected = redirected
        self._traps = traps
        self._say = say
        self._shown: set[str] = set()  # messages that are shown only once

    def process(self, flight: Flight[Turn], outcome: Page | Same | Moved | Failed) -> None:
        at, queued, now = flight.turn.host, flight.turn.queued, self._clock()
        assert queued is not None
        wait = wait_of(self._config.fetch, queued, flight, reason_of(flight, outcome))
        if wait is None and self.must_repeat(queued, flight, outcome):
            wait = 0.0
        if wait is not None:
            self._counters.retries += 1
            self._store.urls.put_off(queued.id, queued.attempts, now + wait)
            self._frontier.put_off(at, queued, now + wait)
            return
        self.answered(at, queued, flight, outcome, now)

    def refuse(self, refusal: Refusal) -> None:
        queued = refusal.subject
        assert isinstance(queued, Queued)
        if refusal.state == FAILED:
            self._failed(refusal.host, queued, refusal.reason)
        else:
            self._ledger.settle(refusal.host, queued, refusal.state, refusal.reason, self._clock(), refusal.rule)

    def must_repeat(self, queued: Queued, flight: Flight[Turn], outcome: Outcome) -> bool:
        """Whether an answer cannot be processed, and the next one can."""
        if isinstance(outcome, Same) and flight.fetched is not None:
            return self._originals.outdated(outcome, flight.fetched)
        if isinstance(outcome, Page) and outcome.archived.file and flight.identical is not None:
            return not self._store.retention.holds(flight.identical.payload, outcome.digest)
        return isinstance(outcome, Moved) and self._circles.leads_to_itself(queued, flight, outcome)

    def answered(
        self, at: Host, queued: Queued, flight: Flight[Turn], outcome: Page | Same | Moved | Failed, now: float
    ) -> None:
        """Process an outcome after which the URL is not requested again."""
        status = flight.fetched.status if flight.fetched else 0
        if isinstance(outcome, Failed):
            self._counters.no_page += flight.fetched is not None and _complete(flight.fetched)
            self._failed(at, queued, outcome.reason)
        elif isinstance(outcome, Moved):
            self._moved(at, queued, outcome, status, now)
            self._circles.ask_again(queued, flight, outcome)
        elif isinstance(outcome, Same):
            self._same(at, queued, flight, outcome, now)
        else:
            self._page(at, queued, flight, outcome, now)

    def _failed(self, at: Host, queued: Queued, reason: Code) -> None:
        if reason == BLOCKED_ADDRESS:  # the crawler did not send the request
            self._ledger.settle(at, queued, REFUSED, reason, self._clock())
            return
        self._counters.failed += 1
        self._counters.errors[reason] += 1
        self._ledger.settle(at, queued, FAILED, reason, self._clock())

    def _moved(self, at: Host, queued: Queued, moved: Moved, status: int, now: float) -> None:
        if moved.target is None:
            self._failed(at, queued, REDIRECT_TO_NO_URL)
            return
        link = moved.target
        self._redirected.moved(queued, link)
        self._counters.moved += 1
        self._ledger.settle(at, queued, MOVED, filled(HTTP, status), now)
        self._store.answers.add(queued.id, now, status, moved)
        paths = [replace(link, distance=queued.depth)] if queued.depth != NOT_FOLLOWED else []
        if queued.requisite and self._config.links.page_requisites:
            required = {"distance": NOT_FOLLOWED, "sitemap": False, "requisite": queued.requisite + 1}
            paths.append(replace(link, refused=waived(link.refused), **required))
        if queued.depth == 0:
            targets: Sequence[Link] = [self._spared(each) for each in paths]
        else:
            targets = self._traps.refused(paths, queued, lambda: None)
        self._ledger.discover(targets, queued, now, redirects=queued.redirects + 1)

    # -- pages ----------------------------------------------------------------------------------------------------

    def _page(self, at: Host, queued: Queued, flight: Flight[Turn], page: Page, now: float) -> None:
        fetched, request = flight.fetched, flight.request
        assert fetched is not None
        # only the beginning of a long sitemap was read; its parse_error says so
        refused = page.refused if request.sitemap else fetched.refused or page.refused
        self._end(at, queued, fetched, refused, now)
        self._remark(queued, page)
        self._counters.links += page.counts.links
        self._counters.parse_errors += bool(page.facts.parse_error)
        if page.reader:
            self._counters.readers[page.reader] += 1
        payload = flight.identical.payload if flight.identical and page.archived.file else None
        self._store.answers.add(queued.id, now, fetched.status, page, payload)
        cut = bool(fetched.refused or fetched.incomplete)
        mark = None if cut or refused or page.only_counted else self._compared(queued, fetched, page)
        first = queued.visit is None and not cut
        if first and not fetched.rendered:  # scripts make other pages of the same bytes
            self._traps.note(queued, page, mark)
        topic = Relevance(page.topic.relevant, page.topic.probability) if page.topic else NO_RELEVANCE
        self._counters.relevant += topic.relevant is True
        discovered = self._ledger.discover(self._links(queued, flight, page, mark), queued, now, topic=topic)
        if first:
            self._traps.note_contents(queued, page.content_hashes, discovered)
        if _path(queued) != _path(request):  # another one was found while the page was in flight
            self._ledger.spread(queued.id)

    def _end(self, at: Host, queued: Queued, fetched: Fetched, refused: Code, now: float) -> None:
        """Give a URL its state, and count its page. `refused`: why the page is not stored as one."""
        if fetched.incomplete:
            self._failed(at, queued, fetched.incomplete)
        elif not refused:
            self._ledger.settle(at, queued, FETCHED, _reason(queued, fetched.status), now)
            self._counters.pages += 1
        else:
            self._counters.no_page += _complete(fetched)
            if is_reason_of(FAILED, refused):  # its hook failed
                self._failed(at, queued, refused)
            else:
                self._ledger.settle(at, queued, REFUSED, refused, now)
        if fetched.status >= 400 and not fetched.incomplete:
            self._counters.errors[filled(HTTP, fetched.status)] += 1

    def _remark(self, queued: Queued, page: Page) -> None:
        """Say once what is missing to read pages like this one."""
        document, parse_error = page.reading.document, page.facts.parse_error
        if document is not None and document.error.startswith(MISSING):
            line = f"documents of type {page.facts.type} have no text: {document.error}"
            self._say_once(line, line)
        if parse_error.startswith(NO_SCORE):
            self._say_once(NO_SCORE, f"a page has no score ({parse_error.removeprefix(NO_SCORE)}): {queued.url}")

    def _say_once(self, what: str, line: str) -> None:
        if what not in self._shown:
            self._shown.add(what)
            self._say(line)

    def _links(self, queued: Queued, flight: Flight[Turn], page: Page, mark: Mark | None) -> Sequence[Link]:
        """Return the links of a page as they count now. `mark`: it is a duplicate."""
        links: Sequence[Link] = page.links
        if nearer := flight.request.depth - queued.depth:  # a shorter path was found while the page was in flight
            links = [_nearer(each, nearer, flight.request.depth) for each in links]
        if queued.depth == 0 and page.facts.parser in FORMS and self._store.answers.is_listing_of_seed(queued.id):
            links = [self._spared(each) for each in links]
        else:
            here = (queued.url, page.digest)
            links = self._traps.refused(links, queued, lambda: here)
        if mark is not None and not self._config.duplicates.follow:
            self._store.answers.stop_links(queued.id)
            links = [_unfollowed(each) for each in links]
        return links

    def _same(self, at: Host, queued: Queued, flight: Flight[Turn], same: Same, now: float) -> None:
        """Store a copy of the original's results for a page that was not parsed; its links count if it is nearer."""
        fetched, identical = flight.fetched, flight.identical
        assert fetched is not None and identical is not None
        self._ledger.settle(at, queued, FETCHED, _reason(queued, fetched.status), now)
        self._counters.pages += 1
        copied = self._store.answers.copy(queued.id, key(queued.url), now, fetched.status, same, identical.payload)
        self._counters.links += copied.links
        self._counters.parse_errors += bool(copied.parse_error)
        mark = self._compared(
            queued, replace(fetched, parse_context=0, header_context=0) if copied.bound else fetched, same
        )
        if queued.visit is None:
            self._traps.note_copy(queued, copied.type, copied.digest)
        if mark is not None and not self._config.duplicates.follow:
            self._store.answers.stop_links(queued.id)
        elif (
            self._config.links.page_requisites
            or not self._config.duplicates.follow
            or self._ledger.nearer(queued.id, same.original)
        ):
            self._ledger.spread(queued.id)

    def _compared(self, queued: Queued, fetched: Fetched, page: Page | Same) -> Mark | None:
        """Return the page's mark as a duplicate, if any, and update the counts of its patterns."""
        mark, became = self._originals.saw(queued, fetched, page)
        if queued.visit is None and (isinstance(page, Same) or page.reading.fingerprint is not None):
            self._repeats.saw(queued.id, queued.url, mark.original if mark else None, became)
        return mark

    def _spared(self, link: Link) -> Link:
        """Return a link to what a user names, in a list of seeds or by a redirect from one, without a trap as reason.

        Parse processes do not call the hook for URLs after a trap, so with a hook the trap stays.
        """
        if family(link.refused) is not Family.TRAP or self._config.hooks.url:
            return link
        return replace(link, refused=NONE, rule="")


def _complete(fetched: Fetched) -> bool:
    """Whether a response came completely, and nothing in its head spoke against it."""
    return not (fetched.incomplete or fetched.refused)


def _reason(queued: Queued, status: int) -> Code:
    return filled(GONE if queued.visit is not None and queued.visit.confirms_gone else HTTP, status)


def _path(url: Queued | Request) -> tuple[int, int, int]:
    """Return what the links of a page depend on."""
    return url.depth, url.off_topic, url.requisite


def _unfollowed(link: Link) -> Link:
    """Return the link as it counts on a duplicate: not followed."""
    if link.distance == NOT_FOLLOWED:
        return link
    return replace(link, distance=NOT_FOLLOWED, refused=link.refused or DUPLICATE)


def _nearer(link: Link, by: int, depth: int) -> Link:
    """Return the link of a page with its distance reduced by `by`. `depth`: of the page before.

    What the page showed at the maximum depth was as far as the page, and is one link farther now.
    """
    if link.distance == depth and not link.sitemap:
        by -= 1
    return link if link.distance == NOT_FOLLOWED or not by else replace(link, distance=link.distance - by)
