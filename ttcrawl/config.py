"""config.ini -> frozen sections, read once. An unknown section or key, or a bad value, is a refusal to start.

The dataclasses below are the one list of keys, with default and meaning; the config.ini of the distribution is what
`example()` prints, and a test compares the two.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterable
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from ttcrawl.errors import UsageError
from ttcrawl.networks import allow_list, is_address

UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


class ConfigError(UsageError):
    """A wrong key or value; the message is one line that says where and what to write instead."""


def key(
    default: Any,
    meaning: str,
    *,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float = 1e12,
    size: bool = False,
) -> Any:
    return field(
        default=default, metadata={"meaning": meaning, "choices": choices, "low": low, "high": high, "size": size}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """What is run and how much of it."""

    fetchers: int = key(0, "fetch processes; 0: one for every two processors", low=0, high=64)
    threads: int = key(16, "threads in each fetch process, that is requests under way at once", low=1, high=1000)
    parsers: int = key(0, "parse processes; 0: one for every two processors", low=0, high=64)
    data_queue: int = key(32, "answers that may wait between the fetch and the parse pool", low=1, high=10_000)
    max_pages: int = key(0, "stop when so many pages are fetched; 0: no limit", low=0)
    max_depth: int = key(-1, "follow links to this distance from the seeds (0: only the seeds); -1: no limit", low=-1)
    max_time: float = key(0.0, "stop after so many seconds; 0: no limit", low=0)
    max_bytes: int = key(0, "stop when so many bytes have come; 0: no limit", low=0, size=True)
    min_disk: int = key(64 << 20, "stop when the disk of the crawl directory has less than this left", low=0, size=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """Who we say we are."""

    name: str = key("ttcrawl", "product token: first word of the User-Agent, and the name looked for in robots.txt")
    contact: str = key(
        "", "a web page or mail address for the people whose servers are crawled; part of the User-Agent"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness:
    """How often a host is asked."""

    obey_delay: bool = key(True, "no: neither Crawl-delay nor the default delay is waited for (Disallow always holds)")
    delay: float = key(1.0, "seconds between two exchanges with one host when its robots.txt has no Crawl-delay", low=0)
    max_delay: float = key(300.0, "a longer Crawl-delay is cut to this, seconds", low=0)
    connections: int = key(16, "exchanges under way at once with one host when the delay is not obeyed", low=1)
    backoff: float = key(
        60.0,
        "seconds a host is left alone that says 429 or 503 without Retry-After, or does not let us connect;"
        " twice as long each time it happens again, to a day",
        low=0.001,
        high=86400,
    )
    give_up: int = key(4, "times in a row that no connection is made before all URLs of the host have failed", low=1)
    robots: str = key(
        "rfc9309",
        "how robots.txt is read: rfc9309 (longest match) or 1996 (first match)",
        choices=("rfc9309", "1996"),
    )
    robots_max_age: float = key(86400.0, "seconds a robots.txt is believed before it is asked for again", low=1)
    robots_patience: float = key(
        600.0, "seconds a robots.txt that answers 429 or 5xx is asked for again before its URLs are refused", low=0
    )
    robots_absent_after: float = key(
        2592000.0, "seconds of such answers after which it is taken as absent, that is everything is allowed", low=0
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """One exchange."""

    connect_timeout: float = key(10.0, "seconds to connect", low=0.001)
    read_timeout: float = key(30.0, "seconds without a byte", low=0.001)
    total_timeout: float = key(120.0, "seconds for the whole exchange", low=0.001)
    max_body: int = key(10 << 20, "a longer body is not kept (k, m and g are understood)", low=1024, size=True)
    max_decoded: int = key(64 << 20, "a body that decodes to more than this is a bomb", low=1024, size=True)
    max_ratio: int = key(
        250, "a body of more than 1 MB when decoded is a bomb if it was so many times shorter on the wire", low=2
    )
    verify_tls: bool = key(True, "no: certificates are not checked")
    retries: int = key(2, "times a URL is asked again after no answer or a status 429 or 5xx", low=0)
    retry_wait: float = key(2.0, "seconds before the first of these, four times as long before each next one", low=0)
    resolve: str = key("", "HOST:PORT:ADDRESS ..., as curl's --resolve: connect there instead of asking the DNS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Safety:
    """Whom we may ask at all."""

    allow: str = key(
        "",
        "networks and hosts that may be asked although their addresses are private, loopback, link-local, multicast or"
        " reserved: 10.0.0.0/8 fd00::/8 intranet.example (hosts of seeds and of --resolve may be, at the addresses"
        " they have when the crawl begins)",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontier:
    """What is fetched next."""

    priority: str = key(
        "depth",
        "what comes first: depth (breadth first), first (first found), number (see number_pattern)",
        choices=("depth", "first", "number"),
    )
    # possessive, from the first digit on: any other way it takes quadratic time in a URL of digits
    number_pattern: str = key(
        r"(?<!\d)(\d++)\D*+$", "its first group is the number in the URL; URLs without one come last"
    )
    hosts: int = key(10_000, "hosts held in memory; the others wait in the database", low=1)
    urls_per_host: int = key(100, "queued URLs of a host held in memory; the others wait in the database", low=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The Bloom filter before the exact index."""

    capacity: int = key(4_000_000, "URLs it is made for at first; it grows by itself", low=1, high=1e9)
    error_rate: float = key(0.001, "false positives it may give, each of which costs a look-up in the index", low=1e-9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which URLs belong to the crawl."""

    scope: str = key(
        "host",
        "host (the seeds' hosts), domain (their registrable domains), any, list (domains below)",
        choices=("host", "domain", "any", "list"),
    )
    domains: str = key("", "the domains, with all their hosts, of scope = list")
    max_redirects: int = key(10, "redirects in a row that are followed", low=0)
    max_url: int = key(2000, "characters of a URL; a longer one is refused", low=16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """How pages are read."""

    parser: str = key(
        "lexbor",
        "lexbor (falls back on html5lib), html5lib (falls back on regex), regex",
        choices=("lexbor", "html5lib", "regex"),
    )
    content_start: str = key("", "begin of a content region, such as <!-- CONTENT -->; empty: all is content")
    content_end: str = key("", "end of a content region, such as <!-- /CONTENT -->")
    nofollow: str = key(
        "page",
        "page (links of pages whose meta robots or X-Robots-Tag says nofollow or none are not followed), all (nor links"
        " with rel=nofollow), no (all are followed)",
        choices=("page", "all", "no"),
    )
    follow: str = key(
        "content", "links that are followed: content (inside the regions) or all", choices=("content", "all")
    )
    max_memory: int = key(
        1 << 30,
        "bytes a parse process may take for one page; a page that needs more has failed",
        low=1 << 20,
        size=True,
    )
    max_time: float = key(30.0, "seconds a parse process may take for one page before it is replaced", low=0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """How the crawl directory is written."""

    commit_seconds: float = key(0.3, "longest time between two commits", low=0)
    commit_pages: int = key(200, "most pages between two commits", low=1)
    durability: str = key(
        "process",
        "what loses nothing that was committed: the end of processes, or of the machine's power (syncs each commit)",
        choices=("process", "power"),
    )
    warc_size: int = key(
        1 << 30, "a WARC file that has grown to this size is closed and the next one begun", low=1, size=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All sections of config.ini."""

    crawl: Crawl = Crawl()
    agent: Agent = Agent()
    politeness: Politeness = Politeness()
    fetch: Fetch = Fetch()
    safety: Safety = Safety()
    frontier: Frontier = Frontier()
    seen: Seen = Seen()
    scope: Scope = Scope()
    links: Links = Links()
    store: Store = Store()


def read(path: Path | None, overrides: Iterable[tuple[str, str]] = ()) -> Config:
    """The configuration of a file (None: the defaults) with `overrides` ("section.key", value) laid over it.

    Raises ConfigError with one line that names file, section, key and what is wrong.
    """
    parser = configparser.ConfigParser(
        interpolation=None, default_section="\0", strict=True, inline_comment_prefixes=None
    )
    if path is not None:
        try:
            parser.read_string(path.read_text(encoding="utf-8"), source=str(path))
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}; name a readable file with -c") from error
        except (configparser.Error, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: {' '.join(str(error).split())}") from error
    values = [(str(path), section, "", "") for section in parser.sections()]
    values += [(str(path), name, key, text) for name in parser.sections() for key, text in parser[name].items()]
    for dotted, text in overrides:
        section, dot, name = dotted.partition(".")
        if not dot:
            raise ConfigError(f"--set {dotted}: write it as section.key=value")
        values.append(("--set", section, name, text))
    return _build(values)


def _build(values: list[tuple[str, str, str, str]]) -> Config:
    """The configuration of (origin, section, key, text); a section without keys comes as one empty key."""
    sections: dict[str, Any] = {f.name: f.default.__class__ for f in fields(Config)}
    chosen: dict[str, dict[str, Any]] = {name: {} for name in sections}
    for origin, section, name, text in values:
        if section not in sections:
            raise ConfigError(f"{origin}: there is no section [{section}]; the sections are {', '.join(sections)}")
        known = {f.name: f for f in fields(sections[section])}
        if name and name not in known:
            raise ConfigError(f"{origin}: [{section}] has no key {name!r}; its keys are {', '.join(known)}")
        if name:
            chosen[section][name] = _value(f"{origin}: [{section}] {name}", known[name], text.strip())
    config = Config(**{name: cls(**chosen[name]) for name, cls in sections.items()})
    _check(config)
    return config


def _value(where: str, key_field: Field[Any], text: str) -> Any:
    default: Any = key_field.default
    kind: type[Any] = type(default)
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
        raise ConfigError(f"{where} = {text}: write {wanted}") from None
    if meta["choices"] and value not in meta["choices"]:
        raise ConfigError(f"{where} = {text}: write one of {', '.join(meta['choices'])}")
    # `not` so that nan is refused too
    if meta["low"] is not None and not meta["low"] <= value <= meta["high"]:
        raise ConfigError(f"{where} = {text}: write a number from {meta['low']:,g} to {meta['high']:,g}")
    return value


def _check(config: Config) -> None:
    """What can only be said of several keys together."""
    if config.frontier.priority == "number":
        try:
            groups = re.compile(config.frontier.number_pattern).groups
        except re.error as error:
            raise ConfigError(f"[frontier] number_pattern = {config.frontier.number_pattern}: {error}") from None
        if groups < 1:
            raise ConfigError("[frontier] number_pattern: put the number in a group, as in page-(\\d+)")
    if bool(config.links.content_start) != bool(config.links.content_end):
        raise ConfigError("[links] content_start and content_end belong together: write both or none")
    if config.scope.scope == "list" and not config.scope.domains.split():
        raise ConfigError("[scope] scope = list needs domains: name the domains that belong to the crawl")
    if not re.fullmatch(r"[A-Za-z_-]+", config.agent.name):
        raise ConfigError(f"[agent] name = {config.agent.name}: letters, - and _ only (RFC 9309 section 2.2.1)")
    if not config.agent.contact.isprintable() or not config.agent.contact.isascii():
        raise ConfigError("[agent] contact: printable ASCII only, it is sent in a header")
    if config.seen.error_rate >= 1:
        raise ConfigError("[seen] error_rate: write a number below 1")
    resolve_map(config.fetch.resolve)
    try:
        allow_list(config.safety.allow)
    except ValueError as error:
        raise ConfigError(f"[safety] allow = {error}") from None


def resolve_map(text: str) -> dict[tuple[str, int], str]:
    """HOST:PORT:ADDRESS entries, separated by white space, as a map (host, port) -> address.

    >>> resolve_map("a.test:80:127.0.0.1 b.test:8080:[::1]")
    {('a.test', 80): '127.0.0.1', ('b.test', 8080): '::1'}
    """
    addresses = {}
    for entry in text.split():
        match = re.fullmatch(r"([^:\s]+):(\d{1,5}):(\[[0-9A-Fa-f:.]+\]|[0-9.]+)", entry)
        if not match or int(match[2]) > 65535 or not is_address(match[3].strip("[]")):
            raise ConfigError(f"resolve {entry}: write HOST:PORT:ADDRESS, such as example.org:80:127.0.0.1")
        addresses[match[1].lower(), int(match[2])] = match[3].strip("[]")
    return addresses


def example(config: Config | None = None) -> str:
    """A config.ini with every key, its meaning and its value in `config` (the defaults when None)."""
    config = config or Config()
    lines = ["# Every key of ttcrawl with its default. `ttcrawl crawl -c FILE` reads it; --set section.key=value wins."]
    for section in fields(Config):
        values = getattr(config, section.name)
        lines += ["", f"# {values.__class__.__doc__}", f"[{section.name}]"]
        for each in fields(values):
            lines += [f"# {each.metadata['meaning']}", f"{each.name} = {_text(getattr(values, each.name))}".rstrip()]
    return "\n".join(lines) + "\n"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value).replace("\n", " ")
