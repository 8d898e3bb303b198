"""The file that a trained model is written to."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.store.regular import must_not_be_kept, replace_named
from ttcrawl.topic.model import Model, packed


def must_be_writable(path: Path) -> None:
    """Raises UsageError, before a model is trained, for what is no file, in no directory, or a part of a crawl."""
    must_not_be_kept(path)
    if (path.exists() and not path.is_file()) or not path.parent.is_dir():
        raise UsageError(f"{path} cannot be written: name a file in a directory that exists with -o")


def write(path: Path, model: Model) -> None:
    replace_named(path, packed(model))
