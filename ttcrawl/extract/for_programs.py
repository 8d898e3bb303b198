"""`Crawl.extract`: items for a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from multiprocessing import current_process
from typing import Any

from ttcrawl.config import Config, Line, Lines
from ttcrawl.engine.reporting.hooks import must_not_be_a_hook, settings_of
from ttcrawl.errors import UsageError
from ttcrawl.extract.items import ItemsFile
from ttcrawl.extract.run import Selection, configured, extract, items
from ttcrawl.output.display import tell
from ttcrawl.output.steps import silent
from ttcrawl.ring import fork_server
from ttcrawl.snapshot.json_columns import parse
from ttcrawl.snapshot.snapshot import View

#: A function in a file, its name as FILE.py:FUNCTION, or a line of [hooks] extract; or several lines of one kind.
What = Callable[..., Any] | str | Iterable[str]


def selection(where: str | Iterable[str], *, all_captures: bool, again: bool) -> Selection:
    """Which answers."""
    conditions = [where] if isinstance(where, str) else list(where)
    return Selection(conditions=conditions, every=all_captures, again=again)


def extracted(db: View, what: What, pages: Selection, settings: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """The items of one extractor. Raises UsageError, CrawlFailedError, and KeyboardInterrupt after Ctrl-C."""
    must_not_be_a_hook(current_process().name)
    config = _configured(db.config.changed(settings), what)
    names = [each.name for each in config.hooks.extractors]
    if len(names) > 1:
        raise UsageError(f"{' and '.join(names)} have each their own columns: call extract for each")
    fork_server.prepare(fetch_first=False)
    with ItemsFile(db.directory) as file:
        result = extract(db, file, config, pages, silent, tell)
        if result.stopped_by:
            raise KeyboardInterrupt("call extract again to continue")
        for url, time, position, text in items(db, file, result.versions[0], pages):
            about = {"page_url": url, "page_time": datetime.fromtimestamp(time, UTC), "item": position}
            fields = parse(text)
            yield about | (fields if isinstance(fields, dict) else {}) | about


def _configured(config: Config, what: What) -> Config:
    if callable(what):
        keys = settings_of({"extract": what})
        config = replace(config, hooks=replace(config.hooks, path=str(keys["hooks.path"])))
        what = str(keys["hooks.extract"])
    lines = [what] if isinstance(what, str) else list(what)
    return configured(config, Lines(Line(text=line) for line in lines))
