"""Tables as text for a terminal, and as GitHub's Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ttcrawl.output.folded import folded_table
from ttcrawl.output.layout import Section, Value, explanations
from ttcrawl.output.terminal import ANYWHERE, Screen, ending, fold, padded, shortened
from ttcrawl.output.terminal import columns as _width
from ttcrawl.output.untrusted import escape_untrusted

LONGEST = 60  # columns of a cell or label
#: Decimal places, from this absolute value up. Smaller values except 0 have three significant digits.
DIGITS = ((1000.0, 1), (1.0, 2), (0.001, 4))
LONGEST_NAME = 28  # columns of a crawl's name if several crawls stand side by side
NOTES = 100  # columns of explanations
GAP = "  "
#: Characters of Markdown markup. As character references, even `|` cannot end a cell.
MARKUP = str.maketrans({mark: f"&#{ord(mark)};" for mark in "&<>|[]*`~\\"})


def heads(names: Sequence[str], screen: Screen = ANYWHERE) -> list[str]:
    """The names of the crawls, shortened to the available width."""
    longest = LONGEST if len(names) == 1 else LONGEST_NAME
    return [_end(clean(name, 4 * LONGEST, screen), longest, screen.ellipsis) for name in names]


def lay_out(parts: Sequence[Section], names: Sequence[str], form: str, screen: Screen = ANYWHERE) -> str:
    """Sections of one or more crawls as text for a screen, or as markdown, without a line feed at the end.

    Raises ValueError for any other form.
    """
    if form == "text":
        return "\n\n".join(_text(section, names, screen) for section in parts)
    if form == "markdown":
        return "\n\n".join(_markdown(section, names) for section in parts)
    raise ValueError(f"unknown form {form!r}: text, markdown or json")


def clean(text: str, longest: int = LONGEST, screen: Screen = ANYWHERE) -> str:
    r"""Return `text` as one line for a terminal, of at most `longest` columns. Of a URL, its end is left too.

    >>> print(clean("a\x1b[2Jb\u202ec"))
    a\x1b[2Jb\u202ec
    >>> clean("http://a.test/" + "x" * 999 + "/end", 30)
    'http://a.test/…xxxxxxxxxxx/end'
    """
    is_url, most = "://" in text[: longest // 2], 4 * longest  # characters: a longer text costs no more
    shown = text[: most // 2] + text[-most // 2 :] if is_url and len(text) > most else text[:most]
    line = screen.printed(escape_untrusted(shown))
    if _width(line) > longest and "://" in line[: longest // 2]:
        return _middle(line, longest, screen.ellipsis)
    return shortened(line, longest, screen.ellipsis)


def _middle(url: str, longest: int, ellipsis: str) -> str:
    """Shorten a URL in its middle, because URLs of one host differ at their ends."""
    start = url[: longest // 2]
    start = start[: start.find("/", start.index("://") + 3) + 1] or start
    return start + ellipsis + ending(url[len(start) :], longest - len(ellipsis) - _width(start))


def _end(name: str, longest: int, ellipsis: str) -> str:
    """Shorten a name at its start, because directories of crawls differ at their ends."""
    return name if _width(name) <= longest else ellipsis + ending(name, longest - len(ellipsis))


def cell(value: Value, screen: Screen = ANYWHERE) -> str:
    """A value as text for a table; a number that is not finite is shown as "-"."""
    if value is None or value == "" or (isinstance(value, float) and not math.isfinite(value)):
        return "-"
    if isinstance(value, str):
        return clean(value, screen=screen)
    if isinstance(value, int):
        return f"{value:,}"
    digits = next((digits for least, digits in DIGITS if abs(value) >= least), None)
    return f"{value:.3g}" if digits is None else f"{value:,.{digits}f}"


def _text(section: Section, names: Sequence[str], screen: Screen) -> str:
    title, most = screen.printed(section.title), screen.width
    names = list(map(screen.printed, names))
    labels = [clean(row.label, screen=screen) for row in section.rows]
    cells = [[cell(value, screen) for value in row.values] for row in section.rows]
    columns, right = list(section.columns) * len(names), not section.prose
    widths = [max(_width(text) for text in column) for column in zip(columns, *cells, strict=True)]
    head = max(map(_width, [title, *labels]))
    each = len(section.columns)
    spans = []  # a name spans all columns of its crawl
    for i, name in enumerate(names if len(names) > 1 else ("",)):
        columns_of = range(i * each, (i + 1) * each)
        missing = _width(name) - sum(widths[j] for j in columns_of) - len(GAP) * (each - 1)
        widths[columns_of[-1]] += max(0, missing)
        spans.append(padded(name, _width(name) + max(0, -missing), right=right))
    complete = head + sum(len(GAP) + width for width in widths)
    lines = [GAP.join([padded(title, head), *spans]).rstrip()]
    if any(columns):
        lines.append(_line("", columns, head, widths, right=True))
    lines.append("-" * complete)
    lines += [_line(label, row, head, widths, right=right) for label, row in zip(labels, cells, strict=True)]
    if most is not None and complete > most:
        of_crawls = [name if len(names) > 1 else "" for name in names for _ in section.columns]
        lines = folded_table(title, labels, cells, (of_crawls, columns), most, right=right)
    for how in explanations(section, names):
        lines += fold(screen.printed(f"  {how}"), min(most or NOTES, NOTES))
    return "\n".join(lines)


def _line(label: str, cells: Sequence[str], head: int, widths: Sequence[int], *, right: bool) -> str:
    row = (padded(cell, width, right=right) for cell, width in zip(cells, widths, strict=True))
    return GAP.join([padded(label, head), *row]).rstrip()


def _markdown(section: Section, names: Sequence[str]) -> str:
    heads = [
        f"{name} {column}".strip() if len(names) > 1 or not column else column
        for name in names
        for column in section.columns
    ]
    lines = [
        _markdown_row([section.title, *heads]),
        _markdown_row([":--", *([":--" if section.prose else "--:"] * len(heads))]),
    ]
    for row in section.rows:
        label = clean(row.label)
        indent = "&nbsp;&nbsp;" if label.startswith(" ") else ""
        lines.append(_markdown_row([label.strip(), *map(cell, row.values)], indent))
    for how in explanations(section, names):
        lines += ["", how.translate(MARKUP)]
    return "\n".join(lines)


def _markdown_row(cells: Sequence[str], indent: str = "") -> str:
    return f"| {indent}{' | '.join(cell.translate(MARKUP) for cell in cells)} |"
