"""A section of the report as an HTML table. All text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from ttcrawl.output.layout import Row, Section, Value, methods, statements
from ttcrawl.output.tables import cell, clean
from ttcrawl.output.untrusted import escape_untrusted

#: Columns from which a section takes the complete width.
WIDE = 5
FEWEST_SORTED = 3  # rows
LONGEST = 1000  # characters of a text
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
URL = re.compile(r"https?://[^\s\"'<>\\`]+")


def section_html(anchor: str, section: Section, names: Sequence[str]) -> str:
    """One section; `names` are the crawls side by side."""
    wide = ' class="wide"' if is_wide(section, names) else ""
    style = ' class="prose"' if section.prose else ' class="sorts"' if _sorts(section) else ""
    lead = _paragraphs("statement", statements(section, names))
    how = _paragraphs("how", methods(section, names))
    rows = _rows("tbody", [row for row in section.rows if not row.foot])
    foot = _rows("tfoot", [row for row in section.rows if row.foot])
    return (
        f'<section{wide} id="{anchor}">\n<h3 id="{anchor}-title">{text_html(section.title)}</h3>\n{lead}'
        f'<div class="scroll"><table{style} aria-labelledby="{anchor}-title">'
        f"\n{_head(section, names)}{rows}{foot}</table></div>\n{how}</section>\n"
    )


def is_wide(section: Section, names: Sequence[str]) -> bool:
    return len(section.columns) * len(names) >= WIDE


def _paragraphs(kind: str, texts: Iterable[str]) -> str:
    return "".join(f'<p class="{kind}">{prose_html(text)}</p>\n' for text in texts)


def is_empty(section: Section) -> bool:
    """Whether every value is 0 or missing."""
    return not any(value for row in section.rows for value in row.values)


def text_html(text: str, longest: int = LONGEST) -> str:
    return escape(clean(text, longest))


def prose_html(text: str) -> str:
    """Text of a paragraph, where browsers break no line after the hyphens of an option.

    >>> prose_html("see ttcrawl report --politeness DIR & more")
    'see ttcrawl report <span class="option">--politeness</span> DIR &amp; more'
    """
    return OPTION.sub(r'<span class="option">\g<0></span>', text_html(text))


def link_html(text: str) -> str:
    """Text that may begin with a URL of a page, which becomes a link. The link does not tell the page who links.

    >>> link_html("http://a.example/?x=1&y=2 and 3 more")
    '<a href="http://a.example/?x=1&amp;y=2" rel="noreferrer">http://a.example/?x=1&amp;y=2</a> and 3 more'
    >>> link_html("javascript:alert(1)")
    'javascript:alert(1)'
    """
    url, blank, rest = text.partition(" ")
    if not URL.fullmatch(url) or escape_untrusted(url) != url:
        return text_html(text)
    return f'<a href="{escape(url)}" rel="noreferrer">{escape(clean(url))}</a>{blank}{text_html(rest)}'


def _sorts(section: Section) -> bool:
    """Whether the order of the rows may change: rows of a list, not rows with parts below them."""
    return bool(section.subject) and len(section.rows) >= FEWEST_SORTED


def _head(section: Section, names: Sequence[str]) -> str:
    """The names of the crawls, each over its columns, and the names of the columns. Empty if there are neither."""
    lines = []
    if len(names) > 1:
        span = len(section.columns)
        over = "".join(f'<th colspan="{span}" scope="colgroup">{text_html(name)}</th>' for name in names)
        lines.append(f"<tr><td></td>{over}</tr>\n")
    if any(section.columns):
        subject = f'<th scope="col">{text_html(section.subject)}</th>' if section.subject else "<td></td>"
        columns = "".join(f'<th scope="col">{text_html(name)}</th>' for name in section.columns * len(names))
        lines.append(f"<tr>{subject}{columns}</tr>\n")
    return f"<thead>\n{''.join(lines)}</thead>\n" if lines else ""


def _rows(element: str, rows: Iterable[Row]) -> str:
    lines = "".join(
        f'<tr><th scope="row">{link_html(row.label)}</th>{"".join(map(_cell, row.values))}</tr>\n' for row in rows
    )
    return f"<{element}>\n{lines}</{element}>\n" if lines else ""


def _cell(value: Value) -> str:
    return f"<td>{link_html(value) if isinstance(value, str) and value else escape(cell(value))}</td>"
