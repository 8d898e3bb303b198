"""The kind of a column, by the values of a field on all pages.

| values | kind |
|---|---|
| true, false | bool |
| integers of 64 bits | int |
| numbers | float |
| dates, such as 2026-01-31 | date |
| moments with an offset, such as 2026-01-31T12:00:00Z | moment |
| moments without one | datetime |
| lists, objects, alone or with others | json |
| all others, and mixtures | str |
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime

from ttcrawl.snapshot.rows import DATE, DATETIME, JSON, MOMENT
from ttcrawl.web.storable import LARGEST, LEAST

#: RFC 3339, with a space too, and as datetime.isoformat writes it.
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:([T ])\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?)?")


def kind_of(value: object) -> str:
    """Return the kind of a value of JSON; "" of null.

    >>> [kind_of(each) for each in (None, True, 3, 1 << 64, 0.5, "a", "2026-01-31", "2026-01-31T12:00Z", [1])]
    ['', 'bool', 'int', 'str', 'float', 'str', 'date', 'moment', 'json']
    """
    if isinstance(value, str):
        return _kind_of_text(value)
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if LEAST <= value <= LARGEST else "str"
    if isinstance(value, float):
        return "float"
    return "" if value is None else JSON


def joined(one: str, other: str) -> str:
    """Return the kind that has the values of both.

    >>> joined("int", "float"), joined("int", "bool"), joined("date", "json"), joined("", "int")
    ('float', 'str', 'json', 'int')
    """
    if one == other or not one or not other:
        return one or other
    if JSON in (one, other):
        return JSON
    return "float" if {one, other} == {"int", "float"} else "str"


def convert(kind: str) -> Callable[[object], object]:
    """Return the function that brings a value into the form of a column: a moment in seconds, JSON as its text, a date
    as it is. It raises ValueError or TypeError for a value that the kind does not have.
    """
    if kind == MOMENT:
        return _seconds
    if kind == JSON:
        return _json
    if kind == "str":
        return _text
    return lambda value: _checked(kind, value)


def _kind_of_text(value: str) -> str:
    match = _MOMENT.fullmatch(value) if value[:4].isdigit() else None
    if match is None:
        return "str"
    try:
        if match[1] is None:
            date.fromisoformat(value)
            return DATE
        moment = datetime.fromisoformat(value)
        if match[2] is None:
            return DATETIME
        moment.astimezone(UTC)
        return MOMENT
    except (ValueError, OverflowError):
        return "str"


def _seconds(value: object) -> float:
    """
    >>> _seconds("1970-01-01T01:00:30+01:00")
    30.0
    """
    if not isinstance(value, str):
        raise TypeError
    return datetime.fromisoformat(value).timestamp()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _text(value: object) -> str:
    return value if isinstance(value, str) else _json(value)


def _checked(kind: str, value: object) -> object:
    if joined(kind, kind_of(value)) != kind:
        raise ValueError
    if kind == "float":
        assert isinstance(value, int | float)
        return float(value)
    return value
