"""What a crawl needs of its store. `ttcrawl.store.sqlite` is the one that is there.

The parts are the tables: the crawl changes and looks up rows through them. The methods are those of the transaction
that all parts share, and of the crawl as such. To keep a crawl elsewhere, write a class with these members.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from ttcrawl.store.answers import Answers
from ttcrawl.store.browser_uses import BrowserUses
from ttcrawl.store.buckets import Buckets
from ttcrawl.store.cookies import Cookies
from ttcrawl.store.fingerprints import Fingerprints
from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.moments import Moments
from ttcrawl.store.patterns import PatternRows
from ttcrawl.store.retention import Retention
from ttcrawl.store.revisits import Revisits
from ttcrawl.store.sites import Sites
from ttcrawl.store.soft404 import Soft404s
from ttcrawl.store.unlinked import Unlinked
from ttcrawl.store.unread import Unread
from ttcrawl.store.urls import Urls
from ttcrawl.store.vanished import Vanished


class Store(Protocol):
    """One transaction per group of outcomes: what was committed survives a killed process."""

    urls: Urls  # the ledger and its queue
    sites: Sites
    answers: Answers  # pages, links, texts, visits
    revisits: Revisits  # when URLs are requested again
    retention: Retention  # how many earlier answers are kept
    browser_uses: BrowserUses  # how pages were read, and what is known of their templates
    vanished: Vanished  # pages that are not there any more
    unlinked: Unlinked  # URLs that have lost links
    unread: Unread  # pages for the second stage
    fingerprints: Fingerprints  # of pages, and their marks as duplicates
    buckets: Buckets
    soft_404s: Soft404s
    patterns: PatternRows
    moments: Moments
    cookies: Cookies
    say: Callable[[str], None]  # is called with a line while another program has locked the store

    def about(self) -> dict[str, str]:
        """Return the facts about the crawl itself, name -> value."""

    def set(self, **values: object) -> None:
        """Change such facts."""

    def mailbox(self) -> Mailbox:
        """Return what a ring of a cluster sends and receives."""

    def archive(self) -> dict[str, int]:
        """Return WARC file -> size in bytes up to the last record that is stored."""

    def set_archive(self, sizes: Mapping[str, int]) -> None:
        """Note the new sizes of WARC files."""

    def flush(self) -> None:
        """Write collected rows inside the transaction. Raises UnstorableError."""

    def commit(self) -> None:
        """Commit. Raises CrawlFailedError if the commit would be lost."""

    def compact(self) -> str:
        """Commit, and give space back from now on when rows are dropped. Return what the user must do instead."""

    def rollback(self) -> None:
        """Return to the last commit."""

    def close(self) -> None:
        """Commit and close."""

    @property
    def there(self) -> bool:
        """Whether the store was neither removed nor replaced."""

    def must_be_there(self) -> None:
        """Raises CrawlFailedError if the store was removed or replaced."""

    @property
    def seen_file(self) -> Path:
        """The file of the seen filter."""

    def disk_left(self) -> int:
        """Return the free bytes where the crawl is stored."""
