"""The keys of section [postgresql]."""

from __future__ import annotations

from urllib.parse import unquote

from ttcrawl.config.key import key
from ttcrawl.frozen import frozen

SCHEMES = ("postgresql://", "postgres://")
FORM = "postgresql://[USER[:PASSWORD]@][HOST][:PORT]/DATABASE"


@frozen
class Postgresql:
    """A copy of the crawl in PostgreSQL: see docs/postgresql.md."""

    url: str = key("", f"{FORM}: the crawl is copied there while it runs; empty: nowhere")
    share: float = key(
        0.0,
        "share of one processor that the copy may take even if the machine is busy, 0 to 1; 0: it takes what the crawl"
        " and other programs leave",
        low=0,
        high=1,
    )


def has_password(url: str) -> bool:
    """Whether the URL of a database has a password, or a part of one whose special characters are not escaped.

    >>> has_password("postgresql://me:a/b@h/crawls"), has_password("postgresql://me@h/crawls")
    (True, False)
    """
    userinfo, at, _ = url.partition("://")[2].rpartition("@")
    return bool(at and ":" in userinfo) or "password" in unquote(url).lower()
