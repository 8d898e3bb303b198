"""The scope of a crawl that exists, from its config.ini and its database."""

from __future__ import annotations

from collections.abc import Mapping

from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.store.seeds import redirects_of, seeds_of
from ttcrawl.web.scope import Scope


def stored_scope(config: Config, about: Mapping[str, str]) -> Scope:
    """Return which URLs belong to a crawl, by its seeds and their redirects. `about`: table `crawl`.

    Raises ConfigError for an invalid rule.
    """
    return compile_scope(config.scope, seeds_of(about), config.hosts, redirects=redirects_of(about))
