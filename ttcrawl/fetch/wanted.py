"""Which content types are wanted. Pure."""

from __future__ import annotations


def wanted(types: frozenset[str], content_type: str) -> bool:
    """Whether an answer with this Content-Type is wanted; `types` are in lower case, none of them means all.

    An answer that does not say its type is wanted: it may be anything (RFC 9110 section 8.3).

    >>> [wanted(frozenset({"text/*"}), each) for each in ("Text/HTML; charset=utf-8", "image/png", "")]
    [True, False, True]
    """
    said = content_type.partition(";")[0].strip().lower()
    return not types or not said or not types.isdisjoint(("*/*", f"{said.partition('/')[0]}/*", said))
