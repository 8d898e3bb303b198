"""Links to a fragment that the target page does not have (HTML standard 7.4.6.4, the indicated part of the document).

Names and links are in temporary tables, because a link may come before or after the page that it leads to, and there
may be millions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from msgspec import Struct

from ttcrawl.inspect.check.kinds import FRAGMENT, UNCHECKED, Problem
from ttcrawl.inspect.check.links.outcomes import Outcomes
from ttcrawl.inspect.check.pages.archive import ArchivedPage, PageRow
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.canon import Canon
from ttcrawl.web.url import key

TABLES = """
    CREATE TEMP TABLE fragment_page (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE);
    CREATE TEMP TABLE fragment_name (page INTEGER, name TEXT, PRIMARY KEY (page, name)) WITHOUT ROWID;
    CREATE TEMP TABLE fragment_link (source INTEGER, target INTEGER, url TEXT, name TEXT, decoded TEXT, text TEXT);
    CREATE TEMP TABLE fragment_unmade (key INTEGER PRIMARY KEY);
    CREATE TEMP TABLE fragment_target (key INTEGER PRIMARY KEY, page INTEGER NOT NULL)"""

MISSING = """
    SELECT DISTINCT link.url || '#' || link.name, source.url, link.text
    FROM fragment_link AS link JOIN fragment_target ON fragment_target.key = link.target
    JOIN url AS source ON source.id = link.source
    WHERE NOT EXISTS (SELECT 1 FROM fragment_name WHERE page = fragment_target.page AND name = link.name)
    AND NOT EXISTS (SELECT 1 FROM fragment_name WHERE page = fragment_target.page AND name = link.decoded)
    ORDER BY link.source, link.rowid"""

UNKNOWN = """
    SELECT DISTINCT link.url || '#' || link.name, source.url, link.text
    FROM fragment_link AS link JOIN url AS source ON source.id = link.source
    WHERE link.target IN fragment_unmade ORDER BY link.source, link.rowid"""

#: What is to be done about these.
UNMADE = "scripts make its page: crawl with [browser] use = auto"

#: Links that a reader follows to a place on a page; a # of an image is a part of the image.
FOLLOWED = frozenset(b"am")

#: Directives to the browser at the end of a fragment, such as the text to highlight.
DIRECTIVE = ":~:"
#: The URL parser removes these.
INVISIBLE = re.compile("[\t\n\r]")
#: Beginnings of fragments that a script interprets: routes within an application.
ROUTES = ("!", "/")


class Anchors(Struct, frozen=True, kw_only=True):
    """What a page has for fragments. `unmade`: its scripts make it, and were not run."""

    names: tuple[str, ...]
    links: tuple[tuple[str, str, str], ...]  # canonical URL, fragment, text
    unmade: bool


def anchors_of(page: ArchivedPage, canon: Canon) -> Anchors:
    names = dict.fromkeys((*page.ids, *(node.attributes.get("name") for node in page.elements["a"])))
    return Anchors(names=tuple(filter(None, names)), links=tuple(_links(page, canon)), unmade=page.unmade)


def _links(page: ArchivedPage, canon: Canon) -> Iterator[tuple[str, str, str]]:
    targets: dict[str, str | None] = {}
    extraction = page.extraction
    links = zip(extraction.hrefs, extraction.anchors, extraction.kinds, strict=True)
    for href, text in ((href, text) for href, text, kind in links if kind in FOLLOWED and "#" in href):
        address, mark, fragment = href.strip().partition("#")
        name = INVISIBLE.sub("", fragment).partition(DIRECTIVE)[0]
        if not mark or not name or name.lower() == "top" or name.startswith(ROUTES):
            continue
        if address not in targets:
            targets[address] = canon.resolve(extraction.base, address)
        if url := targets[address]:
            yield url, name, text


class Fragments:
    """Collects the names and links of pages."""

    def __init__(self, db: View) -> None:
        self._db = db
        db.execute_all(TABLES)

    def add(self, page: PageRow, anchors: Anchors) -> None:
        if anchors.unmade:
            self._db.execute("INSERT OR IGNORE INTO fragment_unmade VALUES (?)", (page.key,))
        else:
            self._db.execute("INSERT OR IGNORE INTO fragment_page VALUES (?, ?)", (page.id, page.key))
        names = [(page.id, name) for name in anchors.names]
        self._db.executemany("INSERT OR IGNORE INTO fragment_name VALUES (?, ?)", names)
        links = [
            (page.id, key(url), url, name, unquote(name) if "%" in name else name, text)
            for url, name, text in anchors.links
        ]
        self._db.executemany("INSERT INTO fragment_link VALUES (?, ?, ?, ?, ?, ?)", links)

    def problems(self, outcomes: Outcomes) -> Iterator[Problem]:
        """The links whose target page was read, at once or over redirects, and does not have the name.

        Of a page that scripts make, and were not run for, nobody knows its names.
        """
        for target, *_ in self._db.execute("SELECT DISTINCT target FROM fragment_link").fetchall():
            path = outcomes.path(target)
            if path.loop or any(each.fragment for each in path.redirects):  # which replaces the one of the link
                continue
            self._db.execute(
                "INSERT INTO fragment_target SELECT ?, id FROM fragment_page WHERE key = ?", (target, path.end)
            )
            self._db.execute(
                "INSERT OR IGNORE INTO fragment_unmade SELECT ? WHERE ? IN fragment_unmade", (target, path.end)
            )
        for url, source, text in self._db.execute(MISSING):
            yield Problem(kind=FRAGMENT, url=url, source=source, text=text)
        for url, source, text in self._db.execute(UNKNOWN):
            yield Problem(kind=UNCHECKED, url=url, source=source, text=text, detail=UNMADE)
