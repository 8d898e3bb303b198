"""The number that exceeded a limit. Pure."""

from __future__ import annotations

import re

from ttcrawl.vocabulary.reason import DEPTH, REDIRECTS, SCOPE_DEPTH, SCOPE_HOPS, SCOPE_LENGTH, TOPIC, Code


def compared(
    reason: str, rule: str, *, depth: int | None, redirects: int, off_domain: int, off_topic: int, length: int
) -> str:
    """The number that was too high and its limit; "" if no number was.

    >>> compared("depth", "[crawl] max_depth = 5", depth=6, redirects=0, off_domain=0, off_topic=0, length=20)
    'depth 6 > 5'
    """
    limit = re.search(r"(?:= |>)(\d+)", rule)
    numbers = {DEPTH: depth, SCOPE_DEPTH: depth, SCOPE_HOPS: off_domain, REDIRECTS: redirects, SCOPE_LENGTH: length}
    numbers[TOPIC] = off_topic
    number = numbers.get(Code(reason))
    if limit is None or number is None or number <= int(limit[1]):
        return ""
    name = "irrelevant pages" if reason == TOPIC else reason.removeprefix("scope: ")
    return f"{name} {number} > {limit[1]}"
