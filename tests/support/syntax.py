"""Syntax trees of the project's files, for tests of how it is written.

These tests run in one process (`make check`), so that each file is parsed once. The trees take 300 MB.
"""

from __future__ import annotations

import ast
import functools
import gc
from pathlib import Path


@functools.cache
def nodes_of(path: Path) -> list[ast.AST]:
    """All nodes of a file's syntax tree, the tree itself first."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        return list(ast.walk(ast.parse(path.read_text())))
    finally:
        gc.freeze()  # to look through all trees for garbage, again and again, would take most of the time
        if enabled:
            gc.enable()
