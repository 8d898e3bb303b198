"""Problems that are one problem: links to the same URL, and the same fault of many URLs in a directory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ttcrawl.inspect.check.kinds import Problem

#: URLs in a directory with the same fault, from which they are one group.
MANY = 4

#: Kinds whose text is a part of the page: many pages with the same one have it from a template.
_OF_TEMPLATES = frozenset(("duplicate-id", "several-h1", "skipped-heading"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page with all texts of its links to a URL."""

    url: str  # of the page; "": the URL itself has the problem
    texts: tuple[str, ...]
    first: Problem  # of the links: that with the first position in the source

    @property
    def position(self) -> str:
        """Of the link on this page."""
        return self.first.position if self.first.page == self.first.source else ""

    @property
    def own_position(self) -> str:
        """Of what is wrong on the URL itself."""
        return self.first.position if self.first.page == self.first.url else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A URL that is wrong, with the pages that show it."""

    url: str
    detail: str
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Faults of the same kind and with the same detail; several of them are in one directory, `pattern`."""

    pattern: str  # "": there is one
    faults: tuple[Fault, ...]
    text: str = ""  # that all pages have of a template

    @property
    def pages(self) -> int:
        """How many pages show a fault, each page counted once for each URL."""
        return sum(len(fault.pages) for fault in self.faults)


def groups(problems: Sequence[Problem], *, ungrouped: bool = False) -> list[Group]:
    """The groups of problems of one kind, the one with most pages first; `ungrouped`: one for each URL, in order."""
    by_url: dict[tuple[str, str], dict[str, list[Problem]]] = {}
    for each in problems:
        pages = by_url.setdefault((each.url, each.detail), {})
        pages.setdefault(each.where, []).append(each)
    faults = [
        Fault(url=url, detail=detail, pages=tuple(_page(page, links) for page, links in pages.items()))
        for (url, detail), pages in by_url.items()
    ]
    if ungrouped:
        return [Group(pattern="", faults=(fault,)) for fault in faults]
    of_templates, others = _by_text(faults)
    return sorted([*of_templates, *_by_directory(others)], key=lambda each: -each.pages)


def _page(url: str, problems: Sequence[Problem]) -> Page:
    texts = tuple(dict.fromkeys(filter(None, (each.text for each in problems))))
    first = min(problems, key=lambda each: (not each.line, each.line, each.column))
    return Page(url=url, texts=texts, first=first)


def _by_text(faults: Iterable[Fault]) -> tuple[list[Group], list[Fault]]:
    """The groups of templates, and the faults that are in none."""
    alike = defaultdict[tuple[str, str], list[Fault]](list)
    for each in faults:
        page = each.pages[0]
        alike[each.detail, page.first.text if page.first.kind in _OF_TEMPLATES else ""].append(each)
    repeated, others = list[Group](), list[Fault]()
    for (_, text), members in alike.items():
        if text and len(members) >= MANY:
            repeated.append(Group(pattern=_beginning([each.url for each in members]), faults=tuple(members), text=text))
        else:
            others += members
    return repeated, others


def _beginning(urls: Sequence[str]) -> str:
    """The directory of all of them: what the first and the last in order have in common."""
    first, last = min(urls), max(urls)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    directory, slash, _ = first[:common].rpartition("/")
    return f"{directory}{slash}*"


def _by_directory(faults: Iterable[Fault]) -> list[Group]:
    alike = defaultdict[tuple[str, str], list[Fault]](list)
    for each in faults:
        alike[pattern(each.url), each.detail].append(each)
    divided = []
    for (directory, _), members in alike.items():
        if len(members) >= MANY:
            divided.append(Group(pattern=directory, faults=tuple(members)))
        else:
            divided += [Group(pattern="", faults=(fault,)) for fault in members]
    return divided


def pattern(url: str) -> str:
    """The directory of a URL, and what varies in it.

    >>> pattern("http://a.test/x/y.html"), pattern("http://a.test/x/y.html#z"), pattern("data:x")
    ('http://a.test/x/*', 'http://a.test/x/*#*', '*')
    """
    address, mark, _ = url.partition("#")
    directory, slash, _ = address.partition("?")[0].rpartition("/")
    return f"{directory}{slash}*" + ("#*" if mark else "")
