"""The HTML pages of a crawl, read again from its archive: for what a crawl does not record.

A page that was read in the browser is its document after scripts.

So a crawl pays nothing for it: reading again takes a millisecond or two a page, and what it yields is not the same for
every check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ttcrawl.browser.shape import is_shell
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


@dataclass(frozen=True, kw_only=True)  # no slots: what kinds have in common is worked out when the first one asks
class ArchivedPage:
    """`tree` is the page; `extraction` has its base URL and the links of LINKS.

    `unmade`: scripts make the page, and were not run.
    """

    id: int
    key: int
    url: str
    answer: Response
    html: bytes  # UTF-8
    tree: LexborHTMLParser
    extraction: Extraction
    unmade: bool

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
    def hides(self) -> bool:
        """Whether an element may be hidden: whoever asks for each one pays for its ancestors."""
        return _HIDING.search(self.html) is not None

    @cached_property
    def ids(self) -> list[str]:
        """All of them, in document order."""
        return [name for node in self.tree.css("[id]") if (name := node.attributes["id"])]


def archived_pages(db: View, progress: Callable[[str, int, int], None], unread: list[str]) -> Iterator[ArchivedPage]:
    """All HTML pages with a body; `unread` receives the URLs of pages that cannot be read."""
    rows = db.execute(
        f"SELECT url.id, url.key, url.url, type, charset FROM {PAGES} AND length > 0 ORDER BY url.id"
    ).fetchall()
    in_browser = {id for (id,) in db.execute("SELECT url FROM browser_use WHERE way = 'browser'")}
    for done, (id, key, url, mime, charset) in enumerate(rows, 1):
        progress("pages from the archive", done, len(rows))
        try:
            answer = responses.response(db, id, url)
            document = responses.document(db, id, url) if id in in_browser else None
            html, charset = _received(db, answer, mime, charset) if document is None else (document, "utf-8")
        except NotThere:
            unread.append(url)
            continue
        extraction = extract(html, url, "lexbor", LINKS, charset)
        if extraction.tree is None:  # it would take too long: only its links were read, with a regular expression
            unread.append(url)
            continue
        unmade = document is None and is_shell(html)
        yield ArchivedPage(
            id=id,
            key=key,
            url=url,
            answer=answer,
            html=html,
            tree=extraction.tree,
            extraction=extraction,
            unmade=unmade,
        )


def source(db: View, url: str) -> tuple[str, str]:
    """The text of an HTML page as it was received, and its charset. Raises NotThere."""
    row = db.execute(f"SELECT url.id, charset FROM {PAGES} AND url.id = {db.id_of('?1')}", (urls.key(url),)).fetchone()
    if row is None:
        raise NotThere(f"{url} is no page of this crawl")
    html, charset, *_ = to_utf8(responses.body(responses.response(db, row[0], url), db.config.fetch), row[1], url)
    return html.decode(errors="replace"), charset


def _received(db: View, answer: Response, mime: str, charset: str) -> tuple[bytes, str]:
    """A page as HTML in UTF-8, and the charset that it had. Raises NotThere."""
    html, charset, *_ = to_utf8(responses.body(answer, db.config.fetch), charset, answer.url)
    return as_html(html, mime), charset
