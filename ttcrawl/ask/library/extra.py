"""pandas and pyarrow, which are an extra."""

from __future__ import annotations

from types import ModuleType

from ttcrawl.errors import UsageError


def frame_libraries() -> tuple[ModuleType, ModuleType]:
    """(pandas, pyarrow). Raises UsageError where one is missing."""
    try:
        import pandas
        import pyarrow
    except ImportError as error:
        raise UsageError(
            f"{error.name} is missing: frames need pip install 'ttcrawl[frames]'; the iterators (iter_pages and so on)"
            " give the same rows without"
        ) from error
    return pandas, pyarrow
