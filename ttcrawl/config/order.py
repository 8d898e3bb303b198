"""The order of config.ini: the keys that people set, then the rest. A section with both is written twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field
from typing import Any

from ttcrawl.config.key import keys
from ttcrawl.config.sections import SECTIONS

#: Section -> its keys that people set. All others set limits and costs, or are for special cases.
FIRST = {
    "agent": "contact name user_agent",
    "crawl": "max_pages max_depth max_time max_bytes fetchers parsers",
    "scope": "scope domains rules blacklist extensions",
    "politeness": "obey_delay delay delay_factor address_delay",
    "fetch": "types max_body verify_tls retries headers cookies login proxy",
    "login": "cookies",
    "links": "page_requisites nofollow",
    "sitemaps": "use",
    "files": "save",
    "browser": "use",
    "record": "reading",
    "frontier": "priority",
    "topic": "terms",
    "revisit": "policy interval",
    "hooks": "page",
    "archive": "operator",
    "safety": "allow",
}


def first_keys() -> Iterator[tuple[str, list[Field[Any]]]]:
    """Yield the sections of the first half, each with its keys there."""
    sections = {each.name: {key.name: key for key in keys(each.default)} for each in SECTIONS}
    for section, names in FIRST.items():
        yield section, [sections[section][name] for name in names.split()]


def other_keys() -> Iterator[tuple[str, list[Field[Any]]]]:
    """Yield the sections of the second half, each with its keys there."""
    for section in SECTIONS:
        first = FIRST.get(section.name, "").split()
        if others := [key for key in keys(section.default) if key.name not in first]:
            yield section.name, others


def in_order() -> Iterator[tuple[str, list[Field[Any]]]]:
    """Yield each section once, with its keys of the first half before the others."""
    others = dict(other_keys())
    for section, first in first_keys():
        yield section, [*first, *others.pop(section, ())]
    yield from others.items()
