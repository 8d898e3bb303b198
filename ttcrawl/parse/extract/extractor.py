"""The extractors of a parse process: a page goes in, the items of each come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from ttcrawl.config.extractors import CSS, FUNCTION, JSONLD, MICRODATA, Extractor
from ttcrawl.parse.extract.css import Selected
from ttcrawl.parse.extract.functions import fields_of, items_of
from ttcrawl.parse.extract.jsonld import JsonLd
from ttcrawl.parse.extract.microdata import Microdata
from ttcrawl.parse.extract.table import Tables
from ttcrawl.parse.extract.version import version_of
from ttcrawl.parse.hooks.call import CalledHooks, HookFailedError
from ttcrawl.parse.hooks.load import HookError, function_of_file
from ttcrawl.parse.hooks.packed import packed
from ttcrawl.parse.hooks.page import HookPage
from ttcrawl.ring.columns import Items

#: Of a page and an extractor, at most: items, characters of an item, and characters of all.
MOST, LONGEST, LARGEST = 10_000, 1 << 20, 16 << 20

Extract = Callable[[HookPage], Iterable[object]]


class Extractors:
    """Raises HookError if a function cannot be imported, or a selector is wrong."""

    def __init__(self, hooks: CalledHooks, extractors: Sequence[Extractor]) -> None:
        self._hooks = hooks
        with hooks.importing():
            self._functions = [
                function_of_file(each.words[0]) if each.kind == FUNCTION else None for each in extractors
            ]
        self._extract = [
            partial(items_of, function) if function else _extract(each)
            for each, function in zip(extractors, self._functions, strict=True)
        ]

    @property
    def versions(self) -> tuple[str, ...]:
        """The version of each function; "" of other extractors."""
        return tuple(version_of(each) if each else "" for each in self._functions)

    def extract(self, page: HookPage | None, wanted: Iterable[int]) -> tuple[Items, ...]:
        """The items of the extractors with these numbers. `page`: None if it is not complete, so it has none."""
        return tuple(self._items(number, page) for number in wanted)

    def _items(self, number: int, page: HookPage | None) -> Items:
        if page is None:
            return Items(extractor=number)
        try:
            return Items(extractor=number, items=self._hooks.call(partial(_packed, self._extract[number]), page))
        except HookFailedError as error:
            return Items(extractor=number, error=error.detail)


def _packed(extract: Extract, page: HookPage) -> tuple[str, ...]:
    return tuple(_limited(extract(page)))


def _limited(items: Iterable[object]) -> Iterator[str]:
    """The items as JSON, within the limits. Raises HookFailedError."""
    size = number = 0
    for item in items:
        if not (text := packed(fields_of(item), "the fields of an item", LONGEST)):
            continue
        number, size = number + 1, size + len(text)
        if number > MOST:
            raise HookFailedError("wrong result", f"the page has more than {MOST:,} items")
        if size > LARGEST:
            raise HookFailedError("wrong result", f"its items have more than {LARGEST:,} characters")
        yield text


def _extract(extractor: Extractor) -> Extract:
    words = extractor.words
    if extractor.kind == JSONLD:
        return JsonLd(words)
    if extractor.kind == MICRODATA:
        return Microdata(words)
    by_selectors = Selected(words, extractor.each) if extractor.kind == CSS else Tables(words)
    _check(by_selectors.selectors)
    return by_selectors


def _check(selectors: Iterable[str]) -> None:
    """Raises HookError for the first selector that is wrong."""
    tree = LexborHTMLParser("")
    for each in selectors:
        try:
            tree.css(each)
        except SelectolaxError:
            raise HookError(f"{each or 'nothing'} is not a CSS selector") from None
