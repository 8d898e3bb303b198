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
) -> Any:
    return field(
        default=default, metadata={"meaning": meaning, "choices": choices, "low": low, "high": high, "size": size}
    )


def keys(section: Any) -> tuple[Field[Any], ...]:
    """Return the keys of a section, which is a class or an instance."""
    return tuple(each for each in fields(section) if each.metadata)
