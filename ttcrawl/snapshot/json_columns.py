"""Columns of JSON as dicts and lists."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.rows import JSON

R = TypeVar("R")


def parse(text: str | None) -> Any:
    """Return the value of a text; None for the empty one. What is not JSON stays a text: `ttcrawl verify` reports it.

    >>> parse('{"mailto": 2}'), parse(""), parse("[")
    ({'mailto': 2}, None, '[')
    """
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return text


def parsed(row: type[R]) -> Callable[..., R]:
    """Return the function that makes a row from values of the database, with the values of its columns of JSON."""
    of_json = [index for index, (kind, _) in enumerate(kinds(row).values()) if kind == JSON]

    def from_database(*stored: Any) -> R:
        values = list(stored)
        for index in of_json:
            values[index] = parse(values[index])
        return row(*values)

    return from_database if of_json else row
