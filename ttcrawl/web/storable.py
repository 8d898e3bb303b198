"""Dataclasses whose texts and numbers a database takes, whatever they are made of.

Python has values that SQLite (and PostgreSQL, JSON, UTF-8) has not: texts with halves of surrogate pairs, integers of
more than 64 bits, NaN. Escapes in scripts, numbers in documents and headers bring them along. They are mended where a
message is made, which is in the worker that read them, so the crawl process, which stores, never sees one.
"""

from __future__ import annotations

import math
import operator
import struct
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")
Mend = Callable[[Any], Any]

#: The range of integers in SQLite.
LEAST, LARGEST = -(1 << 63), (1 << 63) - 1


def text(value: str) -> str:
    r"""As UTF-8 can carry it, without NUL, which ends a text for C: U+FFFD stands for what cannot be.

    >>> text("a\ud83dz \ud83d\ude00 \0")
    'a�z 😀 �'
    """
    if "\0" in value:
        value = value.replace("\0", "\ufffd")
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:  # a pair becomes the character that it stands for
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return value


def integer(value: int) -> int:
    """Of 64 bits: what is beyond becomes the last one there is. Raises TypeError where it is none.

    >>> integer(99999999999999999999)
    9223372036854775807
    """
    return max(LEAST, min(LARGEST, operator.index(value)))


def real(value: float) -> float:
    """A number: NaN becomes 0, infinity the largest there is. Raises TypeError where it is none.

    >>> real(float("nan")), real(float("-inf"))
    (0.0, -1.7976931348623157e+308)
    """
    if math.isnan(value):
        return 0.0
    return max(-sys.float_info.max, min(sys.float_info.max, value))


def storable(cls: type[T]) -> type[T]:
    """A decorator of a class, to stand under that which makes it a frozen dataclass."""
    mend: Callable[[Any], None] | None = None

    def __post_init__(self: Any) -> None:
        nonlocal mend
        if mend is None:  # the types of its fields may be named before they are there
            mend = _mend(type(self))
        mend(self)

    cls.__post_init__ = __post_init__  # type: ignore[attr-defined]
    return cls


def _mend(cls: type[Any]) -> Callable[[Any], None]:
    """What mends an instance. Texts and integers, of which there are most, are looked at all at once."""
    kinds = {name: _plain(kind) for name, kind in get_type_hints(cls).items()}
    mends = {field.name: each for field in fields(cls) if (each := _of(kinds[field.name]))}
    texts = [name for name in mends if kinds[name] is str]
    integers = [name for name in mends if kinds[name] is int]
    rest = {name: each for name, each in mends.items() if kinds[name] not in (str, int)}
    texts_of, integers_of, fit = _getter(texts), _getter(integers), struct.Struct(f"{len(integers)}q").pack

    def mend(self: Any) -> None:
        joined = "".join(texts_of(self))
        sound = joined.isascii() and "\0" not in joined
        try:
            fit(*integers_of(self))
        except struct.error:
            sound = False
        for name, of_one in (rest if sound else mends).items():
            before = getattr(self, name)
            after = of_one(before)
            if after is not before:
                object.__setattr__(self, name, after)

    return mend


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _plain(kind: Any) -> Any:
    """The type of which a NewType is one."""
    return getattr(kind, "__supertype__", kind)


def _of(kind: Any) -> Mend | None:
    """What mends a value of a type; None: there is nothing to mend. Raises TypeError for a type that nobody knows."""
    kind = _plain(kind)
    if kind in _MENDS:
        return _MENDS[kind]
    if is_dataclass(kind) or kind in (bool, bytes, NoneType):
        return None
    if isinstance(kind, UnionType):
        mends = {mend for each in get_args(kind) if (mend := _of(each))}
        if len(mends) <= 1:
            return _optional(mends.pop()) if mends else None
    if get_origin(kind) is tuple:
        parts = {_of(each) for each in get_args(kind) if each is not ...}
        if len(parts) == 1:
            return _each(part) if (part := parts.pop()) else None
    raise TypeError(f"nobody knows how to store {kind}")


def _optional(mend: Mend) -> Mend:
    return lambda value: None if value is None else mend(value)


_EACH: dict[Mend, Mend] = {}


def _each(mend: Mend) -> Mend:
    """Of all parts of a tuple; the same one for the same parts."""

    def mended(value: tuple[Any, ...]) -> tuple[Any, ...]:
        after = tuple(map(mend, value))
        return value if after == value else after

    return _EACH.setdefault(mend, mended)


_MENDS: dict[Any, Mend] = {str: text, int: integer, float: real}
