"""Import the functions that [hooks] names."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")

#: Directories of code that is not the user's: the error of a hook is named by a line of the hook.
_LIBRARIES = ("site-packages", "dist-packages")
_STANDARD, _OURS = os.path.dirname(os.__file__), f"{Path(__file__).parents[2]}{os.sep}"


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
    return _member(where, _imported(where, module, partial(import_module, module)), name)


def function_of_file(text: str) -> Callable[..., Any]:
    """Return a function that FILE.py:FUNCTION, or MODULE:FUNCTION, names. Raises HookError."""
    file, _, name = text.rpartition(":")
    load = partial(_import_file, Path(file)) if file.endswith(".py") else partial(import_module, file)
    return _member(text, _imported(text, file, load), name)


def _imported(where: str, module: str, load: Callable[[], ModuleType]) -> ModuleType:
    """What `load` imports. Raises HookError with the cause and the remedy."""
    try:
        return load()
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            raise HookError(f"{where}: there is no module {error.name} in {_directories()}: set [hooks] path") from None
        raise HookError(f"{where}: {_raised(error)}") from None
    except HookError as error:
        raise HookError(f"{where}: {error}") from None
    except (Exception, SystemExit) as error:
        raise HookError(f"{where}: {_raised(error)}") from None


def _import_file(path: Path) -> ModuleType:
    """Import a file under its own name, so that it finds its neighbours, and others find it."""
    name, file = path.stem, os.path.abspath(path)
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == file:
        return known
    if not path.is_file():
        raise HookError(f"there is no file {path}")
    if known is not None:  # of another module, such as one of the standard library
        name = f"extract_{name}"
    add_directories(os.path.dirname(file))
    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _member(where: str, module: ModuleType, name: str) -> Callable[..., Any]:
    """Raises HookError."""
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part, None)
    if not callable(function):
        raise HookError(f"{where}: {module.__name__} ({module.__file__}) has no function {name}")
    return function  # type: ignore[no-any-return]


def position(error: BaseException) -> str:
    """Return an error in one line, with file and line: the last one that is in no library.

    >>> position(ValueError("no price"))
    'ValueError: no price'
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if not _is_library(each.filename)] or frames
    where = f" ({os.path.basename(own[-1].filename)}, line {own[-1].lineno})" if own else ""
    try:
        words = " ".join(str(error).split())[:200]
    except Exception:
        words = ""
    return f"{type(error).__name__}{f': {words}' if words else ''}{where}"


def _is_library(file: str) -> bool:
    parts = Path(file).parts
    return file.startswith((_STANDARD, _OURS, "<")) or any(each in parts for each in _LIBRARIES)


def _directories() -> str:
    return next(iter(sys.path), "") or os.getcwd()


def _raised(error: BaseException) -> str:
    return f"its import fails: {position(error)}"
