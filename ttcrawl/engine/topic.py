"""The files of [topic] when a crawl begins or continues: read, checked and copied into its directory."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ttcrawl.config import Topic
from ttcrawl.engine.progress import tell
from ttcrawl.engine.requisites import for_each_source
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.store.regular import replace_file
from ttcrawl.store.seam import Store
from ttcrawl.topic.files import DIRECTORY, NAMES, assessor_of, copied, copies
from ttcrawl.topic.url_list import list_bytes

#: What [topic] tunnel = -1 stands for.
NO_LIMIT = 1 << 30


def checked(settings: Topic) -> dict[str, bytes]:
    """Return the copies for a new crawl: name -> contents. Tell what a user should know. Raises UsageError."""
    _check(settings)
    return copies(settings)


def changed(settings: Topic, overridden: Collection[str], directory: Path) -> dict[str, bytes]:
    """Return the copies that a crawl lacks when it continues, and those of files in `overridden` keys (topic.KEY).

    The other copies stay as they are, whatever has become of the files. Raises UsageError.
    """
    present = copied(settings, directory)
    new: dict[str, Any] = {
        key: getattr(settings, key) if f"topic.{key}" in overridden or not _exists(present, key) else ""
        for key in NAMES
    }
    _check(replace(present, **{key: path for key, path in new.items() if path}))
    return copies(replace(settings, **new))


def write(directory: Path, files: Mapping[str, bytes]) -> None:
    """Write copies into the directory of a crawl."""
    if files:
        (directory / DIRECTORY).mkdir(exist_ok=True)
    for name, data in files.items():
        replace_file(directory / DIRECTORY / name, data, sync=True)


def take_up(store: Store, ledger: Ledger, settings: Topic) -> None:
    """Follow earlier links if the crawl follows more than before, and note which links it follows.

    If this is interrupted, the next run does it again: a URL that is queued already does not change.
    """
    about, tunnel = store.about(), settings.tunnel if settings.on and settings.tunnel >= 0 else NO_LIMIT
    before = int(about.get("tunnel", NO_LIMIT))
    if tunnel > before:
        for_each_source(store, ledger.spread)
    if tunnel != before:
        store.set(tunnel=tunnel)
    if settings.on:
        store.set(topical="yes")
    if settings.on and settings.irrelevant == "count":
        store.set(only_counted="yes")


def held_back(settings: Topic, files: Mapping[str, bytes], directory: Path) -> bytes:
    """Return the list of held-back URLs: among the new copies, or that of the crawl. Raises UsageError."""
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
