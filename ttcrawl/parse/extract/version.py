"""The version of a function: a digest of its file and of those beside it that it has imported.

Comments and layout do not count. What a function reads from elsewhere does not either.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import xxhash

_OURS = Path(__file__).parents[2]


def version_of(function: Callable[..., Any]) -> str:
    """Call it when the module of the function has just been imported."""
    module = sys.modules[function.__module__]
    digest = xxhash.xxh3_128(function.__qualname__.encode())
    for path in _files(Path(str(module.__file__)).parent):
        digest.update(f"\0{path.name}\0{_code(path)}".encode(errors="surrogatepass"))
    return digest.hexdigest()


def _files(directory: Path) -> list[Path]:
    """The files of imported modules below a directory, libraries left out."""
    paths = {Path(file) for each in list(sys.modules.values()) if (file := getattr(each, "__file__", None))}
    own = [each for each in paths if each.suffix == ".py" and each.is_relative_to(directory)]
    return sorted(each for each in own if not (each.is_relative_to(_OURS) or "site-packages" in each.parts))


def _code(path: Path) -> str:
    try:
        return ast.dump(ast.parse(path.read_bytes()))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return "unreadable"
