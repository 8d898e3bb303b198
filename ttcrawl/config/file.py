"""config.ini as text: read, checked with one line for each error, and written."""

from __future__ import annotations

import configparser
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from ttcrawl.config.browser import check as check_browser
from ttcrawl.config.documents import MEANING, TYPE, check, with_defaults
from ttcrawl.config.hints import key_instead, section_instead, with_section
from ttcrawl.config.implied import with_implied
from ttcrawl.config.key import keys
from ttcrawl.config.lines import NO_LINES, Lines, key_lines, text_lines
from ttcrawl.config.names import (
    changed_names,
    section_name,
)
from ttcrawl.config.sections import SECTIONS, Config
from ttcrawl.config.topic import check as check_topic
from ttcrawl.config.urls import HostSection
from ttcrawl.errors import ConfigError

#: Keys of earlier versions: (section, old name) -> new name. A crawl that continues writes the new one.
RENAMED = {("links", "parts"): "landmarks"}

UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}

#: Beginning of the name of a host's section.
HOST = "host:"
CONVERTERS = "converters"


#: "section.key", its value, and the command-line option that set it.
Override: TypeAlias = tuple[str, str] | tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A key in the configuration; a section without keys is one empty key."""

    origin: str
    section: str
    name: str = ""
    text: str = ""
    lines: Lines = NO_LINES


def read(path: Path | None, overrides: Iterable[Override] = (), option: str = "--set") -> Config:
    """Return the configuration of a file (None: the defaults), changed by `overrides`.

    `option` is the command-line option of overrides without one. Raises ConfigError with one line that names file,
    section, key and the error.
    """
    entries: list[_Entry] = []
    if path is not None:
        try:
            entries = _of_text(path.read_text(encoding="utf-8-sig"), str(path))
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}; name a readable file with -c") from error
        except UnicodeDecodeError as error:
            raise ConfigError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    return _build([*entries, *_of_overrides(overrides, option)])


def changed(config: Config, settings: Mapping[str, object]) -> Config:
    """Return a configuration changed by `settings`: "section.key" -> value. Raises ConfigError."""
    return _build([*_of_text(example(config), "the configuration"), *_of_overrides(overrides_of(settings), "")])


def overrides_of(settings: Mapping[str, object]) -> list[Override]:
    """Return settings from Python as overrides."""
    return [
        (name, value if isinstance(value, str) else _text(value), "the setting") for name, value in settings.items()
    ]


def _of_text(text: str, file: str) -> list[_Entry]:
    parser = configparser.ConfigParser(
        interpolation=None, default_section="\0", strict=True, inline_comment_prefixes=None
    )
    try:
        parser.read_string(text, source=file)
    except configparser.MissingSectionHeaderError as error:  # whose own words repeat the line, login and all
        raise ConfigError(f"{file}: line {error.lineno} is in no section: write [SECTION] above it") from None
    except configparser.ParsingError as error:
        wrong = ", ".join(str(line) for line, _ in error.errors)
        raise ConfigError(f"{file}: a = is missing in line {wrong}") from None
    except (configparser.DuplicateOptionError, configparser.DuplicateSectionError) as error:
        key = getattr(error, "option", "")
        name = f"[{error.section}] {key}".rstrip()
        raise ConfigError(f"{file}: {name} is repeated in line {error.lineno}: remove one") from None
    lines = key_lines(text, file)
    entries: list[_Entry] = []
    for section in parser.sections():
        entries.append(_Entry(origin=file, section=section))
        entries += [
            _Entry(origin=file, section=section, name=key, text=value, lines=lines[section, key])
            for key, value in parser[section].items()
        ]
    return entries


def _of_overrides(overrides: Iterable[Override], option: str) -> Iterator[_Entry]:
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
        yield _Entry(origin=source, section=section, name=name, text=value, lines=lines_of)


def _build(entries: list[_Entry]) -> Config:
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
            raise ConfigError(f"{each.origin}: there is no section [{section}]{hint}")
        fields = {f.name: f for f in keys(cls)}
        name = RENAMED.get((section, name), name)
        if name and name not in fields:
            raise ConfigError(f"{each.origin}: [{section}] has no key {name!r}{key_instead(name, fields)}")
        values = chosen.setdefault(section, {})
        if name:
            before = values.get(name, fields[name].default)
            values[name] = _value(f"{each.origin}: [{section}] {name}", fields[name], each, before)
    hosts = tuple(
        HostSection(name=name.removeprefix(HOST), **values) for name, values in chosen.items() if name.startswith(HOST)
    )
    config = Config(
        **{name: cls(**chosen[name]) for name, cls in sections.items()},
        converters=with_defaults(converters),
        hosts=hosts,
    )
    _check(config)
    return with_implied(config)


def _converter(entry: _Entry) -> dict[str, Lines]:
    if entry.name and not TYPE.fullmatch(entry.name.lower()):
        source = entry.lines[0].position if entry.lines else entry.origin
        raise ConfigError(
            f"{source}: [{CONVERTERS}] {entry.name} is not a media type; write one such as application/pdf"
        )
    return {entry.name.lower(): entry.lines} if entry.name else {}


def _value(where: str, key_field: Field[Any], entry: _Entry, before: Any) -> Any:
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
        raise ConfigError(f"{where} = {text}: write a number from {meta['low']:,g} to {meta['high']:,g}")
    return value


def _check(config: Config) -> None:
    """Each section checks itself; what depends on several is checked here."""
    for field in SECTIONS:
        section = getattr(config, field.name)
        if hasattr(section, "check"):
            _checked(f"[{field.name}]", section.check)
    if config.frontier.best_first and not config.topic.on:
        raise ConfigError("[frontier] priority = topic needs a subject: set [topic] terms, model or hook")
    topic = partial(check_topic, config.topic, config.record, hook=config.hooks.page, files=config.files.save)
    _checked("[topic]", topic)
    browser = partial(check_browser, config.browser, reading=config.record.reading)
    _checked(f"[browser] use = {config.browser.use}:", browser)
    _checked("", partial(check, config.converters))


def _checked(where: str, check: Callable[[], None]) -> None:
    try:
        check()
    except ValueError as error:
        raise ConfigError(f"{where} {error}".lstrip()) from None


def example(config: Config | None = None) -> str:
    """Return a config.ini with every key, its meaning and its value in `config` (None: the defaults)."""
    config = config or Config()
    lines = ["# Every key of ttcrawl with its default. `ttcrawl crawl -c FILE` reads it; --set section.key=value wins."]
    sections = [(section.name, getattr(config, section.name)) for section in SECTIONS]
    for name, values in sections + [(f"{HOST}{each.name}", each) for each in config.hosts]:
        lines += ["", f"# {values.__class__.__doc__}", f"[{name}]"]
        for each in keys(values):
            lines += [f"# {each.metadata['meaning']}", f"{each.name} = {_text(getattr(values, each.name))}".rstrip()]
    lines += ["", f"# {MEANING}", f"[{CONVERTERS}]"]
    lines += [f"{each.type} ={_lines(each.lines)}" for each in config.converters]
    return "\n".join(lines) + "\n"


def _lines(lines: Lines) -> str:
    return f" {lines[0].text}" if len(lines) == 1 else str(lines)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Lines):
        return str(value)
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value).replace("\n", " ")
