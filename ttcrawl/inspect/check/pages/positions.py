"""Line and column of each problem in the source of its page: of the reference, or of the element, that is wrong."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from ttcrawl.config.compiled import canon_of
from ttcrawl.inspect.check.kinds import FRAGMENT, Problem, name_of
from ttcrawl.inspect.check.pages import texts
from ttcrawl.inspect.check.pages.archive import ArchivedPage, page_row, source
from ttcrawl.inspect.check.pages.cache import FactsCache
from ttcrawl.inspect.check.pages.facts import KINDS
from ttcrawl.inspect.check.pages.source import Lines, Tag, attributes, references, tags, text_of
from ttcrawl.output.steps import Progress
from ttcrawl.parse.links.query import with_query
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.canon import Canon
from ttcrawl.web.url import absolute

TITLE, DESCRIPTION = "title", "description"
#: Kind of a problem of a text -> the element that has the text. A missing one is nowhere.
_TEXTS = {
    kind: name
    for name, field in zip((TITLE, DESCRIPTION), texts.FIELDS, strict=True)
    for kind in (field.duplicate, field.short, field.long)
}

#: Kinds whose positions are found when a page is read.
_OF_FACTS = KINDS - {FRAGMENT}

#: Names of elements that are selectors as they are; any other character may be in a name, too: <g:plusone>.
_IDENTIFIER = re.compile("[a-z][a-z0-9-]*")
_STRIPPED = "".join(map(chr, range(33)))  # URL standard 4.4
#: References whose last segment is the one of their URL, unless it is the name of a start page.
_REGULAR = re.compile(
    r"(?:[\w.:-]*+/)*+(?!index|default)([\w-][\w.-]*+)(?:[?#].*)?+", re.ASCII | re.DOTALL | re.IGNORECASE
)


class Element(NamedTuple):
    """An element of a page: that with this ordinal, from 0, among `number` elements of its name, in document order."""

    name: str
    ordinal: int
    number: int


class Positions:
    """Positions of the problems of a crawl. `problems`: those that are known before pages are read."""

    def __init__(self, db: View, cache: FactsCache, problems: Iterable[Problem]) -> None:
        self._db, self._cache = db, cache
        self._canon = canon_of(db.config)
        self._waiting = defaultdict[str, list[Problem]](list)  # by page
        self._ready: list[Problem] = []
        self.add(problems)

    def add(self, problems: Iterable[Problem]) -> None:
        for each in problems:
            if each.kind in _TEXTS or (each.source == each.page and each.kind not in _OF_FACTS):
                self._waiting[each.page].append(each)
            else:
                self._ready.append(each)

    def of_page(self, page: ArchivedPage, problems: Sequence[Problem]) -> list[Problem]:
        """The problems that a page was read for, with their positions; those that are waiting get theirs."""
        waiting = self._waiting.pop(page.url, [])
        elements = {} if page.made else elements_of(page)
        if not (problems or waiting):
            return []
        html = page.received.decode(errors="replace")
        placed = list(in_source([*problems, *waiting], html, page.url, page.charset, self._canon, elements))
        self._ready += placed[len(problems) :]
        self._cache.keep_positions(page.row, placed[len(problems) :])
        return placed[: len(problems)]

    def all(self, progress: Progress) -> list[Problem]:
        """All problems that were added. Pages that are as they were are not read for problems that were there, too."""
        for done, (url, of_page) in enumerate(self._waiting.items(), 1):
            progress("positions of links", done, len(self._waiting))
            self._ready += self._placed(url, of_page)
        self._waiting.clear()
        return self._ready

    def _placed(self, url: str, problems: Sequence[Problem]) -> Sequence[Problem]:
        row = page_row(self._db, url, of_folder=self._cache.of_folder)
        if row is None:
            return problems
        positions = self._cache.positions(row)
        if all(name_of(each) in positions for each in problems):
            return [_at(each, *positions[name_of(each)]) for each in problems]
        try:
            html, charset = source(self._db, row)
        except NotThere:
            return problems
        placed = list(in_source(problems, html, url, charset, self._canon))
        self._cache.keep_positions(row, placed)
        return placed


def elements_of(page: ArchivedPage) -> dict[Problem, Element]:
    ordinals = {name: _ordinals(page, name) for name in {node.tag or "" for node in page.marks.values()}}
    return {
        problem: Element(node.tag or "", of_name[node.mem_id], len(of_name))
        for problem, node in page.marks.items()
        if node.mem_id in (of_name := ordinals[node.tag or ""])
    }


def _ordinals(page: ArchivedPage, name: str) -> dict[int, int]:
    """Of each element of a name, which one it is in document order; of a name that no selector has, of none."""
    nodes = page.tree.css(name) if _IDENTIFIER.fullmatch(name) else []
    return {node.mem_id: ordinal for ordinal, node in enumerate(nodes)}


def in_source(
    problems: Sequence[Problem],
    html: str,
    url: str,
    charset: str,
    canon: Canon,
    elements: Mapping[Problem, Element] = MappingProxyType({}),
) -> Iterator[Problem]:
    """The problems of the page `url` with their positions; 0 if its source does not have what is wrong."""
    targets = {each.url for each in problems if each.source and each.kind not in _TEXTS and each not in elements}
    links = _Links(url, charset, canon, targets)
    names = {element.name for element in elements.values()} | {TITLE}
    offsets = defaultdict[str, list[int]](list)
    for tag in tags(html, frozenset(names)):
        if tag.element in names:
            offsets[tag.element].append(tag.offset)
        if tag.element == "meta" and _is_description(html, tag):
            offsets[DESCRIPTION].append(tag.offset)
        if targets:
            links.add(html, tag)
    lines = Lines(html)
    for each in problems:
        if each in elements:
            name, ordinal, number = elements[each]  # a parser may have left out, repeated or moved some
            offset = offsets[name][ordinal] if len(offsets[name]) == number else None
        elif each.kind in _TEXTS:
            offset = next(iter(offsets[_TEXTS[each.kind]]), None)
        else:
            offset = links.offset(each) if each.source else None
        yield each if offset is None else _at(each, *lines.position(offset))


def _at(problem: Problem, line: int, column: int) -> Problem:
    return replace(problem, line=line, column=column)


def _is_description(html: str, tag: Tag) -> bool:
    return any(name == "name" and value.lower() == DESCRIPTION for name, value, _ in attributes(html, tag))


class _Links:
    """The links of a page to these targets."""

    def __init__(self, url: str, charset: str, canon: Canon, targets: Set[str]) -> None:
        self._url, self._charset = url, charset
        self._canon, self._targets = canon, targets
        self._segments = {segment for each in targets for segment in re.split("[/?#]", each.lower())}
        self._base = ""
        self._named: dict[str, Set[str]] = {}  # a menu repeats its links
        # target -> text -> offset of the first link with this text, in the order of the source
        self._links = defaultdict[str, dict[str, int]](dict)

    def add(self, html: str, tag: Tag) -> None:
        for each in references(html, tag):
            if each.element == "base" and not self._base:
                self._base = absolute(self._url, each.value) or self._url
            if each.value not in self._named:
                self._named[each.value] = self._names(each.value) & self._targets
            for name in self._named[each.value]:
                self._links[name].setdefault(text_of(html, each), each.offset)

    def offset(self, problem: Problem) -> int | None:
        of_text = self._links.get(problem.url, {})
        return of_text.get(problem.text, next(iter(of_text.values()), None))

    def _names(self, value: str) -> set[str]:
        """What a problem may call the target of a reference: as it is written, as a URL, with the fragment."""
        regular = _REGULAR.fullmatch(value)
        if regular and regular[1].lower() not in self._segments:
            return set()
        base = self._base or self._url
        reference = with_query(value.strip(_STRIPPED), self._charset)
        address, _, fragment = reference.partition("#")
        names = {reference[:500], absolute(base, reference) or base}
        if url := self._canon.resolve(base, address):
            names |= {url, f"{url}#{fragment}"}
        return names
