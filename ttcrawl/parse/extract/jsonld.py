"""Things that a page states in JSON-LD (JSON-LD 1.1 section 7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ttcrawl.config.extractors import ALL
from ttcrawl.parse.hooks.page import HookPage
from ttcrawl.read.jsonld import types_of
from ttcrawl.web.json_ld import loads

#: Values of a page that are looked at, at most.
MOST = 100_000


class JsonLd:
    """The things of some types; a thing inside such a thing is a part of it. *: those at the top."""

    def __init__(self, types: Collection[str]) -> None:
        self._types = types

    def __call__(self, page: HookPage) -> Iterator[dict[str, object]]:
        tree = page.tree
        scripts = tree.css('script[type="application/ld+json" i]') if tree is not None else ()
        waiting = [loads(each.text()) for each in scripts][::-1]  # the next one is the last
        for _ in range(MOST):
            if not waiting:
                return
            value: Any = waiting.pop()
            if isinstance(value, list):
                waiting += reversed(value[:MOST])
            elif isinstance(value, dict) and self._is_wanted(value):
                yield {name: each for name, each in value.items() if name != "@context"}
            elif isinstance(value, dict):
                parts = [each for name, each in reversed(value.items()) if name != "@context"]
                waiting += [each for each in parts if isinstance(each, list | dict)]

    def _is_wanted(self, thing: dict[str, Any]) -> bool:
        return "@graph" not in thing if ALL in self._types else not {*types_of(thing)}.isdisjoint(self._types)
