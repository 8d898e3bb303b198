"""The HTML pages of a crawl, read again from its archive: for what a crawl does not record.

A page that was read in the browser is its document after scripts.

So a crawl pays nothing for it: reading again takes a millisecond or two a page, and what it yields is not the same for
every check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from ttcrawl.browser.shape import is_shell
from ttcrawl.inspect.check.pages.rows import PAGES
from ttcrawl.parse.links.extract import Extraction, extract
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.parse.xhtml import as_html
from ttcrawl.snapshot import responses
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary import kind
from ttcrawl.web.charset.detect import to_utf8

#: What a reader follows, and what a browser loads.
LINKS = Wanted(kinds=frozenset(b"am") | kind.REQUISITES, anchors=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedPage:
    """`tree` is the page; `extraction` has its base URL and the links of LINKS.

    `unmade`: scripts make the page, and were not run.
    """

    id: int
    key: int
    url: str
    tree: LexborHTMLParser
    extraction: Extraction
    unmade: bool


def archived_pages(db: View, progress: Callable[[str, int, int], None], unread: list[str]) -> Iterator[ArchivedPage]:
    """All HTML pages with a body; `unread` receives the URLs of pages that cannot be read."""
    rows = db.execute(
        f"SELECT url.id, url.key, url.url, type, charset FROM {PAGES} AND length > 0 ORDER BY url.id"
    ).fetchall()
    in_browser = {id for (id,) in db.execute("SELECT url FROM browser_use WHERE way = 'browser'")}
    for done, (id, key, url, mime, charset) in enumerate(rows, 1):
        progress("pages from the archive", done, len(rows))
        try:
            document = responses.document(db, id, url) if id in in_browser else None
            html, charset = _received(db, id, url, mime, charset) if document is None else (document, "utf-8")
        except NotThere:
            unread.append(url)
            continue
        extraction = extract(html, url, "lexbor", LINKS, charset)
        if extraction.tree is None:  # it would take too long: only its links were read, with a regular expression
            unread.append(url)
            continue
        unmade = document is None and is_shell(html)
        yield ArchivedPage(id=id, key=key, url=url, tree=extraction.tree, extraction=extraction, unmade=unmade)


def _received(db: View, id: int, url: str, mime: str, charset: str) -> tuple[bytes, str]:
    """A page as HTML in UTF-8, and the charset that it had. Raises NotThere."""
    body = responses.body(responses.response(db, id, url), db.config.fetch)
    html, charset, *_ = to_utf8(body, charset, url)
    return as_html(html, mime), charset
