"""A key of config.ini: a field of a dataclass with its default, its meaning and its permitted values."""

from __future__ import annotations

from dataclasses import Field, field, fields
from typing import Any


def key(
    default: Any,
    meaning: str,
    *,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float = 1e12,
    size: bool = False,
    listed: bool = False,
) -> Any:
    """Define a key. `size`: bytes, also as 1k, 1m or 1g; `listed`: a list of names, which can be changed by +NAME and
    -NAME."""
    permitted = {"choices": choices, "low": low, "high": high, "size": size, "listed": listed}
    return field(default=default, metadata={"meaning": meaning, **permitted})


def keys(section: Any) -> tuple[Field[Any], ...]:
    """Return the keys of a section, which is a class or an instance."""
    return tuple(each for each in fields(section) if each.metadata)
