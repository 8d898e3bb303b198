"""Rows of HTML tables (HTML 4.9.12: forming a table)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from selectolax.lexbor import LexborNode

from ttcrawl.config.extractors import ALL
from ttcrawl.parse.extract.words import words
from ttcrawl.parse.hooks.page import HookPage

#: Columns of a table, and cells of a page, at most.
WIDEST, MOST = 1000, 200_000

_GROUPS = ("thead", "tbody", "tfoot")


class Tables:
    """An item for each row behind the header. Its columns are called as the cells of the header."""

    def __init__(self, selectors: Sequence[str]) -> None:
        self.selectors = ["table" if each == ALL else each for each in selectors]

    def __call__(self, page: HookPage) -> Iterator[dict[str, object]]:
        tree = page.tree
        for table in tree.css(", ".join(self.selectors)) if tree is not None else ():
            if table.tag == "table":
                yield from _items(_rows(table))


def _items(rows: Sequence[tuple[bool, list[str]]]) -> Iterator[dict[str, object]]:
    headers = 0
    while headers < len(rows) and rows[headers][0]:
        headers += 1
    width = max((len(texts) for _, texts in rows), default=0)
    names = _names([texts for _, texts in rows[:headers]], width)
    for _, texts in rows[headers:]:
        item: dict[str, object] = {name: text or None for name, text in zip(names, texts, strict=False)}
        if any(item.values()):
            yield item


def _names(header: Sequence[Sequence[str]], width: int) -> list[str]:
    """The names of the columns, each once: of several rows, the texts one after another.

    >>> _names([["Price", "Price", ""], ["net", "gross", ""]], 4)
    ['Price net', 'Price gross', 'column 3', 'column 4']
    >>> _names([["a", "a"]], 2)
    ['a', 'a 2']
    """
    names: dict[str, None] = {}
    for column in range(width):
        texts = dict.fromkeys(row[column] for row in header if column < len(row) and row[column])
        name = first = " ".join(texts) or f"column {column + 1}"
        number = 1
        while name in names:
            number += 1
            name = f"{first} {number}"
        names[name] = None
    return list(names)


def _rows(table: LexborNode) -> list[tuple[bool, list[str]]]:
    """Of each row: whether it is of the header, and the texts of its cells, where each column and row has them."""
    rows: list[tuple[bool, list[str]]] = []
    above: dict[int, tuple[int, str]] = {}  # column -> rows that a cell of a row above still fills, and its text
    cells = 0
    has_head = any(part.tag == "thead" for part in table.iter(include_text=False))
    for row, in_head in _row_elements(table):
        own = [each for each in row.iter(include_text=False) if each.tag in ("td", "th")]
        texts, above = _row(own, above)
        cells += len(texts)
        if cells > MOST:
            break
        rows.append((in_head if has_head else bool(own) and all(each.tag == "th" for each in own), texts))
    return rows


def _row(
    cells: Sequence[LexborNode], above: dict[int, tuple[int, str]]
) -> tuple[list[str], dict[int, tuple[int, str]]]:
    """The texts of a row, and what its cells and those above fill in the next one."""
    texts: list[str] = []
    below: dict[int, tuple[int, str]] = {}

    def add(text: str, rows: int) -> None:
        if rows > 1:
            below[len(texts)] = (rows - 1, text)
        texts.append(text)

    def add_above() -> None:
        while len(texts) in above:
            rows, text = above[len(texts)]
            add(text, rows)

    for cell in cells:
        add_above()
        text, rows = words(cell), _span(cell, "rowspan")
        for _ in range(min(_span(cell, "colspan"), WIDEST - len(texts))):
            add(text, rows)
    add_above()
    return texts, below


def _row_elements(table: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    for part in table.iter(include_text=False):
        if part.tag == "tr":
            yield part, False
        elif part.tag in _GROUPS:
            for row in part.iter(include_text=False):
                if row.tag == "tr":
                    yield row, part.tag == "thead"


def _span(cell: LexborNode, name: str) -> int:
    text = (cell.attributes.get(name) or "").strip()
    return max(1, min(WIDEST, int(text))) if text.isascii() and text.isdigit() and len(text) < 7 else 1
