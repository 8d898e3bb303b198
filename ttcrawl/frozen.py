"""Dataclasses that are defined quickly: a crawl defines sixty when it starts."""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, NoReturn, TypeVar, dataclass_transform

C = TypeVar("C")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def frozen(cls: type[C]) -> type[C]:
    """Make a class what `dataclass(frozen=True, slots=True, kw_only=True)` makes it, in a tenth of the time: 0.1 ms.

    Its methods are those of all such classes, so Python compiles none. Instances take longer to create.
    """
    return _with_methods(dataclass(slots=True, kw_only=True, init=False, repr=False, eq=False)(cls))


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def frozen_base(cls: type[C]) -> type[C]:
    """The same without slots: a class may have several of these as bases."""
    return _with_methods(dataclass(kw_only=True, init=False, repr=False, eq=False)(cls))


def _with_methods(cls: type[C]) -> type[C]:
    for name, method in _METHODS.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)
    return cls


def _create(self: Any, **values: Any) -> None:
    for each in fields(self):
        if each.name in values:
            value = values.pop(each.name)
        elif each.default is not MISSING:
            value = each.default
        elif each.default_factory is not MISSING:
            value = each.default_factory()
        else:
            raise TypeError(f"{type(self).__name__} needs {each.name!r}")
        object.__setattr__(self, each.name, value)
    if values:
        raise TypeError(f"{type(self).__name__} has no {', '.join(map(repr, values))}")


def _show(self: Any) -> str:
    shown = [f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _equals(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    names = [each.name for each in fields(self) if each.compare]
    return [getattr(self, name) for name in names] == [getattr(other, name) for name in names]


def _hash(self: Any) -> int:
    hashed = (each for each in fields(self) if (each.compare if each.hash is None else each.hash))
    return hash(tuple(getattr(self, each.name) for each in hashed))


def _refuse_value(self: Any, name: str, value: Any) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(self: Any, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


_METHODS = {
    "__init__": _create,
    "__repr__": _show,
    "__eq__": _equals,
    "__hash__": _hash,
    "__setattr__": _refuse_value,
    "__delattr__": _refuse_deletion,
    "__getstate__": _state,
    "__setstate__": _restore,
}
