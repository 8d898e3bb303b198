"""Which patterns of URLs lead to duplicate pages; part of the crawl process.

Counts. A page is *judged* under a pattern when another page of its class (the URL without the session id, the sort
order, the print directory) was fetched too, in either order: of k pages of a class k - 1 are judged. It is a duplicate
if it is the same as one of these, by the marks of `Originals`. Equality with other pages of the host is not evidence
against a key, or `?page` would be blamed for the repetitions of `?sort`. With a new session id in every link, P pages
fetched F times are F - P judged pages, all of them duplicates, while of all fetched pages only 1 - P / F are. Under a
shape, the class is the pattern itself: every page counts except duplicates that a key, a parameter or a segment
explains, and a page is a duplicate whatever page it is the same as.

Consequences. A pattern *repeats* if it has `repeated_pages` judged pages and more than `repeated_share` of them are
duplicates. A URL with this pattern is likely a duplicate if a page of its class was fetched: so a page that is
reachable only with a session id is fetched once. Pages that are fetched nevertheless (the audit) count like all others,
so that a pattern can cease to repeat.

Memory is limited. The contents of the most recently used classes are remembered. When a class is forgotten, one of its
pages may be fetched unnecessarily, and nothing is lost. Figures are in table `pattern` and are read when they are
needed; only patterns without duplicates begin anew.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Sequence

import xxhash
from msgspec import Struct, field

from ttcrawl import config
from ttcrawl.core.number_table import new_number_table
from ttcrawl.engine.companion import Companion
from ttcrawl.engine.duplicates.patterns import Pattern, patterns, without
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.recent import Recent
from ttcrawl.store.patterns import Figures
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.reason import status_of
from ttcrawl.vocabulary.state import FETCHED
from ttcrawl.web.url import host, key

#: Remembered classes with patterns (some 300 bytes each), and without (some 20 bytes), and the patterns of each.
CLASSES, WAYS = 100_000, 4
#: Remembered patterns of a host, and of all hosts (some 300 bytes each).
PER_HOST, ALL = 2_000, 50_000
#: Pages read when a crawl continues, so that their classes are known.
RECALLED = 20_000


class _Host(Struct):
    name: str
    figures: OrderedDict[str, Figures]  # by the text of the pattern, the least recently used first
    repeating: set[str] = field(default_factory=set)
    complete: bool = True  # the table has no others of this host


class Repeats(Companion):
    """`seed` and the URL determine the choice of the audit; it is the same in every run of a crawl."""

    def __init__(
        self, store: Store, settings: config.Duplicates, seed: str, *, per_host: int = PER_HOST, most: int = ALL
    ) -> None:
        self._per_host, self._most = per_host, most  # remembered patterns
        self._store = store
        self._settings = settings
        self._seed = xxhash.xxh3_64_intdigest(seed.encode())
        self._on = settings.repeated != "no" and (settings.exact or settings.near)
        # hash of a class's URL -> its patterns ("": it is the URL of a page), each with the content of its first page,
        # as the id of a page with this content
        self._classes: Recent[tuple[tuple[str, int], ...]] = Recent(CLASSES)
        self._plain: Recent[int] = Recent(CLASSES, new_number_table)  # of the many without other patterns: the content
        # contents that turned out to be the same as others
        self._joined: Recent[int] = Recent(CLASSES, new_number_table)
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        self._patterns = 0  # of all hosts
        self._changed: dict[tuple[str, str], Figures] = {}
        if self._on and store.urls.last_id():
            for content, url in store.patterns.last_discovered(RECALLED):
                self._remember(hash(url), _classes(patterns(url)), content)

    # -- fetched pages --------------------------------------------------------------------------------------------

    def saw(self, page: int, url: str, original: int | None, became: Sequence[str]) -> None:
        """Count a fetched page, a duplicate of `original`; `became`: URLs of pages that become duplicates of it."""
        if not self._on:
            return
        content = self._now(original or page)
        own_patterns = patterns(url)
        for other in became:
            self._turned(other, url, own_patterns, content)
        at, plain, classes, explained = self._host(host(url)), hash(url), _classes(own_patterns), False
        for text, which in classes:
            if others := self._contents(text, which):
                same = content in others
                explained = explained or same
                self._count(at, text, duplicates=same)
        for pattern, theirs in self._class(plain):  # it is the plain page of others
            if pattern:
                same = self._now(theirs) == content
                explained = explained or same
                self._count(at, pattern, duplicates=same)
        if not explained and (shape := _shape(own_patterns)):
            self._count(at, shape, duplicates=original is not None)
        self._remember(plain, classes, content)

    def _turned(self, url: str, original: str, of_original: Sequence[Pattern], content: int) -> None:
        """Count a page that becomes a duplicate."""
        as_plain = self._class(hash(url))
        own = next((own for pattern, own in as_plain if not pattern), content)
        if self._now(own) == content:
            return  # already counted, or its content is unknown
        at, own_patterns = self._host(host(url)), patterns(url)
        # a class with the content of this page alone was registered by it
        pairs = [(text, theirs) for text, theirs in as_plain if text]
        pairs += [
            (text, theirs)
            for text, rest in own_patterns
            for pattern, theirs in (self._class(hash(rest)) if rest else ())
            if pattern in ("", text) and theirs != own
        ]
        same = {text for text, theirs in pairs if self._now(theirs) == self._now(own)}
        self._joined.set(self._now(own), content)
        for text in {text for text, theirs in pairs if self._now(theirs) == content} - same:
            self._count(at, text, fetched=0, duplicates=1)
        shape = _shape(own_patterns)
        among = {(text, rest) for text, rest in of_original if rest}
        explained = any(rest == original or (text, rest) in among for text, rest in own_patterns if rest)
        if shape and not explained and not any(rest == url for _, rest in among):
            self._count(at, shape, fetched=0, duplicates=1)

    def _contents(self, text: str, which: int) -> list[int]:
        """Return the known contents of a class under a pattern."""
        return [self._now(content) for pattern, content in self._class(which) if pattern in ("", text)]

    def _class(self, which: int) -> tuple[tuple[str, int], ...]:
        """Return the known patterns of a class, each with a content."""
        content = self._plain.get(which)
        return (("", content),) if content is not None else self._classes.get(which) or ()

    def _now(self, content: int) -> int:
        now = content
        while (joined := self._joined.get(now)) is not None:
            now = joined
        if now != content:  # or a site whose every page is the original of the one before would make long chains
            self._joined.set(content, now)
        return now

    def _remember(self, plain: int, classes: Sequence[tuple[str, int]], content: int) -> None:
        """Remember the content of a page: the class of its URL, and its others, as (pattern, class)."""
        for text, which in (("", plain), *classes):
            known = self._class(which)
            if known and ((text and len(known) >= WAYS) or any(pattern == text for pattern, _ in known)):
                continue
            if known or text:
                self._plain.forget(which)
                self._classes.set(which, (*known, (sys.intern(text), content)))
            else:
                self._plain.set(which, content)

    # -- queued URLs ----------------------------------------------------------------------------------------------

    def likely(self, queued: Queued) -> str:
        """Return the pattern that makes a URL that is due a likely duplicate; "" if there is none.

        Seeds, URLs of sitemaps, and URLs that were requested or put last before are never likely duplicates.
        """
        if not self._on or not queued.depth or queued.sitemap or queued.attempts or queued.demoted:
            return ""
        repeating = self._host(host(queued.url)).repeating
        if not repeating:
            return ""
        own_patterns = [(text, rest) for text, rest in patterns(queued.url) if text in repeating]
        for text, rest in own_patterns:
            if not rest or self._fetched(text, rest):
                return text
        if len(own_patterns) > 1:  # with another sort order and another session id at once
            rest = without(queued.url, [text for text, _ in own_patterns])
            return own_patterns[0][0] if self._fetched("", rest) else ""
        return ""

    def _fetched(self, text: str, rest: str) -> bool:
        """Whether a page of this class was fetched without an error."""
        if self._contents(text, hash(rest)):
            return True
        row = self._store.urls.find(key(rest))  # it may have been forgotten
        return row is not None and row.url == rest and row.state == FETCHED and 200 <= status_of(row.reason) < 300

    def audited(self, url: str) -> bool:
        """Whether a likely duplicate is fetched as an audit."""
        return xxhash.xxh3_64_intdigest(url.encode(), self._seed) < self._settings.audit * 2**64

    def put_last(self, url: str, text: str) -> None:
        """Count a URL that was put last because of this pattern."""
        self._changes(self._host(host(url)), text).put_last += 1

    def rule_against(self, url: str, text: str) -> str:
        """Count a URL that is refused because of this pattern; return the rule."""
        figures = self._changes(self._host(host(url)), text)
        figures.refused += 1
        return f"pattern {text}: {figures.duplicates} of {figures.fetched} pages are duplicates"

    # -- figures --------------------------------------------------------------------------------------------------

    def before_commit(self) -> None:
        """Write the changed figures, except those of patterns without duplicates."""
        changed, self._changed = self._changed, {}
        self._store.patterns.replace((name, text, figures) for (name, text), figures in changed.items())

    def _count(self, at: _Host, text: str, *, fetched: int = 1, duplicates: int) -> None:
        figures = self._of(at, text)
        figures.duplicates += duplicates
        # after a kill, the fetch of a page may be forgotten that turns out to be a duplicate only now
        figures.fetched = max(figures.fetched + fetched, figures.duplicates)
        figures.repeating = self._repeat(figures)
        (at.repeating.add if figures.repeating else at.repeating.discard)(text)
        if figures.duplicates:
            self._changed[at.name, text] = figures

    def _repeat(self, figures: Figures) -> bool:
        enough = figures.fetched >= self._settings.repeated_pages
        return enough and figures.duplicates > self._settings.repeated_share * figures.fetched

    def _changes(self, at: _Host, text: str) -> Figures:
        figures = self._changed[at.name, text] = self._of(at, text)
        return figures

    def _of(self, at: _Host, text: str) -> Figures:
        figures = at.figures.get(text)
        if figures is None:
            figures = None if at.complete else self._store.patterns.one(at.name, text)
            figures = at.figures[text] = figures or Figures()
            self._patterns += 1
            if len(at.figures) > self._per_host:
                self._drop(at)
        at.figures.move_to_end(text)
        return figures

    def _drop(self, at: _Host) -> None:
        """Drop the least recently used pattern of a host that does not repeat."""
        text = next((each for each in at.figures if each not in at.repeating), next(iter(at.figures)))
        if (at.name, text) in self._changed:
            self.before_commit()
        del at.figures[text]
        at.repeating.discard(text)
        at.complete = False
        self._patterns -= 1

    def _host(self, name: str) -> _Host:
        at = self._hosts.get(name)
        if at is None:
            figures = self._store.patterns.of(name, self._per_host)
            at = _Host(name=name, figures=OrderedDict(figures), complete=len(figures) < self._per_host)
            at.repeating = {text for text, each in figures.items() if self._repeat(each)}
            self._hosts[name] = at
            self._patterns += len(figures) + 1  # a host without patterns takes memory too
            while self._patterns > self._most and len(self._hosts) > 1:
                self.before_commit()
                _, dropped = self._hosts.popitem(last=False)
                self._patterns -= len(dropped.figures) + 1
        self._hosts.move_to_end(name)
        return at


def _shape(of_url: Sequence[Pattern]) -> str:
    """Return the pattern of a URL that is its class; "" if it has none."""
    return next((text for text, rest in of_url if not rest), "")


def _classes(of_url: Sequence[Pattern]) -> list[tuple[str, int]]:
    """Return the other patterns of a URL, each with the hash of its class."""
    return [(text, hash(rest)) for text, rest in of_url if rest]
