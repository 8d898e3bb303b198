"""Cases of which a few show the promise in `make test`, and all of them in `make test-slow`."""

from collections.abc import Iterable
from typing import Any

import pytest


def some_fast(cases: Iterable[Any], *fast: Any) -> list[Any]:
    """The cases as parameters of a test; those that are not `fast` are marked slow."""
    return [each if each in fast else pytest.param(each, marks=pytest.mark.slow) for each in cases]
