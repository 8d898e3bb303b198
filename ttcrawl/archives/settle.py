"""How the records of archives become rows: as if their answers had been fetched at their times."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ttcrawl.archives.older import OlderAnswers, is_unchanged
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.engine.recrawl.another import AnotherAnswer
from ttcrawl.engine.settle import UrlSettler
from ttcrawl.engine.wiring import Parts
from ttcrawl.frontier.host import Domain, Host
from ttcrawl.frontier.host_queue import Queued, queued_of
from ttcrawl.frontier.line import Line
from ttcrawl.frontier.turn import Turn
from ttcrawl.frontier.visit import Rereading
from ttcrawl.read.fingerprints import soft404
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import (
    NOT_FOLLOWED,
    PAGE,
    PROBE,
    ROBOTS,
    Archived,
    Failed,
    Fetched,
    IdenticalBody,
    Link,
    Moved,
    Page,
    Probed,
    Recalled,
    Request,
    Robots,
)
from ttcrawl.store.archive_index import Entry
from ttcrawl.store.rows import NewVisit, Row
from ttcrawl.store.seeds import StoredSeeds
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.reason import HTTP, KIND, NONE, TOO_LARGE, Code, filled
from ttcrawl.vocabulary.state import ANSWERED, REFUSED
from ttcrawl.web.robots.paths import is_robots, path_of
from ttcrawl.web.url import host as host_of
from ttcrawl.web.url import key as key_of
from ttcrawl.web.url import registrable_domain

#: A path that ttcrawl requests because it cannot exist.
PROBED = re.compile(rf"/{soft404.NAME}[0-9a-f]{{16}}(?:\.\w+)?$")


class Answer(Struct, frozen=True, kw_only=True):
    """A record with an answer: where it is in warc/, and its canonical URL."""

    key: int  # by which it is known again
    url: str
    entry: Entry
    where: Archived
    payload: Archived | None = None  # the record with its body; None: its own
    payload_url: str = ""  # the canonical URL of that record
    is_page: bool | None = None  # what the archive says of it; None: nothing
    confirms: bool = False  # it has no answer of its own: the one before still holds (304)
    source: str = ""  # the canonical URL of the page that led to it, if the archive says so

    @property
    def kind(self) -> str:
        path = path_of(self.url)
        return ROBOTS if is_robots(path) else PROBE if PROBED.search(path) else PAGE


class Tally(Struct, kw_only=True):
    """What an import has found, for its report."""

    answers: int = 0
    known: int = 0  # records that were imported before
    pages: int = 0
    moved: int = 0
    robots: int = 0
    unchanged: int = 0  # answers that repeat the one before
    older: int = 0  # answers that are older than the latest one
    requisites: int = 0
    other_schemes: int = 0  # records about no page: dns, urn, whois
    other_methods: int = 0  # answers to other requests than GET
    wrong: Counter[str] = field(default_factory=Counter)  # what was not imported
    seeds: StoredSeeds


class ArchiveSettler:
    """`moment` sets the clock of the parts to the time of the record that is processed."""

    def __init__(self, parts: Parts, moment: Callable[[float], None], tally: Tally) -> None:
        self._shared, self._store = parts.shared, parts.shared.store
        self._ledger, self._moment = parts.shared.ledger, moment
        urls = parts.processors[Queued]
        assert isinstance(urls, UrlSettler)
        originals = next(each for each in parts.companions if isinstance(each, Originals))
        self._urls, self._another = urls, AnotherAnswer(parts.shared, urls, originals)
        self._older, self._visits = OlderAnswers(parts.shared), parts.visits
        self._tally = tally
        self._hosts: dict[str, Host] = {}  # since the last commit
        self._domains: dict[str, Domain] = defaultdict(lambda: Domain(waiting=Line(lambda host: 0.0)))

    def row_of(self, url: str) -> Row | None:
        return self._ledger.find(_link(url))[1]

    def known(self, url: str) -> None:
        """Note the URL of a record that was imported before: a kill may have come before its seeds were stored."""
        row = self.row_of(url)
        if row is not None and row.depth == 0 and row.found_on is None and not row.sitemap:
            self._tally.seeds.add(url)

    def settle(self, answer: Answer, request: Request | None, message: Any) -> None:
        """Process what a parse process has made of a record."""
        self._moment(answer.entry.time)
        host = self._host(answer.url)
        if answer.confirms:
            self._tally.unchanged += 1
            self._visit(host, answer, None, NONE)
            return
        if isinstance(message, Failed):
            self._left_out(answer, message.detail or message.reason)
            if self.row_of(answer.url) is not None:
                self._visit(host, answer, None, message.reason)
            return
        assert isinstance(message, Recalled) and request is not None
        fetched, outcome = message.fetched, message.outcome
        self._visit(host, answer, fetched, fetched.incomplete)
        if isinstance(outcome, Robots):
            self._robots(host, answer, fetched, outcome)
        elif isinstance(outcome, Probed):
            self._probe(host, answer, fetched, outcome)
        else:
            self._page(host, answer, Flight(request=request, turn=self._turn(host, answer)), fetched, outcome)

    def too_large(self, answer: Answer) -> None:
        """Process a record whose body is larger than a crawl would fetch."""
        self._moment(answer.entry.time)
        host = self._host(answer.url)
        row = self._discovered(answer, page=True)
        self._visit(host, answer, None, NONE)
        self._left_out(answer, "larger than [fetch] max_body")
        if row.state not in ANSWERED:
            self._shared.frontier.queued += 1
            self._ledger.settle(host, queued_of(row), REFUSED, TOO_LARGE, answer.entry.time)

    def _left_out(self, answer: Answer, why: str) -> None:
        """Note a record that was not imported."""
        self._tally.wrong[why] += 1
        self._store.answers.imports.add_damage([(answer.where.file, answer.where.offset, why)])

    # -- pages ----------------------------------------------------------------------------------------------------

    def _page(self, host: Host, answer: Answer, flight: Flight[Turn], fetched: Fetched, outcome: Page | Moved) -> None:
        is_page = answer.is_page
        if is_page is None:
            is_page = isinstance(outcome, Moved) or outcome.facts.type in HTML_TYPES
        row = self._discovered(answer, page=is_page)
        queued = queued_of(row)
        queued.attempts += 1
        flight.fetched = fetched
        flight.identical = self._identical(answer, outcome)
        flight.turn = replace(flight.turn, queued=queued)
        host.requested += 1
        latest = self._store.answers.imports.latest(row.id) if row.attempts or row.state in ANSWERED else None
        if latest is None:
            self._shared.frontier.queued += 1  # it leaves the queue at once
            self._ledger.in_scope += row.found_on is not None
            self._urls.answered(host, queued, flight, outcome, answer.entry.time)
            self._count(outcome)
            return
        assert latest.time is not None
        if fetched.status == 304:
            self._tally.unchanged += 1
        elif answer.entry.time < latest.time:
            payload = flight.identical.payload if flight.identical else None
            new = self._older.put(queued, answer.entry.time, fetched.status, outcome, payload)
            self._tally.older += new
            self._tally.unchanged += not new
        elif is_unchanged(latest, fetched.status, outcome):
            self._tally.unchanged += 1
        else:
            queued.visit = Rereading()
            self._another.put(host, queued, flight, outcome, latest)
            self._count(outcome)

    def _count(self, outcome: Page | Moved) -> None:
        self._tally.pages += isinstance(outcome, Page)
        self._tally.moved += isinstance(outcome, Moved)

    def _identical(self, answer: Answer, outcome: Page | Moved) -> IdenticalBody | None:
        """Return the URL whose record has the body of a revisit record."""
        if answer.payload is None or not isinstance(outcome, Page):
            return None
        row = self.row_of(answer.payload_url)
        if row is None:
            return None
        return IdenticalBody(id=row.id, payload=row.id, url=row.url, moment=answer.entry.time, same=False)

    def _discovered(self, answer: Answer, *, page: bool) -> Row:
        """Return the row of a URL. One that no page has linked to was found on the page that the archive names, else it
        is a seed, or what a page showed."""
        row = self.row_of(answer.url)
        if row is None:
            source = self._source(answer)
            link = _link(answer.url, source.depth + 1 if source else 0)
            if not page:
                link = replace(link, distance=NOT_FOLLOWED, requisite=1)
            self._ledger.discover([link], source, self._shared.clock())
            row = self.row_of(answer.url)
            assert row is not None
            if page and source is None:
                self._tally.seeds.add(answer.url)
            self._tally.requisites += not page
        elif row.depth is None and not row.requisite:
            row = self._reached(row, page=page)
        return row

    def _source(self, answer: Answer) -> Queued | None:
        """Return the page that led to an answer, if it has a depth."""
        row = self.row_of(answer.source) if answer.source else None
        return None if row is None or row.depth is None else queued_of(row)

    def _reached(self, row: Row, *, page: bool) -> Row:
        """Give a path to a URL to which only links lead that are not followed: another program has followed one."""
        path = row.path._replace(depth=0) if page else row.path._replace(requisite=1)
        self._ledger.aside -= row.reason == KIND
        self._store.urls.shorten(row, path, row.priority)
        return self._store.urls.row(row.id)

    # -- robots.txt, visits -----------------------------------------------------------------------------------------

    def _robots(self, host: Host, answer: Answer, fetched: Fetched, robots: Robots) -> None:
        """Store the rules of a host at that time, as they were read. RFC 9309 section 2.3.1."""
        self._tally.robots += 1
        status, now = fetched.status, answer.entry.time
        if status >= 500 or status == 429 or robots.text is None or fetched.incomplete:
            return
        self._store.sites.add_robots(host.site, now, answer.url, status, robots.text)
        self._store.sites.update(
            host.site,
            robots_url=answer.url,
            robots=robots.text,
            robots_status=status,
            robots_time=now,
            robots_etag=robots.etag,
            robots_modified=robots.last_modified,
        )
        self._ledger.discover(robots.sitemaps, None, now)

    def _probe(self, host: Host, answer: Answer, fetched: Fetched, probed: Probed) -> None:
        """Store how a host answered for a URL that cannot exist."""
        table, where = self._store.soft_404s, answer.where
        table.update(
            table.plan(host.site, answer.url),
            time=answer.entry.time,
            reason=fetched.incomplete or filled(HTTP, fetched.status),
            attempts=1,
            status=fetched.status,
            location=probed.location,
            digest=probed.digest,
            text=probed.text,
            shingles=probed.shingles,
            size=probed.size,
            file=where.file,
            offset=where.offset,
            length=where.length,
        )

    def _visit(self, host: Host, answer: Answer, fetched: Fetched | None, reason: Code) -> None:
        entry = answer.entry
        self._visits.add(
            NewVisit(
                site=host.site,
                url=answer.url,
                kind=answer.kind,
                started=entry.time,
                ended=entry.time,
                status=304 if answer.confirms else fetched.status if fetched else None,
                reason=reason,
                bytes=fetched.received if fetched else entry.size,
                address=entry.address,
                delay=0.0,
                delay_from="not obeyed",
                address_delay=0.0,
            )
        )
        host.connected, host.ended = entry.address or host.connected, entry.time

    # -- hosts ----------------------------------------------------------------------------------------------------

    def _host(self, url: str) -> Host:
        """Return a host whose counts are of what was imported since the last commit."""
        name = host_of(url)
        if (host := self._hosts.get(name)) is None:
            domain, site = self._domains[registrable_domain(name)], self._ledger.site_of(name)
            host = self._hosts[name] = Host(site=site, name=name, domain=domain, delay=0.0, delay_from="")
        return host

    def before_commit(self) -> None:
        """Write the counts of hosts."""
        delay, hosts = self._shared.config.politeness.delay, self._hosts.values()
        rows = [(each.requested, each.fetched, each.connected, each.ended + delay, each.site) for each in hosts]
        self._store.answers.imports.count_requests(rows)
        self._hosts.clear()
        self._domains.clear()

    @staticmethod
    def _turn(host: Host, answer: Answer) -> Turn:
        return Turn(kind=answer.kind, host=host, url=answer.url)


def _link(url: str, distance: int = 0) -> Link:
    return Link(url=url, key=key_of(url), host=host_of(url), distance=distance, refused=NONE)
