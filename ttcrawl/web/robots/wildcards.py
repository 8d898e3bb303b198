"""Rules with `*` and `$`, matched without backtracking: time linear in the path, and bounded for all rules together."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

#: (verdict, the end of a part that must be in the path, that part, the rule)
Wildcard: TypeAlias = tuple[int, str, str, str]

#: Characters of the end of a part.
END = 3

#: With more rules than this, a set of the path's substrings saves time.
FEW = 32

#: Maximum parts searched in one path, for all rules together; this takes about 3 ms. The rules of an ordinary file need
#: a few dozen.
MAX_LOOKS = 3000


def squeezed(pattern: str) -> str:
    """The same rule without redundant stars: one instead of several in a row, and none at the end."""
    if "**" in pattern:
        pattern = re.sub(r"\*+", "*", pattern)
    prefix = pattern.removesuffix("*$") if pattern.endswith("*$") else pattern.removesuffix("*")
    return f"{prefix}*" if prefix != pattern and prefix.endswith("$") else prefix  # else its $ would end the path


def wildcard(verdict: int, pattern: str) -> Wildcard:
    part = max(pattern.removesuffix("$").split("*"), key=len)
    return verdict, part[-END:], part, pattern


def matching(rules: Collection[Wildcard], path: str) -> Iterator[tuple[int, bool]]:
    """(verdict, True) of each matching rule, in their order.

    After MAX_LOOKS searched parts: (verdict, False) of each rule that may match.
    """
    present: Collection[str] = path if len(rules) <= FEW else _sequences(path)
    looks = 0
    for verdict, end, part, pattern in rules:
        if end not in present:
            continue
        if looks >= MAX_LOOKS:
            yield verdict, False
            continue
        looks += 1
        if part in path:
            looks += pattern.count("*")
            if matches(pattern, path):
                yield verdict, True


def _sequences(path: str) -> frozenset[str]:
    """All substrings of at most END characters."""
    return frozenset(path[at : at + size] for size in range(END + 1) for at in range(len(path) - size + 1))


def matches(pattern: str, path: str) -> bool:
    """Whether a rule matches a path; each part matches at its first occurrence.

    >>> matches("/*/print$", "/a/print"), matches("/*/print$", "/a/print/b"), matches("/a*b*c", "/a-c-b")
    (True, False, False)
    """
    head, *parts = pattern.removesuffix("$").split("*")
    if not path.startswith(head):
        return False
    if not pattern.endswith("$"):
        return _found(parts, path, len(head)) >= 0
    if not parts:
        return path == head
    at = _found(parts[:-1], path, len(head))
    return 0 <= at <= len(path) - len(parts[-1]) and path.endswith(parts[-1])


def _found(parts: Iterable[str], path: str, at: int) -> int:
    """The end of the last of these parts; -1: they do not occur in this order in the path."""
    for part in parts:
        at = path.find(part, at)
        if at < 0:
            return -1
        at += len(part)
    return at
