"""Syntax trees of the project's files, for tests of how it is written."""

from __future__ import annotations

import ast
import functools
import gc
from pathlib import Path


@functools.cache
def nodes_of(path: Path) -> list[ast.AST]:
    """All nodes of a file's syntax tree, the tree itself first."""
    enabled = gc.isenabled()
    gc.disable()  # it would look through all trees again and again: three quarters of the time
    try:
        return list(ast.walk(ast.parse(path.read_text())))
    finally:
        if enabled:
            gc.enable()
