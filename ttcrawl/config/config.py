"""The configuration: all sections, read from a file and from options, checked, and with what their keys imply."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttcrawl.config.browser import check as check_browser
from ttcrawl.config.documents import CONVERTERS, MEANING, Converter, check
from ttcrawl.config.file import (
    CONVERTERS as CONVERTERS_SECTION,
)
from ttcrawl.config.file import (
    HOST,
    Entry,
    Override,
    entries_of_overrides,
    entries_of_text,
    lines_text,
    overrides_of,
    text_in,
    text_of,
    values_of,
)
from ttcrawl.config.headers import headers
from ttcrawl.config.key import keys
from ttcrawl.config.links import Links
from ttcrawl.config.order import FIRST, first_keys, other_keys
from ttcrawl.config.sections import SECTIONS, Sections
from ttcrawl.config.topic import check as check_topic
from ttcrawl.config.urls import EXTENSIONS, PROGRAMS, HostSection
from ttcrawl.errors import ConfigError
from ttcrawl.frozen import frozen
from ttcrawl.vocabulary.kind import KINDS

if TYPE_CHECKING:
    from ttcrawl.config.profiles import Profile

#: The lines above the keys that people set, and above the rest.
HEAD = (
    "# Every key of ttcrawl with its default: first those that people set, then the rest.\n"
    "# `ttcrawl crawl -c FILE` reads it; --set section.key=value wins."
)
REST = "# ---- The rest: limits, costs and special cases. A section may stand twice, a key may not. ----"

#: Columns of a comment.
WIDTH = 100

#: Kinds of links that [files] save follows.
FILES = ("image", "media", "object")


@frozen
class Config(Sections):
    """All sections of config.ini."""

    converters: tuple[Converter, ...] = CONVERTERS
    hosts: tuple[HostSection, ...] = ()

    @property
    def has_session(self) -> bool:
        """Whether requests are those of a user who is logged in by cookies."""
        submits = any(" submit " in line.text for line in self.browser.steps)
        return bool(self.login.cookies or self.login.form or submits) or any(
            each.name == "Cookie" for each in headers(self.fetch.headers)
        )

    @staticmethod
    def read(path: str | os.PathLike[str], settings: Mapping[str, object] | None = None) -> Config:
        """Return the configuration of a config.ini, changed by `settings` as in `changed`. Raises UsageError."""
        return read(Path(path)).changed(settings or {})

    def changed(self, settings: Mapping[str, object]) -> Config:
        """Return a configuration with other values: {"crawl.max_pages": 100, "links.nofollow": "no"}, like --set.

        A value is a number, a bool or a text; the text may have several lines if the key may. Raises UsageError.
        """
        overrides = entries_of_overrides(overrides_of(settings), "")
        return _build([*entries_of_text(example(self), "the configuration"), *overrides])


def read(
    path: Path | None, overrides: Iterable[Override] = (), option: str = "--set", profile: Profile | None = None
) -> Config:
    """Return the configuration of a file (None: the defaults), changed by `overrides`, over a profile.

    `option` is the command-line option of overrides without one. Raises ConfigError with one line that names file,
    section, key and the error.
    """
    return _build(entries_of(path, overrides, option, profile))


def read_own(directory: Path, overrides: Iterable[Override] = ()) -> Config:
    """Return the configuration of a crawl, in its directory. Raises ConfigError."""
    path = directory / "config.ini"
    if not path.is_file():
        raise ConfigError(f"{path} is missing, so the rules of the crawl are unknown: restore the file")
    return read(path, overrides)


def entries_of(
    path: Path | None, overrides: Iterable[Override] = (), option: str = "--set", profile: Profile | None = None
) -> list[Entry]:
    """Return all entries, the winning ones last. Raises ConfigError."""
    return [
        *(entries_of_overrides(profile.keys.items(), f"--profile {profile.name}") if profile else ()),
        *(entries_of_text(text_in(path, "-c"), str(path)) if path is not None else ()),
        *entries_of_overrides(overrides, option),
    ]


def _build(entries: Iterable[Entry]) -> Config:
    config = Config(**values_of(entries))
    _check(config)
    return _with_implied(config)


def _check(config: Config) -> None:
    """Each section checks itself; what depends on several is checked here."""
    for field in SECTIONS:
        section = getattr(config, field.name)
        if hasattr(section, "check"):
            _checked(f"[{field.name}]", section.check)
    if config.login.cookies and config.fetch.cookies == "no":
        raise ConfigError("[login] cookies needs [fetch] cookies = kept, or host")
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
    lines = [HEAD]
    for name, first in first_keys():
        lines += _section(name, getattr(config, name), first)
    for host in config.hosts:
        lines += _section(f"{HOST}{host.name}", host, keys(host))
    lines += ["", REST]
    for name, others in other_keys():
        lines += _section(name, getattr(config, name), others, ": the rest" if name in FIRST else "")
    lines += ["", f"# {MEANING}", f"[{CONVERTERS_SECTION}]"]
    lines += [f"{each.type} ={lines_text(each.lines)}" for each in config.converters]
    return "\n".join(lines) + "\n"


def _section(name: str, section: Any, keys_there: Iterable[Field[Any]], more: str = "") -> Iterator[str]:
    """Yield the lines of a section with some of its keys."""
    yield from ("", _comment(f"{section.__class__.__doc__.removesuffix('.')}{more}."), f"[{name}]")
    for each in keys_there:
        yield _comment(each.metadata["meaning"])
        yield f"{each.name} = {text_of(getattr(section, each.name))}".rstrip()


def _comment(text: str) -> str:
    """The text as lines of a comment."""
    lines, line = list[str](), "#"
    for word in text.split():
        if len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = "#"
        line += f" {word}"
    return "\n".join((*lines, line))


def _with_implied(config: Config) -> Config:
    """Return it with the values that other keys imply. Of its own result it changes nothing, so a crawl continues
    under the config.ini that it used."""
    config = _with_files(config) if config.files.save else config
    if config.browser.on:  # each thread has a browser of its own
        threads = min(config.crawl.threads or config.browser.pages, config.browser.pages)
        config = replace(config, crawl=replace(config.crawl, threads=threads))
    if config.login.form and config.fetch.cookies == "no":  # a session is a cookie
        config = replace(config, fetch=replace(config.fetch, cookies="kept"))
    if config.frontier.best_first:  # the words at links decide
        config = replace(config, links=replace(config.links, anchors=True))
    return replace(config, links=_with_requisites(config.links)) if config.links.page_requisites else config


def _with_files(config: Config) -> Config:
    """Download files, follow images, media and objects; of the default extensions refuse only programs and fonts."""
    kinds = config.links.kinds.replace(",", " ").split()
    kinds += [kind for kind in FILES if kind not in kinds]
    extensions = PROGRAMS if config.scope.extensions == EXTENSIONS else config.scope.extensions
    return replace(
        config,
        links=replace(config.links, kinds=" ".join(kinds)),
        scope=replace(config.scope, extensions=extensions),
        files=replace(config.files, download=True),
    )


def _with_requisites(links: Links) -> Links:
    """Record the kinds of page requisites: the links of a page show what belongs to it.

    >>> _with_requisites(Links(kinds="anchor frame iframe", recorded="css")).recorded
    'css icon stylesheet script image media object'
    """
    names = f"{links.kinds} {links.recorded}".replace(",", " ").split()
    more = [kind.name for kind in KINDS if kind.requisite and kind.name not in names]
    return replace(links, recorded=" ".join((links.recorded, *more)).strip())
