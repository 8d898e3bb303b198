"""Import the functions that [hooks] names."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any

NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


class HookError(Exception):
    """A hook cannot be used; the message is one line with the key and the remedy."""


def add_directories(path: str) -> None:
    """Let modules be imported from these directories first."""
    sys.path[:0] = [each for each in path.split(os.pathsep) if each and each not in sys.path]


def function_of(key: str, text: str) -> Callable[..., Any] | None:
    """Return the function that a key names; None: it names none. Raises HookError."""
    if not text:
        return None
    where = f"[hooks] {key} = {text}"
    if not NAME.fullmatch(text):
        raise HookError(f"{where}: write MODULE:FUNCTION, such as recipes:{key}")
    module, _, name = text.partition(":")
    try:
        function: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            raise HookError(f"{where}: there is no module {error.name} in {_directories()}: set [hooks] path") from None
        raise HookError(f"{where}: {_raised(error)}") from None
    except (Exception, SystemExit) as error:
        raise HookError(f"{where}: {_raised(error)}") from None
    for part in name.split("."):
        function = getattr(function, part, None)
    if not callable(function):
        raise HookError(f"{where}: {module} ({sys.modules[module].__file__}) has no function {name}")
    return function  # type: ignore[no-any-return]


def position(error: BaseException) -> str:
    """Return an error in one line, with file and line of its last frame.

    >>> position(ValueError("no price"))
    'ValueError: no price'
    """
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    try:
        words = " ".join(str(error).split())[:200]
    except Exception:
        words = ""
    return f"{type(error).__name__}{f': {words}' if words else ''}{where}"


def _directories() -> str:
    return next(iter(sys.path), "") or os.getcwd()


def _raised(error: BaseException) -> str:
    return f"its import fails: {position(error)}"
