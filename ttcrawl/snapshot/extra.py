"""pandas and pyarrow, which are optional."""

from __future__ import annotations

from types import ModuleType

from ttcrawl.errors import require


def frame_libraries() -> tuple[ModuleType, ModuleType]:
    """(pandas, pyarrow). Raises UsageError if one is missing."""
    require("pandas", "pyarrow", otherwise="; the iterators (iter_pages and so on) give the same rows without")
    import pandas
    import pyarrow

    return pandas, pyarrow
