"""A page without the elements that [revisit] ignore names, now and at its last visit."""

from __future__ import annotations

from pathlib import Path

import xxhash
from msgspec import structs
from selectolax.lexbor import LexborHTMLParser, LexborNode

from ttcrawl.config import Config, Fetch
from ttcrawl.parse.head import coding, first_values, is_nosniff, values
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.xhtml import as_html
from ttcrawl.read.blocks import lines
from ttcrawl.read.landmarks import mark_blocks
from ttcrawl.read.main import main_text
from ttcrawl.read.tree import elements, flatten
from ttcrawl.recrawl.undated import content_digest
from ttcrawl.ring.messages import Before, Head, Page, Request
from ttcrawl.store.archived import DamagedRecordError, response
from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.coding.decode import CodingError, decode
from ttcrawl.web.ignored import compile_ignored
from ttcrawl.web.mime.content_type import content_type
from ttcrawl.web.mime.kind import HTML, family, mime_type

#: Without these there is no page.
_WHOLE = ("html", "head", "body")

OK = 200


class Comparer:
    """Compares pages with those in the archive: the stored text of a page has all of its elements."""

    def __init__(self, config: Config, archive: Path) -> None:
        self._fetch, self._archive = config.fetch, archive
        self._ignored = compile_ignored(config.revisit.ignore)

    def compared(self, page: Page, request: Request, before: Before, head: Head, body: bytes) -> Page:
        """Add what a reader saw before and sees now, if both are known."""
        text = page.reading.text
        if head.status != OK or page.refused or text is None or page.digest == before.digest:
            return page
        try:
            own = response(self._archive, before.record)
            holder = own if before.payload is None else response(self._archive, before.payload)
            if holder.truncated or xxhash.xxh3_128_digest(holder.body) != before.digest:
                return page
            contents = self._digest(request.url, own.head, holder.body), self._digest(request.url, head, body)
        except (OSError, DamagedRecordError, CodingError):
            return page
        if not all(contents):
            return page
        reading = structs.replace(page.reading, text=structs.replace(text, compared=contents))
        return structs.replace(page, reading=reading)

    def _digest(self, url: str, head: Head, body: bytes) -> bytes:
        found = page_without(self._ignored.selector, url, head, body, self._fetch)
        return content_digest(*found, self._ignored) if found is not None else b""


def page_without(selector: str, url: str, head: Head, body: bytes, fetch: Fetch) -> tuple[str, str] | None:
    """Return the title of a page as received, and its main text without the elements that a selector finds.

    None: it is not HTML, has no text or is too deep. Raises CodingError.
    """
    plain, types = decode(body, coding(head), fetch.max_decoded, fetch.max_ratio), values(head, "content-type")
    mime = mime_type(types, plain, url, nosniff=is_nosniff(first_values(head)))
    if family(mime, plain) != HTML:
        return None
    html = as_html(to_utf8(plain, content_type(types).charset, url)[0], mime)
    page = extract(html, url)
    if page.tree is None or elements(page.tree) is None:
        return None
    _remove(page.tree, selector)
    flat = flatten(page.tree, html)
    if flat is None or flat.body is None:
        return None
    mark_blocks(flat)
    found = lines(flat.body)
    return page.title, "\n".join(main_text(found.lines, found.blocks, frozenset(page.anchors)).lines)


def _remove(tree: LexborHTMLParser, selector: str) -> None:
    nodes = [node for node in tree.css(selector) if node.tag not in _WHOLE]
    selected = {node.mem_id for node in nodes}
    for node in [each for each in nodes if not _is_inside(each, selected)]:
        node.decompose(recursive=False)


def _is_inside(node: LexborNode, selected: set[int]) -> bool:
    """Whether an element around this one goes with it."""
    around = node.parent
    while around is not None and around.mem_id not in selected:
        around = around.parent
    return around is not None
