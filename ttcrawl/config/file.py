"""config.ini as text: read, checked with one line for each error, and written."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ttcrawl.config.browser import check as check_browser
from ttcrawl.config.credentials import logins, proxy
from ttcrawl.config.documents import MEANING, TYPE, check, with_defaults
from ttcrawl.config.fetch import Fetch, check_requests
from ttcrawl.config.hints import key_instead, section_instead, with_section
from ttcrawl.config.implied import with_implied
from ttcrawl.config.key import keys
from ttcrawl.config.lines import NO_LINES, Lines, key_lines, text_lines
from ttcrawl.config.names import (
    changed_names,
    domain_names,
    host_name,
    link_kinds,
    number_expression,
    origin_name,
    section_name,
)
from ttcrawl.config.revisit import check as check_revisit
from ttcrawl.config.sections import SECTIONS, Config
from ttcrawl.config.topic import check as check_topic
from ttcrawl.config.urls import HostSection
from ttcrawl.errors import ConfigError
from ttcrawl.web.networks import allow_list, is_address

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
    """Check conditions on several keys together."""
    if config.frontier.best_first and not config.topic.on:
        raise ConfigError("[frontier] priority = topic needs a subject: set [topic] terms, model or hook")
    if bool(config.links.content_start) != bool(config.links.content_end):
        raise ConfigError("[links] content_start and content_end belong together: write both or none")
    for name in ("kinds", "recorded"):
        try:
            link_kinds(getattr(config.links, name))
        except ValueError as error:
            raise ConfigError(f"[links] {name}: {error}") from None
    try:
        listed = domain_names(config.scope.domains)
    except ValueError as error:
        raise ConfigError(f"[scope] domains: {error}") from None
    if config.scope.scope == "list" and not listed:
        raise ConfigError("[scope] scope = list needs domains: name the domains that belong to the crawl")
    if not re.fullmatch(r"[A-Za-z0-9_-]+", config.agent.name):
        raise ConfigError(f"[agent] name = {config.agent.name}: letters, digits, - and _ only (RFC 9309 section 2.2.1)")
    for name in ("contact", "user_agent"):
        value = getattr(config.agent, name)
        if not value.isprintable() or not value.isascii():
            raise ConfigError(f"[agent] {name}: printable ASCII only, it is sent in a header")
    if config.duplicates.bands > config.duplicates.permutations:
        raise ConfigError(
            f"[duplicates] bands = {config.duplicates.bands}: write at most the number of permutations,"
            f" {config.duplicates.permutations}"
        )
    try:
        check_topic(config.topic, config.record, hook=config.hooks.page, files=config.files.save)
    except ValueError as error:
        raise ConfigError(f"[topic] {error}") from None
    try:
        check_browser(config.browser, reading=config.record.reading)
    except ValueError as error:
        raise ConfigError(f"[browser] use = {config.browser.use}: {error}") from None
    try:
        check_revisit(config.revisit)
    except ValueError as error:
        raise ConfigError(f"[revisit] {error}") from None
    parameter_names(config.url.drop_parameters)
    alias_map(config.url.aliases)
    _check_fetch(config.fetch)
    try:
        number_expression(config.frontier.number_pattern)
        check(config.converters)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    try:
        allow_list(config.safety.allow)
    except ValueError as error:
        raise ConfigError(f"[safety] allow = {error}") from None


def _check_fetch(fetch: Fetch) -> None:
    overrides = resolve_map(fetch.resolve)
    try:
        logins(fetch.login)
        through = proxy(fetch.proxy)
        check_requests(fetch)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if through and through.resolves and overrides:
        # the proxy would look the names up itself, and connect to other addresses
        raise ConfigError(
            f"[fetch] resolve has no effect with a {through.scheme} proxy, which looks up names itself: remove it, or"
            " use a socks4 or socks5 proxy"
        )


def resolve_map(text: str) -> dict[tuple[str, int], str]:
    """Return HOST:PORT:ADDRESS entries, separated by white space, as a map (host, port) -> address.

    >>> resolve_map("a.test:80:127.0.0.1 b.test:8080:[::1]")
    {('a.test', 80): '127.0.0.1', ('b.test', 8080): '::1'}
    """
    addresses = {}
    for entry in text.split():
        match = re.fullmatch(r"([^:\s]+):(\d{1,5}):(\[[0-9A-Fa-f:.]+\]|[0-9.]+)", entry)
        name = host_name(match[1]) if match else None
        if not match or not name or int(match[2]) > 65535 or not is_address(match[3].strip("[]")):
            raise ConfigError(f"resolve {entry}: write HOST:PORT:ADDRESS, such as example.org:80:127.0.0.1")
        addresses[name, int(match[2])] = match[3].strip("[]")
    return addresses


def parameter_names(text: str) -> tuple[str, ...]:
    """Return names of parameters, separated by white space, each with or without a * at its end."""
    names = tuple(text.split())
    for name in names:
        if not re.fullmatch(r"[^*=&;/?#]+\*?", name):
            raise ConfigError(f"[url] drop_parameters: {name}: write a name, or its beginning and one *, as in utm_*")
    return names


def alias_map(text: str) -> dict[str, str]:
    """Return HOST=HOST and SCHEME://HOST=SCHEME://HOST entries, separated by white space, as a map of canonical names.

    >>> alias_map("www.a.test=A.test b.test=a.test:8080 http://a.test=https://a.test")
    {'www.a.test': 'a.test', 'b.test': 'a.test:8080', 'http://a.test': 'https://a.test'}
    """
    aliases = {}
    for entry in text.split():
        canonical_name = origin_name if "//" in entry else host_name
        name, alias = (canonical_name(name_text) for name_text in (entry.partition("=")[0], entry.partition("=")[2]))
        if name is None or alias is None or entry.count("=") != 1:
            raise ConfigError(
                f"[url] aliases: {entry}: write HOST=HOST, such as www.a.example=a.example (no :80, no :443), or with"
                " the scheme on both sides"
            )
        aliases[name] = alias
    return aliases


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
