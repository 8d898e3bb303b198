"""Which pages go through a browser."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.errors import UsageError
from ttcrawl.web.scope.chosen import chosen


def compiled(use: str) -> Callable[[str], bool]:
    """Return a function that decides about a URL, by [browser] use. Raises UsageError.

    With auto no URL decides: see ttcrawl.browser.templates.
    """
    if use == "auto":
        return lambda url: False
    try:
        return chosen(use)
    except ValueError as error:
        raise UsageError(f"[browser] use = {use}: {error}") from None
