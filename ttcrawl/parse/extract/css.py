"""Columns by selectors: `NAME=SELECTOR`, with `::attr(ATTRIBUTE)` behind it for an attribute.

`NAME[]=SELECTOR` is the list of all matches, in place of the first one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from ttcrawl.parse.extract.words import attribute, base_of, words
from ttcrawl.parse.hooks.page import HookPage

_COLUMN = re.compile(r"(?P<name>[^=]*?)\s*(?P<all>\[\])?\s*=\s*(?P<selector>.*?)\s*(?:::(?P<what>text|attr\(.*\)))?\s*")


class Column(Struct, frozen=True, kw_only=True):
    """`attribute`: the text of the element, if it is empty."""

    name: str
    selector: str
    attribute: str
    all: bool


def column(text: str) -> Column:
    """
    >>> column("images[]=img.large::attr(src)")
    Column(name='images', selector='img.large', attribute='src', all=True)
    >>> column("price = .price::text")
    Column(name='price', selector='.price', attribute='', all=False)
    """
    match = _COLUMN.fullmatch(text)
    assert match is not None  # the configuration has checked it
    what = match["what"] or ""
    return Column(
        name=match["name"].strip(),
        selector=match["selector"],
        attribute=what.removeprefix("attr(").removesuffix(")").strip().lower() if what != "text" else "",
        all=bool(match["all"]),
    )


class Selected:
    """An item of a page, or of each element that a selector matches; one whose columns are all missing is none."""

    def __init__(self, columns: Sequence[str], each: str) -> None:
        self._columns = [column(each) for each in columns]
        self._each = each

    @property
    def selectors(self) -> list[str]:
        return [*(each.selector for each in self._columns), *([self._each] if self._each else [])]

    def __call__(self, page: HookPage) -> Iterator[dict[str, object]]:
        if (tree := page.tree) is None:
            return
        base = base_of(tree, page.url)
        for element in tree.css(self._each) if self._each else [tree]:
            item = {column.name: _value(element, column, base) for column in self._columns}
            if any(each not in (None, []) for each in item.values()):
                yield item


def _value(element: LexborHTMLParser | LexborNode, column: Column, base: str) -> object:
    if column.all:
        return [value for each in element.css(column.selector) if (value := _of(each, column, base)) is not None]
    first = element.css_first(column.selector)
    return None if first is None else _of(first, column, base)


def _of(element: LexborNode, column: Column, base: str) -> str | None:
    return attribute(element, column.attribute, base) if column.attribute else words(element) or None
