"""config.ini as text, and settings: entries, and the values of their keys, with one line for each error."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field
from pathlib import Path
from typing import Any, TypeAlias

from ttcrawl.config.documents import TYPE, with_defaults
from ttcrawl.config.hints import key_instead, section_instead, with_section
from ttcrawl.config.key import keys
from ttcrawl.config.lines import NO_LINES, Lines, key_lines, text_lines
from ttcrawl.config.names import changed_names, section_name
from ttcrawl.config.sections import SECTIONS
from ttcrawl.config.urls import HostSection
from ttcrawl.errors import ConfigError
from ttcrawl.frozen import frozen

#: Keys of earlier versions: (section, old name) -> new name. A crawl that continues writes the new one.
RENAMED = {("links", "parts"): "landmarks"}

UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}

#: Beginning of the name of a host's section.
HOST = "host:"
CONVERTERS = "converters"

#: "section.key", its value, and the command-line option that set it.
Override: TypeAlias = tuple[str, str] | tuple[str, str, str]


@frozen
class Entry:
    """A key in the configuration; a section without keys is one empty key."""

    origin: str
    section: str
    name: str = ""
    text: str = ""
    lines: Lines = NO_LINES

    @property
    def source(self) -> str:
        """The file and the line of its value, or of the heading of a section; or the option."""
        return self.lines[0].position if self.lines and self.lines[0].number else self.origin


def text_in(path: Path, option: str) -> str:
    """Return the text of a file that a user names with an option. Raises ConfigError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; name a readable file with {option}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not UTF-8 text: {error.reason} at byte {error.start}; save it as UTF-8"
        ) from error


def overrides_of(settings: Mapping[str, object]) -> list[Override]:
    """Return settings from Python as overrides. Raises ConfigError for values that no key has, such as None."""
    for name, value in settings.items():
        if value is None or (isinstance(value, list | tuple | set | dict) and not isinstance(value, Lines)):
            raise ConfigError(f"the setting {name} is a {type(value).__name__}: write a number, a bool or a text")
    return [
        (name, value if isinstance(value, str) else text_of(value), "the setting") for name, value in settings.items()
    ]


def entries_of_text(text: str, file: str) -> list[Entry]:
    """Return the entries of a config.ini; `file`: its name, for errors. A section may stand twice, a key may not.

    Raises ConfigError.
    """
    before, nul, _ = text.partition("\0")
    if nul:
        line = before.count("\n") + 1
        raise ConfigError(f"{file}: line {line} has a NUL character: remove it")
    parser = configparser.ConfigParser(
        interpolation=None, default_section="\0", strict=False, inline_comment_prefixes=None
    )
    try:
        parser.read_string(text, source=file)
    except configparser.MissingSectionHeaderError as error:  # whose own words repeat the line, login and all
        raise ConfigError(f"{file}: line {error.lineno} is in no section: write [SECTION] above it") from None
    except configparser.ParsingError as error:
        wrong = ", ".join(str(line) for line, _ in error.errors)
        raise ConfigError(f"{file}: a = is missing in line {wrong}") from None
    lines = key_lines(text, file)
    entries: list[Entry] = []
    for section in parser.sections():
        entries.append(Entry(origin=file, section=section, lines=lines[section, ""]))
        entries += [
            Entry(origin=file, section=section, name=key, text=value, lines=lines[section, key])
            for key, value in parser[section].items()
        ]
    return entries


def entries_of_overrides(overrides: Iterable[Override], option: str) -> Iterator[Entry]:
    from ttcrawl.web.storable import is_sound  # most commands change no key

    for dotted, value, *by in overrides:
        source = by[0] if by else option
        if not is_sound(value):
            raise ConfigError(f"{source} {dotted}: write a text in UTF-8, without NUL")
        # a type contains dots
        cut = str.partition if dotted.startswith(f"{CONVERTERS}.") else str.rpartition
        section, _, name = cut(dotted, ".")
        if not (section and name):
            raise ConfigError(f"{source} {dotted}: write it as section.key=value{with_section(name)}")
        lines_of = text_lines(value, f"{source} {dotted}", numbered=False)
        yield Entry(origin=source, section=section, name=name, text=value, lines=lines_of)


def values_of(entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the sections, converters and hosts of entries, as `Config` has them. Raises ConfigError."""
    sections: dict[str, Any] = {f.name: f.default.__class__ for f in SECTIONS}
    chosen: dict[str, dict[str, Any]] = {name: {} for name in sections}
    converters: dict[str, Lines] = {}
    for each in entries:
        section, name = each.section, each.name
        if section == CONVERTERS:
            converters |= _converter(each)
            continue
        cls = HostSection if section.startswith(HOST) else sections.get(section)
        if cls is HostSection:
            section = HOST + section_name(section.removeprefix(HOST))
        if cls is None:
            hint = section_instead(section, [*sections, CONVERTERS, f"{HOST}NAME"], each.name)
            raise ConfigError(f"{each.source}: there is no section [{section}]{hint}")
        fields = {f.name: f for f in keys(cls)}
        name = RENAMED.get((section, name), name)
        if name and name not in fields:
            raise ConfigError(f"{each.source}: [{section}] has no key {name!r}{key_instead(name, fields)}")
        values = chosen.setdefault(section, {})
        if name:
            before = values.get(name, fields[name].default)
            values[name] = _value(f"{each.source}: [{section}] {name}", fields[name], each, before)
    hosts = tuple(
        HostSection(name=name.removeprefix(HOST), **values) for name, values in chosen.items() if name.startswith(HOST)
    )
    fixed = {name: cls(**chosen[name]) for name, cls in sections.items()}
    return {**fixed, "converters": with_defaults(converters), "hosts": hosts}


def _converter(entry: Entry) -> dict[str, Lines]:
    if entry.name and not TYPE.fullmatch(entry.name.lower()):
        source = entry.lines[0].position if entry.lines else entry.origin
        raise ConfigError(
            f"{source}: [{CONVERTERS}] {entry.name} is not a media type; write one such as application/pdf"
        )
    return {entry.name.lower(): entry.lines} if entry.name else {}


def _value(where: str, key_field: Field[Any], entry: Entry, before: Any) -> Any:
    """Return the value of a key; `before`: its value without the entry."""
    default: Any = key_field.default
    kind: type[Any] = type(default)
    if kind is Lines:
        return entry.lines
    text = entry.text.strip()
    meta = key_field.metadata
    try:
        if kind is bool:
            value: Any = {"yes": True, "no": False}[text.lower()]
        elif meta["size"]:
            match = re.fullmatch(r"(\d+)\s*([kmg]?)b?", text.lower())
            value = int(match[1]) * UNITS[match[2]] if match else int(text)
        else:
            value = kind(text)
    except (KeyError, ValueError):
        wanted = {bool: "yes or no", int: "a whole number", float: "a number"}[kind]
        wanted += ", or one with k, m or g behind it" if meta["size"] else ""
        raise ConfigError(f"{where} = {text}: write {wanted}") from None
    if meta["listed"]:
        try:
            value = changed_names(before, value)
        except ValueError as error:
            raise ConfigError(f"{where} = {text}: {error}") from None
    if meta["choices"] and value not in meta["choices"]:
        raise ConfigError(f"{where} = {text}: write one of {', '.join(meta['choices'])}")
    # `not` so that nan is refused too
    if meta["low"] is not None and not meta["low"] <= value <= meta["high"]:
        raise ConfigError(f"{where} = {text}: write a number from {meta['low']:,.15g} to {meta['high']:,.15g}")
    return value


def lines_text(lines: Lines) -> str:
    return f" {lines[0].text}" if len(lines) == 1 else str(lines)


def text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Lines):
        return str(value)
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value).replace("\n", " ")
