"""Which content types are wanted. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.web.mime.content_type import declared_type


def wanted(types: frozenset[str], values: Sequence[str]) -> bool:
    """Whether a response with these Content-Type values is wanted. If there are several values, the one that counts
    when the body is parsed decides. `types` are in lower case; if there are none, all types are wanted.

    A response without a type is wanted: it may have any type (RFC 9110 section 8.3).

    >>> [wanted(frozenset({"text/*"}), [each]) for each in ("Text/HTML; charset=utf-8", "image/png", "")]
    [True, False, True]
    """
    declared = declared_type(values) if types else ""
    return not declared or not types.isdisjoint(("*/*", f"{declared.partition('/')[0]}/*", declared))
