"""What a crawl needs to read of its pages besides their links."""

from __future__ import annotations

from ttcrawl.config.duplicates import Duplicates
from ttcrawl.config.record import Record


def counts_words(record: Record) -> bool:
    """Whether the words of a text are recorded."""
    return record.text or record.main or record.language


def needs_text(record: Record, compared: Duplicates) -> bool:
    return counts_words(record) or compared.exact or compared.near


def needs_main_text(record: Record, compared: Duplicates) -> bool:
    return record.main or compared.near


def needs_page(record: Record, compared: Duplicates) -> bool:
    """Whether the text or the metadata of a page is needed."""
    return record.metadata or needs_text(record, compared)
