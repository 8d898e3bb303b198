"""The files of [topic] when a crawl begins or continues: read, checked and copied into its directory."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ttcrawl.config import Topic
from ttcrawl.output.display import tell
from ttcrawl.store.regular import must_be_own, replace_file
from ttcrawl.store.staged import File
from ttcrawl.topic.files import DIRECTORY, NAMES, assessor_of, copied, copies
from ttcrawl.topic.url_list import list_bytes


def checked_copies(settings: Topic) -> dict[str, bytes]:
    """Return the copies for a new crawl: name -> contents. Tell what a user should know. Raises UsageError."""
    _check(settings)
    return copies(settings)


def changed_copies(settings: Topic, overridden: Collection[str], directory: Path) -> dict[str, bytes]:
    """Return the copies that a crawl lacks when it continues, and copies of files in `overridden` keys (topic.KEY).

    The other copies stay as they are, whatever has become of the files. Raises UsageError.
    """
    present = copied(settings, directory)
    new: dict[str, Any] = {
        key: getattr(settings, key) if f"topic.{key}" in overridden or not _exists(present, key) else ""
        for key in NAMES
    }
    _check(replace(present, **{key: path for key, path in new.items() if path}))
    return copies(replace(settings, **new))


def write_copies(directory: Path, files: Mapping[str, bytes]) -> None:
    """Write copies into the directory of a new crawl."""
    for name, file in own_copies(directory, files).items():
        replace_file(directory / name, file.data, sync=True)


def own_copies(directory: Path, files: Mapping[str, bytes]) -> dict[str, File]:
    """Return copies by their names in the directory of a crawl, and make theirs. Raises UsageError for a link there."""
    if files:
        must_be_own(directory / DIRECTORY, directory=True)
        (directory / DIRECTORY).mkdir(exist_ok=True)
    return {f"{DIRECTORY}/{name}": File(data=data) for name, data in files.items()}


def held_back_list(settings: Topic, files: Mapping[str, bytes], directory: Path) -> bytes:
    """Return the list of held-back URLs: among the new copies, or the crawl's own. Raises UsageError."""
    if not settings.held_back:
        return b""
    name = NAMES["held_back"]
    return files[name] if name in files else list_bytes(directory / DIRECTORY / name)


def _exists(present: Topic, key: str) -> bool:
    path: str = getattr(present, key)
    return not path or Path(path).exists()


def _check(settings: Topic) -> None:
    _, remarks = assessor_of(settings)
    for line in remarks:
        tell(line)
