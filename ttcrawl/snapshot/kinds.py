"""The kinds of the columns of a row."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints


def kinds(row: type[Any]) -> dict[str, tuple[str, bool]]:
    """Field -> (kind: moment, category, int, bool, float or str; whether the value may be missing)."""
    of_column = {}
    for name, hint in get_type_hints(row, include_extras=True).items():
        optional = get_origin(hint) is UnionType or NoneType in get_args(hint)
        if optional:
            (hint,) = (each for each in get_args(hint) if each is not NoneType)
        kind = get_args(hint)[1] if get_origin(hint) is Annotated else hint.__name__
        of_column[name] = (kind, optional)
    return of_column
