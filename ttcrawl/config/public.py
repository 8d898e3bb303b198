"""The settings of a crawl for those who get its archive: no passwords, and only what differs from the defaults."""

from __future__ import annotations

import re
from typing import Any

from ttcrawl.config.config import Config
from ttcrawl.config.credentials import proxy
from ttcrawl.config.key import keys
from ttcrawl.config.lines import Lines
from ttcrawl.config.postgresql import has_password
from ttcrawl.config.sections import SECTIONS
from ttcrawl.config.urls import HostSection

#: Longest value, characters.
LONGEST = 1000

REMOVED = "(removed)"

#: HOST=USER:PASSWORD; user and password in a URL; the password of a connection string.
CREDENTIALS = (
    (re.compile(r"(?m)(^|\s)([^\s=]+)=[^\s:]+:\S*"), rf"\1\2={REMOVED}"),
    (re.compile(r"://[^/@\s]*@"), f"://{REMOVED}@"),
    (re.compile(r"(?i)\b(password\s*=\s*)('[^']*'|\S+)"), rf"\1{REMOVED}"),
)


def public_settings(config: Config) -> list[str]:
    """Return SECTION.KEY = VALUE of each key that differs from its default, on one line each, without credentials."""
    default = Config()
    pairs = [(each.name, getattr(config, each.name), getattr(default, each.name)) for each in SECTIONS]
    pairs += [(f"host:{each.name}", each, HostSection(name=each.name)) for each in config.hosts]
    return [
        f"{section}.{each.name} = {_text(section, each.name, getattr(values, each.name))}"
        for section, values, usual in pairs
        for each in keys(values)
        if getattr(values, each.name) != getattr(usual, each.name)
    ]


def has_credentials(config: Config) -> bool:
    """Whether config.ini has a password, so that only its owner may read it."""
    through = proxy(config.fetch.proxy)
    return bool(config.fetch.login or (through and through.login)) or has_password(config.postgresql.url)


def shows_secrets(config: Config) -> bool:
    """Whether crawl.db and the archive have cookies that are kept, or what only a login shows."""
    return config.fetch.cookies == "kept" or bool(config.fetch.login)


def _text(section: str, name: str, value: Any) -> str:
    if section == "postgresql":
        return REMOVED  # the archive is for others, the database is not
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = " | ".join(each.text for each in value) if isinstance(value, Lines) else str(value)
    for pattern, replacement in CREDENTIALS if name == "login" else CREDENTIALS[1:]:
        text = pattern.sub(replacement, text)
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
