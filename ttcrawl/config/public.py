"""The settings of a crawl for those who get its archive: no passwords, and only what differs from the defaults."""

from __future__ import annotations

import re

from ttcrawl.config.config import Config
from ttcrawl.config.differences import Difference, differences
from ttcrawl.config.file import CONVERTERS
from ttcrawl.config.headers import headers
from ttcrawl.config.postgresql import has_password
from ttcrawl.config.proxies import proxy_rules

#: Longest value, characters.
LONGEST = 1000

REMOVED = "(removed)"

#: HOST=USER:PASSWORD; user and password in a URL; the password of a connection string.
CREDENTIALS = (
    (re.compile(r"(?m)(^|\s)([^\s=]+)=[^\s:]+:\S*"), rf"\1\2={REMOVED}"),
    (re.compile(r"://[^/@\s]*@"), f"://{REMOVED}@"),
    (re.compile(r"(?i)\b(password\s*=\s*)('[^']*'|\S+)"), rf"\1{REMOVED}"),
)


#: A field of a form whose value is no reference.
FIELD = re.compile(r"(?m)(\s[^\s=]+=)(?!\$\{)\S+")


def public_settings(config: Config) -> list[str]:
    """Return SECTION.KEY = VALUE of each key that differs from its default, on one line each, without credentials.

    Converters are left out: their paths are those of this machine.
    """
    return [
        f"{each.section}.{each.key} = {_public(each)}" for each in differences(config) if each.section != CONVERTERS
    ]


def without_credentials(difference: Difference) -> str:
    """Return its value."""
    if difference.section == "postgresql" and has_password(difference.value):
        return REMOVED
    text = difference.value
    if (difference.section, difference.key) == ("login", "form"):
        return FIELD.sub(rf"\1{REMOVED}", text)
    for pattern, replacement in CREDENTIALS if difference.key == "login" else CREDENTIALS[1:]:
        text = pattern.sub(replacement, text)
    return text


def has_credentials(config: Config) -> bool:
    """Whether config.ini has a password, so that only its owner may read it."""
    through = any(each and each.login for rule in proxy_rules(config.fetch.proxy) for each in rule.proxies)
    return bool(config.fetch.login or through) or has_password(config.postgresql.url)


def shows_secrets(config: Config) -> bool:
    """Whether crawl.db and the archive have cookies that are kept, or what only a login shows."""
    fetch = config.fetch
    return (
        fetch.cookies == "kept"
        or bool(fetch.login or config.login.cookies or config.login.form)
        or any(each.secret for each in headers(fetch.headers))
    )


def _public(difference: Difference) -> str:
    if difference.section == "postgresql":
        return REMOVED  # the archive is for others, the database is not
    text = " ".join(" | ".join(without_credentials(difference).strip().split("\n")).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
