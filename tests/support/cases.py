"""Cases of which a few show the promise in `make test`, and all of them in `make test-slow`."""

from collections.abc import Iterable
from typing import Any

import pytest


def some_fast(cases: Iterable[Any], *fast: Any) -> list[Any]:
    """The cases as parameters of a test; those that are not `fast` are marked slow."""
    return [each if each in fast else pytest.param(each, marks=pytest.mark.slow) for each in cases]


def one_in(number: int, cases: Iterable[Any], marked: Any = pytest.mark.slow) -> list[Any]:
    """The cases as parameters of a test, tuples for several; all but each `number`-th are marked slow, or as said."""
    rows = [each if isinstance(each, tuple) else (each,) for each in cases]
    marks = [() if index % number == 0 else marked for index in range(len(rows))]
    return [pytest.param(*row, marks=each) for row, each in zip(rows, marks, strict=True)]
