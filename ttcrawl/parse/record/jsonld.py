"""JSON-LD in a page: who wrote it and when, as schema.org names it (https://schema.org/CreativeWork)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

#: Characters of a script, and objects in it, that are looked at.
LONGEST, MOST = 200_000, 1000


def stated(scripts: list[str]) -> dict[str, str]:
    """author, description, published, modified, headline, keywords: what the scripts state first of each."""
    found: dict[str, str] = {}
    for script in scripts:
        for thing in _things(script):
            for name, key in _KEYS:
                if name not in found and (text := _text(thing.get(key))):
                    found[name] = text
    return found


_KEYS = (
    ("author", "author"),
    ("author", "creator"),
    ("published", "datePublished"),
    ("published", "dateCreated"),
    ("modified", "dateModified"),
    ("keywords", "keywords"),
)


def _things(script: str) -> Iterator[dict[str, Any]]:
    """The objects that a page is likely to be about: those at the top, and in @graph and mainEntity."""
    if len(script) > LONGEST:
        return
    try:
        top = json.loads(script, strict=False)  # as the links of it are: line ends within strings are common
    except (ValueError, RecursionError):
        return
    waiting = [top]
    for _ in range(MOST):
        if not waiting:
            return
        each = waiting.pop(0)
        if isinstance(each, list):
            waiting += each[:MOST]
        elif isinstance(each, dict):
            yield each
            waiting += [each[key] for key in ("@graph", "mainEntity", "mainEntityOfPage") if key in each]


def _text(value: Any) -> str:
    """A name, or the names of several."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return _text(value.get("name")) if isinstance(value.get("name"), str) else ""
    if isinstance(value, list):
        return ", ".join(filter(None, (_text(each) for each in value[:20] if not isinstance(each, list))))
    return ""
