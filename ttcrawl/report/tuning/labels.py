"""Pairs labelled by hand, one per line: URL, URL and 1 (the same), 0 (different) or a similarity; tabs between."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from ttcrawl.errors import UsageError
from ttcrawl.output.untrusted import escape_untrusted

FORM = "write URL, tab, URL, tab, and 1, 0 or a similarity between"


@dataclass(frozen=True, slots=True)
class Label:
    one: str
    other: str
    similarity: float


def labels(text: str, name: str) -> list[Label]:
    """The labels in a file, without empty lines and lines that start with #. Raises UsageError for a bad line."""
    result = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 3 or not all(fields):
            raise UsageError(f"{name}, line {number}: it has {len(fields)} fields instead of 3; {FORM}")
        result.append(Label(fields[0], fields[1], _similarity(fields[2], f"{name}, line {number}")))
    if not result:
        raise UsageError(f"{name} contains no pair; {FORM}")
    return result


def _similarity(text: str, where: str) -> float:
    with suppress(ValueError):
        if 0 <= (value := float(text)) <= 1:
            return value
    raise UsageError(f"{where}: {escape_untrusted(text)!r} is not a label; {FORM}")
