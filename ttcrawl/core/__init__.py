"""The compiled core, or why there is none. Then Python does the same work, with the same results.

The environment variable TTCRAWL_READER chooses between them, for tests and doubters: `python`, or `compiled`. It is
no key of config.ini, because it decides the speed and never the result.
"""

from __future__ import annotations

import os
from pathlib import Path

from ttcrawl import __version__
from ttcrawl.core.checksum import checksum
from ttcrawl.errors import UsageError
from ttcrawl.vocabulary.reader import COMPILED, PYTHON

__all__ = ["check_reader", "native", "reader", "why_python"]

VARIABLE = "TTCRAWL_READER"

#: Why Python reads the pages; "" if the core does.
why_python = ""
try:
    if os.environ.get(VARIABLE) == PYTHON:
        raise ImportError(f"{VARIABLE}={PYTHON}")
    import ttcrawl.core.native as native

    # A module of other sources would lack functions, or give other results than Python.
    if f"{__version__} {checksum(Path(__file__).parent)}" != native.VERSION:
        raise ImportError("compiled from other sources: make venv or pip install compiles it again")
except (ImportError, OSError) as error:
    native = None  # type: ignore[assignment]
    why_python = "not compiled" if isinstance(error, ModuleNotFoundError) else str(error)


def reader() -> str:
    """Who reads pages: `compiled`, or `Python` and why."""
    return COMPILED if native is not None else f"Python ({why_python})"


def check_reader() -> None:
    """Raise UsageError if TTCRAWL_READER names no reader, or one that does not exist here."""
    name = os.environ.get(VARIABLE, "")
    if name not in ("", PYTHON, COMPILED):
        raise UsageError(f"{VARIABLE}={name}: the readers are {PYTHON} and {COMPILED}")
    if name == COMPILED and native is None:
        raise UsageError(f"{VARIABLE}={name}: {why_python}; install a compiler for C++20, then ttcrawl again")
