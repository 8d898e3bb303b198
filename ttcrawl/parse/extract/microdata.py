"""Things that a page states in microdata (HTML 5.2, with the values of section 5.2.4)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ttcrawl.config.extractors import ALL
from ttcrawl.parse.extract.words import attribute, base_of, words
from ttcrawl.parse.hooks.page import HookPage

#: How deep things may lie in one another, and elements of a thing that are looked at.
DEEPEST, MOST = 20, 10_000

_SOURCES = dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src")
_ATTRIBUTES = {**_SOURCES, **dict.fromkeys(("a", "area", "link"), "href"), "meta": "content", "object": "data"}
_ATTRIBUTES |= {"data": "value", "meter": "value", "time": "datetime"}


class Microdata:
    """The things of some types, wherever they are. *: those that are no property of another one."""

    def __init__(self, types: Collection[str]) -> None:
        self._types = types

    def __call__(self, page: HookPage) -> Iterator[dict[str, object]]:
        if (tree := page.tree) is None:
            return
        base = base_of(tree, page.url)
        for element in tree.css("[itemscope]:not([itemprop])" if ALL in self._types else "[itemscope]"):
            types = {re.split("[/#:]", each)[-1] for each in (element.attributes.get("itemtype") or "").split()}
            if ALL in self._types or not types.isdisjoint(self._types):
                yield _thing(tree, element, base, 0)


def _thing(tree: LexborHTMLParser, element: LexborNode, base: str, depth: int) -> dict[str, object]:
    thing: dict[str, object] = {}
    for name, key in (("itemtype", "@type"), ("itemid", "@id")):
        if text := (element.attributes.get(name) or "").strip():
            thing[key] = text
    for each in _properties(tree, element):
        value = _value(tree, each, base, depth)
        for name in (each.attributes.get("itemprop") or "").split():
            if name not in thing:
                thing[name] = value
            elif isinstance(values := thing[name], list):
                values.append(value)
            else:
                thing[name] = [values, value]
    return thing


def _properties(tree: LexborHTMLParser, thing: LexborNode) -> Iterator[LexborNode]:
    """The elements with its properties: inside it, but not inside another thing, and inside those it refers to."""
    waiting = [*_children(thing), *_referred(tree, thing)][::-1]  # the next one is the last
    for _ in range(MOST):
        if not waiting:
            return
        element = waiting.pop()
        if element.attributes.get("itemprop"):
            yield element
        if "itemscope" not in element.attributes:
            waiting += reversed(_children(element))


def _referred(tree: LexborHTMLParser, thing: LexborNode) -> list[LexborNode]:
    """The elements that itemref names, by their ids; the first one of each."""
    if not (ids := (thing.attributes.get("itemref") or "").split()):
        return []
    by_id = {each.id: each for each in reversed(tree.css("[id]"))}
    return [by_id[id] for id in ids if id in by_id]


def _children(element: LexborNode) -> list[LexborNode]:
    return [each for each in element.iter(include_text=False) if each.is_element_node]


def _value(tree: LexborHTMLParser, element: LexborNode, base: str, depth: int) -> object:
    if "itemscope" in element.attributes:
        return _thing(tree, element, base, depth + 1) if depth < DEEPEST else None
    if (value := element.attributes.get("content")) is not None:  # search engines read it on any element
        return value.strip()
    value = attribute(element, _ATTRIBUTES.get(element.tag or "", ""), base)
    return words(element) if value is None else value
