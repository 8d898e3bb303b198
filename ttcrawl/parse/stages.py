"""The two stages of a page: what the crawl needs to go on, and what is read of it.

Usually both are done at once. If reading is put off, the first stage finds the links and archives the response; the
second stage reads the archived response. Both are the same code with a part of the configuration.
"""

from __future__ import annotations

from dataclasses import replace

from ttcrawl.config import Config, Hooks, Lines
from ttcrawl.parse.links.wanted import Wanted

LATER = "later"

#: Kinds of links in documents.
_IN_DOCUMENTS = frozenset(b"dT")


def first_stage(config: Config) -> Config:
    """The configuration of the first stage: without all that is only recorded, if reading is put off.

    Links of kinds that are only recorded belong to it: their URLs are rows of the ledger.
    """
    if config.record.reading != LATER:
        return config
    return replace(
        config,
        links=replace(config.links, anchors=False, landmarks=False),
        record=replace(config.record, metadata=False, text=False, main=False, language=False),
        duplicates=replace(config.duplicates, exact=False, near=False),
    )


def second_stage(config: Config) -> Config:
    """The configuration of the second stage: everything is read, no file is saved again, no trap is looked for
    and no hook is called."""
    return replace(
        config,
        record=replace(config.record, reading="now"),
        files=replace(config.files, save=False),
        traps=replace(config.traps, same_content=0),
        hooks=Hooks(),
    )


def extraction(config: Config, extract: Lines) -> Config:
    """The configuration of processes that make items of pages: all that a hook may ask for is read, and no more."""
    hooks = replace(config.hooks, page="", url="", outcome="", extract=extract)
    limit = config.links.max_time + len(hooks.extractors) * hooks.max_time
    return replace(
        second_stage(config),
        hooks=hooks,
        links=replace(config.links, max_time=limit),
        duplicates=replace(config.duplicates, exact=False, near=False),
    )


def unconverted(wanted: Wanted) -> bool:
    """Whether the first stage needs no text of documents, because their links are not wanted."""
    return wanted.kinds.isdisjoint(_IN_DOCUMENTS)
