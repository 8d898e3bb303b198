"""The files of [topic] when a crawl begins or continues: read, checked and copied into its directory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ttcrawl.config import Config, Topic
from ttcrawl.engine.requisites import for_each_source
from ttcrawl.engine.topic.best_first import Progress, rescore, scorer_of_links
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.output.display import tell
from ttcrawl.store.regular import must_be_own, replace_file
from ttcrawl.store.sqlite import Store
from ttcrawl.store.staged import File
from ttcrawl.topic.files import DIRECTORY, NAMES, assessor_of, copied, copies
from ttcrawl.topic.url_list import list_bytes

#: What [topic] tunnel = -1 stands for.
NO_LIMIT = 1 << 30

#: In place of a tunnel, once pages have new scores: less than any, so earlier links are followed again.
FOLLOW_AGAIN = -1


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
    """Write copies into the directory of a new crawl."""
    for name, file in own_files(directory, files).items():
        replace_file(directory / name, file.data, sync=True)


def own_files(directory: Path, files: Mapping[str, bytes]) -> dict[str, File]:
    """Return copies by their names in the directory of a crawl, and make theirs. Raises UsageError for a link there."""
    if files:
        must_be_own(directory / DIRECTORY, directory=True)
        (directory / DIRECTORY).mkdir(exist_ok=True)
    return {f"{DIRECTORY}/{name}": File(data=data) for name, data in files.items()}


class TakeUp:
    """What changes when a crawl continues: scores, first the queue, then the links that are followed.

    If this is interrupted, the next run does it again: a URL that is queued already does not change.
    """

    def __init__(self, store: Store, ledger: Ledger, config: Config, step: Callable[[str], Progress]) -> None:
        """`step` returns the progress of a step with this name."""
        self._store = store
        self._ledger = ledger
        self._config = config
        self._step = step
        self._before = int(store.about().get("tunnel", NO_LIMIT))
        self._rescored = False

    def scores(self) -> None:
        """Put the queue in order, before it is in memory, if pages or links have other scores."""
        progress, scored_pages = self._step("scoring links"), self._before == FOLLOW_AGAIN
        self._rescored = rescore(self._store, self._ledger, self._config, progress, scored_pages=scored_pages)

    def links(self) -> None:
        """Follow earlier links if the crawl follows more than before, and note what holds now."""
        store, settings = self._store, self._config.topic
        tunnel = settings.tunnel if settings.on and settings.tunnel >= 0 else NO_LIMIT
        if tunnel > self._before or self._rescored:
            for_each_source(store, self._ledger.spread, self._step("following links"))
        if tunnel != self._before:
            store.set(tunnel=tunnel)
        if (links_scored_by := scorer_of_links(store, self._config)) != store.about().get("links_scored_by", ""):
            store.set(links_scored_by=links_scored_by)
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
