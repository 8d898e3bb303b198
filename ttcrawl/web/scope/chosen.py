"""Keys that name URLs: no, yes (all), or patterns."""

from __future__ import annotations

import re
from collections.abc import Callable

import re2

from ttcrawl.web.scope.patterns import OF_URLS, wildcard


def chosen(text: str) -> Callable[[str], bool]:
    """Return a function that decides about a URL. Raises ValueError.

    >>> at = chosen("path:/app https://b.test/*.html")
    >>> [at(url) for url in ("http://a.test/app/x", "https://b.test/x.html", "http://a.test/")]
    [True, True, False]
    """
    if text in ("no", "yes"):
        return lambda url: text == "yes"
    patterns = [pattern_of(each) for each in text.split()]
    if not patterns:
        raise ValueError("write no, yes or patterns of URLs")
    return lambda url: any(each.search(url) for each in patterns)


def pattern_of(text: str) -> re.Pattern[str]:
    """Return what finds the URLs of one pattern: of a kind such as `host:`, else with wildcards. Raises ValueError."""
    kind, _, rest = text.partition(":")
    pattern: re.Pattern[str] = re2.compile(OF_URLS[kind](rest) if kind in OF_URLS else wildcard(text))
    return pattern
