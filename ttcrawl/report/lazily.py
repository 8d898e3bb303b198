"""Records whose fields are computed at their first use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, fields
from typing import Any, TypeAlias, TypeVar, cast

T = TypeVar("T")
Compute: TypeAlias = Callable[["Field[Any]"], object]


class _Lazy:
    def __init__(self, kind: type[Any], compute: Compute) -> None:
        self._kind = kind
        self._compute = compute

    def __getattr__(self, name: str) -> object:
        """Called for what is not there yet."""
        for each in fields(self._kind) if not name.startswith("_") else ():
            if each.name == name:
                value = self.__dict__[name] = self._compute(each)
                return value
        raise AttributeError(name)


def lazily(kind: type[T], compute: Compute) -> T:
    """What reads like a dataclass of this kind: `compute` is called with each field at its first use."""
    return cast(T, _Lazy(kind, compute))


def complete(value: T) -> T:
    """The record itself, with all its fields; any other value is returned as it is."""
    if not isinstance(value, _Lazy):
        return value
    kind = value._kind
    return cast(T, kind(**{each.name: complete(getattr(value, each.name)) for each in fields(kind)}))
