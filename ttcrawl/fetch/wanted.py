"""Which content types are wanted. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.web.mime.content_type import declared_type


def wanted(types: frozenset[str], values: Sequence[str]) -> bool:
    """Whether an answer is wanted whose header fields Content-Type have these values: by the same of several that
    counts when it is read. `types` are in lower case, none of them means all.

    An answer that does not say its type is wanted: it may be anything (RFC 9110 section 8.3).

    >>> [wanted(frozenset({"text/*"}), [each]) for each in ("Text/HTML; charset=utf-8", "image/png", "")]
    [True, False, True]
    """
    said = declared_type(values) if types else ""
    return not said or not types.isdisjoint(("*/*", f"{said.partition('/')[0]}/*", said))
