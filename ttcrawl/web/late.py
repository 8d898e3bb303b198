"""Regular expressions that many crawls never use: each is compiled when it is first used, not when its module is
imported (an expression takes 0.1 to 3 ms, at every start)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, AnyStr, cast

#: What is bound at the first use, so that later ones cost as little as for a compiled expression.
METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Late:
    def __init__(self, compile: Callable[[], Any]) -> None:
        self._compile = compile

    def __getattr__(self, name: str) -> Any:
        """Called once: for the first method that is used."""
        compiled = self._compile()
        for method in METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def late(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """An expression with the methods of `re.compile(expression, flags)`. Wrong ones raise re.error at the first use.

    >>> late("[a-z]+").findall("two words")
    ['two', 'words']
    """
    return cast("re.Pattern[AnyStr]", _Late(lambda: re.compile(expression, flags)))
