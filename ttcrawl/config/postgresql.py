"""The keys of section [postgresql]."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.config.key import key

SCHEMES = ("postgresql://", "postgres://")
FORM = "postgresql://[USER[:PASSWORD]@][HOST][:PORT]/DATABASE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Postgresql:
    """A copy of the crawl in PostgreSQL: see docs/postgresql.md."""

    url: str = key("", f"{FORM}: the crawl is copied there while it runs; empty: nowhere")
