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
    literal = max(pattern.removesuffix("$").split("*"), key=len)
    return verdict, literal[-END:], literal, pattern


def matching(rules: Collection[Wildcard], path: str) -> Iterator[tuple[int, bool]]:
    """(verdict, True) of each matching rule, in their order.

    After MAX_LOOKS searched parts: (verdict, False) of each rule that may match.
    """
    present: Collection[str] = path if len(rules) <= FEW else _sequences(path)
    looks = 0
    for verdict, end, literal, pattern in rules:
        if end not in present:
            continue
        if looks >= MAX_LOOKS:
            yield verdict, False
            continue
        looks += 1
        if literal in path:
            looks += pattern.count("*")
            if matches(pattern, path):
                yield verdict, True


def _sequences(path: str) -> frozenset[str]:
    """All substrings of at most END characters."""
    return frozenset(path[start : start + size] for size in range(END + 1) for start in range(len(path) - size + 1))


def matches(pattern: str, path: str) -> bool:
    """Whether a rule matches a path; each part matches at its first occurrence.

    >>> matches("/*/print$", "/a/print"), matches("/*/print$", "/a/print/b"), matches("/a*b*c", "/a-c-b")
    (True, False, False)
    """
    head, *literals = pattern.removesuffix("$").split("*")
    if not path.startswith(head):
        return False
    if not pattern.endswith("$"):
        return _match_end(literals, path, len(head)) >= 0
    if not literals:
        return path == head
    start = _match_end(literals[:-1], path, len(head))
    return 0 <= start <= len(path) - len(literals[-1]) and path.endswith(literals[-1])


def _match_end(literals: Iterable[str], path: str, position: int) -> int:
    """The end of the last of these parts; -1: they do not occur in this order in the path."""
    for literal in literals:
        position = path.find(literal, position)
        if position < 0:
            return -1
        position += len(literal)
    return position
