"""The configuration of a command: config.ini, overridden by the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.config import Config, ConfigError, Line, Lines, Override, read, text_in, text_lines, with_section

if TYPE_CHECKING:
    from ttcrawl.config.profiles import Profile


def overrides(options: argparse.Namespace) -> list[Override]:
    """Keys set on the command line: --set, then options of their own; their `dest` is the name of the key."""
    result: list[Override] = []
    for text in options.set:
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--set {text}: write it as section.key=value{with_section(text)}")
        result.append((name, value))
    for name, value in vars(options).items():
        if "." in name and value is not None:
            result.append((name, value, f"--{name.partition('.')[2].replace('_', '-')}"))
    return result


def file_of(options: argparse.Namespace) -> Path | None:
    default = Path("config.ini")
    return options.config or (default if default.exists() else None)


def read_for(options: argparse.Namespace, more: Sequence[Override] = ()) -> Config:
    """config.ini over the profile of the command line, overridden by the keys there and by `more`."""
    return read(file_of(options), [*overrides(options), *more], profile=profile_of(options))


def profile_of(options: argparse.Namespace) -> Profile | None:
    name: str | None = getattr(options, "profile", None)
    if name is None:
        return None
    from ttcrawl.config.profiles import BY_NAME  # most commands have none

    return BY_NAME[name]


def configuration(options: argparse.Namespace, more: Sequence[Override] = ()) -> Config:
    """As `read_for`, with the rules of the command line."""
    config = read_for(options, more)
    return replace(config, scope=config.scope.extended(options.rules, blacklist(options)))


def blacklist(options: argparse.Namespace) -> Lines:
    """The lines of the file of --blacklist."""
    text = text_in(options.blacklist, "--blacklist") if options.blacklist else ""
    return text_lines(text, str(options.blacklist), numbered=True)


def lines_of(texts: list[str]) -> list[Line]:
    return [Line(text=text) for text in texts]
