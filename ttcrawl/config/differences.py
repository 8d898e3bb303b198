"""What a configuration says beside the defaults, and who says it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import Field
from typing import Any

from ttcrawl.config.config import Config
from ttcrawl.config.documents import CONVERTERS
from ttcrawl.config.file import CONVERTERS as CONVERTERS_SECTION
from ttcrawl.config.file import HOST, RENAMED, Entry, lines_text, text_of
from ttcrawl.config.key import keys
from ttcrawl.config.names import section_name
from ttcrawl.config.order import in_order
from ttcrawl.frozen import frozen

#: Who says a value that no entry has.
IMPLIED = "implied by other keys"


@frozen
class Difference:
    """A key whose value is not its default."""

    section: str
    key: str
    value: str  # as in config.ini; lines begin with a line break
    default: str  # the same; of a host's section, the empty value
    origin: str  # a file with its line, an option, a profile, or IMPLIED


def differences(config: Config, entries: Iterable[Entry] = ()) -> Iterator[Difference]:
    """Yield the keys of a configuration that differ from their defaults, those that people set first in each section.

    `entries`: those of which it was made.
    """
    origins = {_name(each): each.source for each in entries}
    usual = Config()
    for name, ordered in in_order():
        yield from _of_section(name, getattr(config, name), getattr(usual, name), ordered, origins)
    for host in config.hosts:
        yield from _of_section(f"{HOST}{host.name}", host, type(host)(name=host.name), keys(host), origins)
    defaults = {each.type: lines_text(each.lines) for each in CONVERTERS}
    for converter in config.converters:
        value, default = lines_text(converter.lines), defaults.get(converter.type, "")
        if value != default:
            origin = origins.get((CONVERTERS_SECTION, converter.type), IMPLIED)
            yield Difference(
                section=CONVERTERS_SECTION, key=converter.type, value=value, default=default, origin=origin
            )


def _of_section(
    name: str, section: Any, default: Any, ordered: Iterable[Field[Any]], origins: dict[tuple[str, str], str]
) -> Iterator[Difference]:
    for each in ordered:
        value, usual = getattr(section, each.name), getattr(default, each.name)
        if value != usual:
            yield Difference(
                section=name,
                key=each.name,
                value=text_of(value),
                default=text_of(usual),
                origin=origins.get((name, each.name), IMPLIED),
            )


def _name(entry: Entry) -> tuple[str, str]:
    if entry.section.startswith(HOST):
        return HOST + section_name(entry.section.removeprefix(HOST)), entry.name
    if entry.section == CONVERTERS_SECTION:
        return entry.section, entry.name.lower()
    return entry.section, RENAMED.get((entry.section, entry.name), entry.name)
