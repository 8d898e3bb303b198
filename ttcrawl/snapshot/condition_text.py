"""The grammar of `--where`, and the syntax tree of a text.

    any       = all { "OR" all }
    all       = one { "AND" one }
    one       = "(" any ")" | COLUMN SIGN value { "," value }
    value     = '"' characters, '""' for '"' '"' | characters
    SIGN      = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~"

A value without quotation marks ends before a comma, before OR and AND between spaces, and before a parenthesis that
closes none of its own; spaces around it are no part of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from ttcrawl.errors import UsageError

#: Parentheses inside of each other.
MOST_NESTED = 20

SIGNS = ("!=", "<=", ">=", "!~", "=", "<", ">", "~")

FORM = "write COLUMN=VALUE, or !=, <, <=, >, >=, ~ (a pattern with *), !~ (not this pattern)"

_TEST = re.compile(rf"\s*(\w+)\s*({'|'.join(map(re.escape, SIGNS))})\s*")
_WORD = re.compile(r"\s*(OR|AND)(?=[\s(]|$)")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"\s*')
_END = re.compile(r"[,()]|\s+(?:OR|AND)(?=[\s(]|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    text: str
    position: int  # in the text of the condition, from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    column: Value
    sign: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class All:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Any:
    parts: tuple[Node, ...]


Node: TypeAlias = Comparison | All | Any


def wrong(text: str, position: int, message: str) -> UsageError:
    """The error at a position of a text, from 1."""
    return UsageError(f"--where {text!r}, position {position}: {message}")


def parse(text: str) -> Node:
    """Return the syntax tree. Raises UsageError.

    >>> parse("status=200,404 OR depth<2").parts[0].values[1].text
    '404'
    """
    parser = _Parser(text)
    node = parser.any_of()
    if parser.rest().strip():
        raise parser.wrong(f"{parser.rest().strip()!r} is one too many: join conditions by OR or AND")
    return node


def values_of(column: str, text: str) -> tuple[str, ...]:
    """The values of `column=text`, each once. Raises UsageError if the text is more than values.

    >>> values_of("reason", 'dns,"a, b"')
    ('dns', 'a, b')
    """
    node = parse(f"{column}={text}")
    if not isinstance(node, Comparison):
        raise UsageError(f"{column}={text}: write values, with commas between them, or in quotation marks")
    return tuple(dict.fromkeys(value.text for value in node.values))


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._position, self._open = 0, 0

    def rest(self) -> str:
        return self._text[self._position :]

    def wrong(self, message: str) -> UsageError:
        blanks = len(self.rest()) - len(self.rest().lstrip())
        return wrong(self._text, self._position + blanks + 1, message)

    def any_of(self) -> Node:
        parts = [self._all_of()]
        while self._took("OR"):
            parts.append(self._all_of())
        return parts[0] if len(parts) == 1 else Any(tuple(parts))

    def _all_of(self) -> Node:
        parts = [self._one()]
        while self._took("AND"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _took(self, word: str) -> bool:
        match = _WORD.match(self._text, self._position)
        if match is None or match[1] != word:
            return False
        self._position = match.end()
        return True

    def _one(self) -> Node:
        if not self.rest().lstrip().startswith("("):
            return self._comparison()
        if self._open == MOST_NESTED:
            raise self.wrong(f"more than {MOST_NESTED} parentheses inside of each other")
        self._position = self._text.index("(", self._position) + 1
        self._open += 1
        node = self.any_of()
        if not self.rest().lstrip().startswith(")"):
            raise self.wrong("a parenthesis is not closed: write )")
        self._position = self._text.index(")", self._position) + 1
        self._open -= 1
        return node

    def _comparison(self) -> Comparison:
        match = _TEST.match(self._text, self._position)
        if match is None:
            missing = repr(self.rest().strip()) if self.rest().strip() else "the end"
            raise self.wrong(f"{missing} is not a condition: {FORM}")
        self._position = match.end()
        values = [self._value()]
        while self.rest().startswith(","):
            self._position += 1
            values.append(self._value())
        if len(values) > 1 and match[2][0] in "<>":
            raise wrong(self._text, values[1].position, f"{match[2]} takes one value")
        column = Value(text=match[1], position=match.start(1) + 1)
        return Comparison(column=column, sign=match[2], values=tuple(values))

    def _value(self) -> Value:
        self._position += len(self.rest()) - len(self.rest().lstrip())
        begin = self._position
        quoted = _QUOTED.match(self._text, begin)
        if quoted is not None:
            self._position = quoted.end()
            return Value(text=quoted[1].replace('""', '"'), position=begin + 1)
        if self._text.startswith('"', begin):
            raise self.wrong('a quotation mark is not closed: write " behind the value')
        self._position = self._end(begin)
        return Value(text=self._text[begin : self._position].strip(), position=begin + 1)

    def _end(self, begin: int) -> int:
        """Where a value without quotation marks ends."""
        own = 0  # parentheses of the value that are open
        for match in _END.finditer(self._text, begin):
            mark = match[0]
            if mark == "(":
                own += 1
            elif mark == ")" and own:
                own -= 1
            elif mark != ")" or self._open:
                return match.start()
        return len(self._text)
