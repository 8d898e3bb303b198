"""Line and column of the links that are problems, in the source of their pages as it was received."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace

from ttcrawl.config.compiled import canon_of
from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.archive import source
from ttcrawl.inspect.check.pages.source import Lines, references, text_of
from ttcrawl.parse.links.query import with_query
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.canon import Canon
from ttcrawl.web.url import joined

_STRIPPED = "".join(map(chr, range(33)))  # URL standard 4.4


def positioned(db: View, problems: Sequence[Problem], progress: Callable[[str, int, int], None]) -> Iterator[Problem]:
    """All problems; those of links with their position, if the archive has the page and its source has the link.

    Each page with such a problem is read once.
    """
    by_page = defaultdict[str, list[Problem]](list)
    for each in problems:
        by_page[each.source if each.page == each.source else ""].append(each)
    yield from by_page.pop("", ())
    canon = canon_of(db.config)
    for done, (url, of_page) in enumerate(by_page.items(), 1):
        progress("positions of links", done, len(by_page))
        try:
            html, charset = source(db, url)
        except NotThere:
            yield from of_page
        else:
            yield from in_source(of_page, html, url, charset, canon)


def in_source(problems: Sequence[Problem], html: str, url: str, charset: str, canon: Canon) -> Iterator[Problem]:
    """The problems of the page `url` with their positions; 0 if a script or a header has the link."""
    links = _links(html, url, charset, canon, {each.url for each in problems})
    lines = Lines(html)
    for each in problems:
        of_text = links.get(each.url, {})
        if (offset := of_text.get(each.text, next(iter(of_text.values()), None))) is None:
            yield each
            continue
        line, column = lines.position(offset)
        yield replace(each, line=line, column=column)


def _links(html: str, url: str, charset: str, canon: Canon, targets: Set[str]) -> dict[str, dict[str, int]]:
    """Target -> text -> offset of the first link with this text, in the order of the source."""
    links = defaultdict[str, dict[str, int]](dict)
    named = dict[str, Set[str]]()  # a menu repeats its links
    base = ""
    for each in references(html):
        if each.element == "base" and not base:
            base = _joined(url, each.value)
        if each.value not in named:
            named[each.value] = _names(each.value, base or url, charset, canon) & targets
        for name in named[each.value]:
            links[name].setdefault(text_of(html, each), each.offset)
    return links


def _names(value: str, base: str, charset: str, canon: Canon) -> set[str]:
    """What a problem may call the target of a reference: as it is written, as a URL, with the fragment."""
    reference = with_query(value.strip(_STRIPPED), charset)
    address, _, fragment = reference.partition("#")
    names = {reference[:500], _joined(base, reference)}
    if url := canon.resolve(base, address):
        names |= {url, f"{url}#{fragment}"}
    return names


def _joined(base: str, reference: str) -> str:
    try:
        return joined(base, reference)
    except (ValueError, UnicodeEncodeError):
        return base
