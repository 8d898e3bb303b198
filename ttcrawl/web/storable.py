"""Plain data whose texts and numbers fit into any message and database.

Python has values that SQLite (and PostgreSQL, JSON, UTF-8, MessagePack) lacks: texts with lone surrogates, integers of
more than 64 bits, NaN, subclasses of these types. They come from escapes in scripts, and from numbers in documents and
headers. They are corrected when a message is created, in the worker that parsed them, so the crawl process, which
stores data, never sees one.
"""

from __future__ import annotations

import math
import operator
import struct
import sys
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import structs

Mend = Callable[[Any], Any]

#: The range of integers in SQLite.
LEAST, LARGEST = -(1 << 63), (1 << 63) - 1

#: The largest float.
_MOST = sys.float_info.max


def text(value: str) -> str:
    r"""Text that UTF-8 can encode, without NUL, which ends a text in C: U+FFFD replaces invalid characters.

    >>> text("a\ud83dz \ud83d\ude00 \0")
    'a�z 😀 �'
    """
    if type(value) is not str:
        value = str.__str__(value)
    if is_sound(value):
        return value
    # a surrogate pair becomes its character
    return value.replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def is_sound(value: str) -> bool:
    """Whether UTF-8 can encode a text, and it has no NUL."""
    if "\0" in value:
        return False
    try:
        return value.isascii() or bool(value.encode())
    except UnicodeEncodeError:
        return False


def integer(value: int) -> int:
    """An integer of 64 bits: values out of range become the nearest bound. Raises TypeError if it is not an integer.

    >>> integer(99999999999999999999)
    9223372036854775807
    """
    return int(max(LEAST, min(LARGEST, operator.index(value))))


def real(value: float) -> float:
    """A number: NaN becomes 0, infinity the largest float. Raises TypeError if it is not a number.

    >>> real(float("nan")), real(float("-inf"))
    (0.0, -1.7976931348623157e+308)
    """
    if type(value) is float and -_MOST <= value <= _MOST:
        return value
    if math.isnan(value):
        return 0.0
    return float(max(-_MOST, min(_MOST, value)))


_create = msgspec.StructMeta.__call__


class _Mending(msgspec.StructMeta):
    def __call__(cls, **values: Any) -> Any:
        instance = _create(cls, **values)
        _mend(cls)(instance)
        return instance

    #: Creates an instance of values that are sound, and corrects nothing.
    sound = _create


class Storable(
    msgspec.Struct, metaclass=_Mending, frozen=True, array_like=True, tag=True, tag_field="struct", gc=False
):
    """Created with keyword arguments. Values are corrected on creation; values decoded by msgspec were corrected
    earlier. `sound` creates one of values that need no correction, in a third of the time.

    What is frozen leads to nothing that is newer, so the garbage collector need not look for circles."""


class Work(msgspec.Struct, frozen=True, array_like=True, tag=True, tag_field="struct", gc=False):
    """A message to a worker. Nothing in it is corrected: its values come from other messages, or from the database."""


S = TypeVar("S", bound=Storable)


def replace(instance: S, **values: Any) -> S:
    """A copy with other values, corrected as well."""
    copy = structs.replace(instance, **values)
    _mend(type(copy))(copy)
    return copy


@cache
def _mend(cls: type[Any]) -> Callable[[Any], None]:
    """The function that corrects an instance; created late, when the types of its fields are defined.

    Texts and integers, the most frequent types, are checked all at once.
    """
    kinds = {name: _plain(kind) for name, kind in get_type_hints(cls).items()}
    mends = {field.name: each for field in structs.fields(cls) if (each := _of(kinds[field.name]))}
    if not mends:
        return _sound_already
    texts = [name for name in mends if kinds[name] is str]
    integers = [name for name in mends if kinds[name] is int]
    groups = [(attrgetter(name), each) for name in mends if (each := _texts_in(kinds[name]))]
    rest = {name: each for name, each in mends.items() if kinds[name] not in (str, int) and not _texts_in(kinds[name])}
    texts_of, integers_of, fit = _getter(texts), _getter(integers), struct.Struct(f"{len(integers)}q").pack

    def mend(self: Any) -> None:
        these = texts_of(self)
        for group, texts_in in groups:
            these += tuple(texts_in(group(self)))
        sound = {*map(type, these)} <= _TEXT and is_sound("".join(these))
        if integers:
            those = integers_of(self)
            sound = sound and {*map(type, those)} == _INTEGER
            try:
                fit(*those)
            except struct.error:
                sound = False
        for name, mend_one in (rest if sound else mends).items():
            before = getattr(self, name)
            after = mend_one(before)
            if after is not before:
                structs.force_setattr(self, name, after)

    return mend


def _sound_already(_: Any) -> None:
    """Its fields were corrected when they were created."""


def _texts_in(kind: Any) -> Callable[[Any], Iterable[str]] | None:
    """The function that returns the texts in a tuple of this type, or in its tuples; None: it has others."""
    items = {_plain(each) for each in get_args(kind) if each is not ...} if get_origin(kind) is tuple else set()
    if items == {str}:
        return iter
    return chain.from_iterable if len(items) == 1 and _texts_in(*items) is iter else None


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda self: ()
    only = attrgetter(*names)
    return lambda self: (only(self),)


def _plain(kind: Any) -> Any:
    """The base type of a NewType."""
    return getattr(kind, "__supertype__", kind)


def _of(kind: Any) -> Mend | None:
    """The function that corrects a value of this type; None: no correction is needed. Raises TypeError for an unknown
    type."""
    kind = _plain(kind)
    if kind in _MENDS:
        return _MENDS[kind]
    if isinstance(kind, _Mending) or kind in (bool, bytes, NoneType):
        return None
    if isinstance(kind, UnionType):
        mends = {mend for each in get_args(kind) if (mend := _of(each))}
        if len(mends) <= 1:
            return _optional(mends.pop()) if mends else None
    if get_origin(kind) is tuple:
        item_mends = {_of(each) for each in get_args(kind) if each is not ...}
        if len(item_mends) == 1:
            return _each(item_mend) if (item_mend := item_mends.pop()) else None
    raise TypeError(f"nobody knows how to store {kind}")


def _optional(mend: Mend) -> Mend:
    return lambda value: None if value is None else mend(value)


_EACH: dict[Mend, Mend] = {}


def _each(mend: Mend) -> Mend:
    """Correct all items of a tuple; cached, so that equal item types give the same function."""

    def mended(value: tuple[Any, ...]) -> tuple[Any, ...]:
        after = tuple(map(mend, value))
        return value if all(map(operator.is_, after, value)) else after

    return _EACH.setdefault(mend, mended)


_MENDS: dict[Any, Mend] = {str: text, int: integer, float: real}
_TEXT, _INTEGER = {str}, {int}
