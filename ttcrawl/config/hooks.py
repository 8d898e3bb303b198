"""The keys of section [hooks]."""

from __future__ import annotations

from ttcrawl.config.extractors import FUNCTION, Extractor, extractors
from ttcrawl.config.key import key
from ttcrawl.config.lines import NO_LINES, Lines
from ttcrawl.frozen import frozen


@frozen
class Hooks:
    """Functions of yours that a crawl calls: see docs/hooks.md."""

    page: str = key("", "MODULE:FUNCTION that is called for every fetched page; empty: none")
    url: str = key("", "MODULE:FUNCTION that decides about every URL before it is queued; empty: none")
    outcome: str = key("", "MODULE:FUNCTION that is called for every outcome, in order; empty: none")
    extract: Lines = key(
        NO_LINES,
        "what makes items of pages while the crawl runs, one per line: FILE.py:FUNCTION, css NAME=SELECTOR, jsonld TYPE"
        " ...; see docs/guides/extract.md",
    )
    path: str = key("", "directories with these modules, separated by colons; empty: the current directory")
    events: str = key("", "FILE or named pipe that gets a JSON line for every outcome; empty: none")
    zebra: str = key(
        "",
        "directory of an index of Zebra, into which zebraidx brings pages as they are crawled; empty: none",
    )
    max_time: float = key(5.0, "maximum seconds for one call", low=0.01, high=3600)

    @property
    def functions(self) -> bool:
        """Whether there are functions to import."""
        return bool(self.page or self.url or self.outcome) or any(each.kind == FUNCTION for each in self.extractors)

    @property
    def extractors(self) -> tuple[Extractor, ...]:
        """What makes items of pages."""
        return extractors(line.text for line in self.extract)

    def check(self) -> None:
        """Raises ValueError."""
        try:
            _ = self.extractors
        except ValueError as error:
            raise ValueError(f"extract: {error}") from None
