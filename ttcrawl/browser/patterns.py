"""Which pages go through a browser."""

from __future__ import annotations

from collections.abc import Callable

import re2

from ttcrawl.errors import UsageError
from ttcrawl.web.scope.patterns import OF_URLS, wildcard


def compiled(use: str) -> Callable[[str], bool]:
    """Return a function that decides about a URL, by [browser] use. Raises UsageError.

    >>> chosen = compiled("path:/app https://b.test/*.html")
    >>> [chosen(url) for url in ("http://a.test/app/x", "https://b.test/x.html", "http://a.test/")]
    [True, True, False]
    """
    if use in ("no", "yes"):
        return lambda url: use == "yes"
    try:
        patterns = [re2.compile(_expression(text)) for text in use.split()]
    except ValueError as error:
        raise UsageError(f"[browser] use = {use}: {error}") from None
    if not patterns:
        raise UsageError("[browser] use: write no, yes or patterns of URLs")
    return lambda url: any(each.search(url) for each in patterns)


def _expression(text: str) -> str:
    kind, _, rest = text.partition(":")
    return OF_URLS[kind](rest) if kind in OF_URLS else wildcard(text)
