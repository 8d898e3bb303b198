"""The HTML pages of a crawl, read again from its archive: for what a crawl does not record.

A page that was read in the browser is its document after scripts.

So a crawl pays nothing for it: reading again takes a millisecond or two a page, and what it yields is not the same for
every check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ttcrawl.browser.shape import is_shell
from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.parse.links.extract import Extraction, extract
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.parse.xhtml import as_html
from ttcrawl.snapshot import responses
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.responses import Response
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary import kind
from ttcrawl.web import url as urls
from ttcrawl.web.charset.detect import to_utf8

#: The elements that kinds of problems are about.
NAMES = tuple(
    ["html", "a", "button", "form", "img", "input", "label", "link", "meta", "script", "select", "table", "textarea"]
)

HEADING, HEADINGS = "heading", ("h1", "h2", "h3", "h4", "h5", "h6")

_HIDING = re.compile(rb"hidden|inert|display: *none", re.IGNORECASE)

#: What a reader follows, and what a browser loads.
LINKS = Wanted(kinds=frozenset(b"am") | kind.REQUISITES, anchors=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRow:
    """A page in the tables. `state`: what decides what reading it again gives; b"": nothing does."""

    id: int
    key: int
    url: str
    type: str
    charset: str
    in_browser: bool
    state: bytes


@dataclass(frozen=True, kw_only=True)  # no slots: what kinds have in common is worked out when the first one asks
class ArchivedPage:
    """`tree` is the page; `extraction` has its base URL and the links of LINKS.

    `unmade`: scripts make the page, and were not run. `received`: the page in UTF-8 as it was received; `made`: `html`
    is its document after its scripts.
    """

    row: PageRow
    answer: Response
    html: bytes  # UTF-8
    received: bytes
    charset: str  # in which it was received
    made: bool
    tree: LexborHTMLParser
    extraction: Extraction
    unmade: bool

    @property
    def url(self) -> str:
        return self.row.url

    @cached_property
    def elements(self) -> Mapping[str, list[LexborNode]]:
        """The elements of each name of NAMES, and those of HEADINGS as HEADING, in document order."""
        by_name: dict[str, list[LexborNode]] = {name: [] for name in (*NAMES, HEADING)}
        groups = by_name | dict.fromkeys(HEADINGS, by_name[HEADING])
        for node in self.tree.root.traverse() if self.tree.root is not None else ():
            if (members := groups.get(node.tag or "")) is not None:
                members.append(node)
        return by_name

    @cached_property
    def marks(self) -> dict[Problem, LexborNode]:
        """The elements that have a problem; see `marked`."""
        return {}

    def marked(self, problem: Problem, node: LexborNode) -> Problem:
        """The problem, whose position is the one of this element."""
        self.marks.setdefault(problem, node)
        return problem

    @cached_property
    def hides(self) -> bool:
        """Whether an element may be hidden: whoever asks for each one pays for its ancestors."""
        return _HIDING.search(self.html) is not None

    @cached_property
    def ids(self) -> list[str]:
        """All of them, in document order."""
        return [name for node in self.tree.css("[id]") if (name := node.attributes["id"])]


_ROWS = f"""
    SELECT url.id, url.key, url.url, type, charset, page.url IN (SELECT url FROM browser_use WHERE way = 'browser'),
        page.digest, file, offset
    FROM {PAGES} AND length > 0"""


def page_rows(db: View, *, of_folder: bool) -> Iterator[PageRow]:
    """All HTML pages with a body. `of_folder`: the headers are those of our own server."""
    return (_row(values, of_folder) for values in db.execute(f"{_ROWS} ORDER BY url.id"))


def page_row(db: View, url: str, *, of_folder: bool) -> PageRow | None:
    """The page of a URL; None: it has none."""
    values = db.execute(f"{_ROWS} AND url.id = {db.id_of('?1')}", (urls.key(url),)).fetchone()
    return values and _row(values, of_folder)


def _row(values: tuple[Any, ...], of_folder: bool) -> PageRow:
    id, key, url, mime, charset, in_browser, digest, file, offset = values
    record = "" if of_folder else f"{file} {offset}"  # which has its headers
    state = b"" if digest is None or in_browser else digest + f"{mime} {charset} {record}".encode()
    return PageRow(id=id, key=key, url=url, type=mime, charset=charset or "", in_browser=bool(in_browser), state=state)


def archived_page(db: View, row: PageRow) -> ArchivedPage:
    """Raises NotThere if the page cannot be read."""
    answer = responses.response(db, row.id, row.url)
    received, charset, *_ = to_utf8(responses.body(answer, db.config.fetch), row.charset, row.url)
    document = responses.document(db, row.id, row.url) if row.in_browser else None
    html = as_html(received, row.type) if document is None else document
    extraction = extract(html, row.url, "lexbor", LINKS, charset if document is None else "utf-8")
    if extraction.tree is None:  # it would take too long: only its links were read, with a regular expression
        raise NotThere(f"the markup of {row.url} would take too long to read")
    return ArchivedPage(
        row=row,
        answer=answer,
        html=html,
        received=received,
        charset=charset,
        made=document is not None,
        tree=extraction.tree,
        extraction=extraction,
        unmade=document is None and is_shell(html),
    )


def source(db: View, row: PageRow) -> tuple[str, str]:
    """The text of an HTML page as it was received, and its charset. Raises NotThere."""
    html, charset, *_ = to_utf8(
        responses.body(responses.response(db, row.id, row.url), db.config.fetch), row.charset, row.url
    )
    return html.decode(errors="replace"), charset
