"""What phones, browsers and keyboards need of the markup of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.archive import ArchivedPage

LANG, VIEWPORT, ID, TABLE, CLICK, TABINDEX = KINDS = (
    "missing-lang",
    "missing-viewport",
    "duplicate-id",
    "table-header",
    "click-only",
    "positive-tabindex",
)

#: Examples of ids that a problem names.
_EXAMPLES = 3

#: Elements that a keyboard reaches, or whose clicks come from what is in them.
_REACHED = frozenset(
    ["button", "input", "select", "textarea", "summary", "label", "option", "area", "details", "body", "html", "form"]
)
_REACHABLE = "a[href], button, input, select, textarea, summary, [tabindex]"

#: HTML standard 2.3.4.1, rules for parsing integers.
_POSITIVE = re.compile(r"[\t\n\f\r ]*+\+?0*+[1-9]")


def markup_problems(page: ArchivedPage) -> Iterator[Problem]:
    root = page.elements["html"][0]  # a parser makes one
    if not any((root.attributes.get(name) or "").strip() for name in ("lang", "xml:lang")):
        yield page.marked(Problem(kind=LANG, url=page.url), root)
    if not any(name.strip().lower() == "viewport" for name, _ in page.extraction.metas):
        yield Problem(kind=VIEWPORT, url=page.url)
    if len(page.ids) > len(set(page.ids)):
        repeated = [name for name, number in Counter(page.ids).items() if number > 1]
        more = f" and {len(repeated) - _EXAMPLES:,} more" if len(repeated) > _EXAMPLES else ""
        problem = Problem(kind=ID, url=page.url, text=", ".join(repeated[:_EXAMPLES]) + more)
        again = [node for node in page.tree.css("[id]") if node.attributes["id"] == repeated[0]][1]
        yield page.marked(problem, again)
    if table := next(filter(_lacks_headers, page.elements["table"]), None):
        yield page.marked(Problem(kind=TABLE, url=page.url), table)
    yield from _keyboard(page)


def _lacks_headers(table: LexborNode) -> bool:
    """Whether a table shows by its markup that it has data, and has no header cell. Others are for layout."""
    about = table.attributes
    if about.get("role") in ("presentation", "none") or not (
        about.get("summary") or (about.get("border") or "0") != "0" or table.css_first("caption, thead") is not None
    ):
        return False
    if table.css_first("th, [scope], [headers], [role=columnheader], [role=rowheader], td table") is not None:
        return False
    rows = table.css("tr")
    return len(rows) > 1 and any(len(row.css("td")) > 1 for row in rows)


def _keyboard(page: ArchivedPage) -> Iterator[Problem]:
    """Most pages have neither attribute: it is looked for in their bytes first."""
    html = page.html.lower()
    if b"onclick" in html and (node := next(filter(_is_click_only, page.tree.css("[onclick]")), None)):
        yield page.marked(Problem(kind=CLICK, url=page.url), node)
    if b"tabindex" in html and (node := next(filter(_is_ordered, page.tree.css("[tabindex]")), None)):
        yield page.marked(Problem(kind=TABINDEX, url=page.url), node)


def _is_ordered(node: LexborNode) -> bool:
    return _POSITIVE.match(node.attributes["tabindex"] or "") is not None


def _is_click_only(node: LexborNode) -> bool:
    about = node.attributes
    if node.tag in _REACHED or "tabindex" in about or (node.tag == "a" and "href" in about):
        return False
    if "contenteditable" in about or about.get("aria-hidden") == "true" or not (about["onclick"] or "").strip():
        return False
    return node.css_first(_REACHABLE) is None
