"""Which rows are meant by `--where`: ttcrawl/snapshot/condition_text.py has the grammar."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ttcrawl.errors import did_you_mean
from ttcrawl.output import moments
from ttcrawl.snapshot import condition_text
from ttcrawl.snapshot.condition_text import Comparison, Node, Value, parse, wrong
from ttcrawl.snapshot.kinds import kinds
from ttcrawl.snapshot.rows import CATEGORY, DATE, DATETIME, JSON, MOMENT

Condition: TypeAlias = Callable[[Any], bool]

#: Of columns with an order.
_ORDERS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}

#: Kinds of columns that have one value; lists of URLs are left out.
_KINDS = {"int", "float", "str", "bool", MOMENT, CATEGORY, JSON, DATE, DATETIME}

_BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def compile_conditions(texts: Sequence[str], row: type) -> Condition:
    """Return a function that is true for rows of this dataclass for which every condition holds.

    A missing value equals the empty text, and has no order. Raises UsageError.
    """
    columns = {name: kind for name, (kind, _) in kinds(row).items() if kind in _KINDS}
    conditions = [_Compiler(text, columns).compile(parse(text)) for text in texts]
    if not conditions:  # the usual case, for each of millions of rows
        return lambda row: True
    return _all(conditions)


def _all(parts: Sequence[Condition]) -> Condition:
    return parts[0] if len(parts) == 1 else lambda row: all(holds(row) for holds in parts)


class _Compiler:
    def __init__(self, text: str, columns: Mapping[str, str]) -> None:
        self._text, self._columns = text, columns

    def compile(self, node: Node) -> Condition:
        """Raises UsageError."""
        if isinstance(node, Comparison):
            return self._comparison(node)
        parts = [self.compile(each) for each in node.parts]
        if isinstance(node, condition_text.All):
            return _all(parts)
        return lambda row: any(holds(row) for holds in parts)

    def _comparison(self, node: Comparison) -> Condition:
        name, sign = node.column.text, node.sign
        if name not in self._columns:
            hint = f"{did_you_mean(name, self._columns)}; there are {', '.join(self._columns)}"
            raise wrong(self._text, node.column.position, f"there is no column {name}{hint}")
        get = operator.attrgetter(name)
        if sign in ("~", "!~"):
            patterns = "|".join(_pattern(each.text) for each in node.values)
            matches = re.compile(patterns, re.DOTALL).fullmatch
            return lambda row: (matches(_text(get(row))) is not None) == (sign == "~")
        if sign in _ORDERS:
            limit: Any = self._value(node.values[0], self._columns[name])
            compare = _ORDERS[sign]
            return lambda row: get(row) is not None and compare(get(row), limit)
        equal = [self._value(each, self._columns[name]) for each in node.values if each.text]
        if len(equal) < len(node.values):
            equal += [None, ""]
        return lambda row: (get(row) in equal) == (sign == "=")

    def _value(self, value: Value, kind: str) -> object:
        """The value of a column of this kind. Raises UsageError."""
        try:
            match kind:
                case "int":
                    return int(value.text)
                case "float":
                    return float(value.text)
                case "bool":
                    return _BOOLEANS[value.text.lower()]
                case str() if kind == MOMENT:
                    return moments.seconds(value.text)
        except (ValueError, KeyError, OverflowError):
            forms = {"bool": "yes or no", MOMENT: moments.EXAMPLES}
            message = f"{value.text!r} is not {forms.get(kind, 'a number')}"
            raise wrong(self._text, value.position, message) from None
        return value.text


def _pattern(text: str) -> str:
    """The regular expression of a text with *. It takes time linear in the length of a value: it never goes back to an
    earlier *, because the first occurrence of what follows leaves most for the rest.

    >>> _pattern("a*b*"), _pattern("a.b")
    ('a(?>.*?b).*', 'a\\\\.b')
    """
    first, *others = map(re.escape, text.split("*"))
    if not others:
        return first
    return first + "".join(f"(?>.*?{each})" for each in others[:-1] if each) + f".*{others[-1]}"


def _text(value: object) -> str:
    return "" if value is None else str(value)
