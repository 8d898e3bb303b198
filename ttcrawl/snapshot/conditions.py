"""`--where COLUMN OP VALUE`: which rows are meant."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ttcrawl.errors import UsageError, did_you_mean
from ttcrawl.output import moments
from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.rows import CATEGORY, DATE, DATETIME, JSON, MOMENT

Condition: TypeAlias = Callable[[Any], bool]

_CONDITION = re.compile(r"\s*(\w+)\s*(!=|<=|>=|=|<|>|!~|~)\s*(.*?)\s*", re.DOTALL)

#: Of columns with an order.
_ORDERS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}

#: Kinds of columns that have one value; lists of URLs are left out.
_KINDS = {"int", "float", "str", "bool", MOMENT, CATEGORY, JSON, DATE, DATETIME}

_BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

FORM = "write COLUMN=VALUE, or !=, <, <=, >, >=, ~ (a pattern with *), !~ (not this pattern)"


def compile_conditions(texts: Sequence[str], row: type) -> Condition:
    """Return a function that is true for rows of this dataclass for which every condition holds.

    A missing value equals the empty text, and has no order. Raises UsageError.
    """
    columns = {name: kind for name, kind in kinds(row).items() if kind[0] in _KINDS}
    conditions = [_condition(text, columns) for text in texts]
    if not conditions:  # the usual case, for each of millions of rows
        return lambda row: True
    return lambda row: all(holds(row) for holds in conditions)


def _condition(text: str, columns: Mapping[str, tuple[str, bool]]) -> Condition:
    match = _CONDITION.fullmatch(text)
    if not match:
        raise UsageError(f"--where {text!r} is not a condition: {FORM}")
    name, sign, value = match.groups()
    if name not in columns:
        names = ", ".join(columns)
        raise UsageError(f"--where {text!r}: there is no column {name}{did_you_mean(name, columns)}; there are {names}")
    get = operator.attrgetter(name)
    if sign in ("~", "!~"):
        matches = re.compile(".*".join(map(re.escape, value.split("*"))), re.DOTALL).fullmatch
        return lambda row: (matches(_text(get(row))) is not None) == (sign == "~")
    if sign in _ORDERS:
        limit: Any = _value(text, value, columns[name][0])
        compare = _ORDERS[sign]
        return lambda row: get(row) is not None and compare(get(row), limit)
    equal = None if not value else _value(text, value, columns[name][0])
    return lambda row: ((get(row) in (None, "")) if equal is None else get(row) == equal) == (sign == "=")


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _value(text: str, value: str, kind: str) -> object:
    """The value of a column of this kind. Raises UsageError."""
    try:
        match kind:
            case "int":
                return int(value)
            case "float":
                return float(value)
            case "bool":
                return _BOOLEANS[value.lower()]
            case str() if kind == MOMENT:
                return moments.seconds(value)
    except (ValueError, KeyError, OverflowError):
        forms = {"bool": "yes or no", MOMENT: moments.EXAMPLES}
        raise UsageError(f"--where {text!r}: {value!r} is not {forms.get(kind, 'a number')}") from None
    return value
