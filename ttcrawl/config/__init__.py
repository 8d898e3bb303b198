"""config.ini -> frozen sections, read once. An unknown section or key, or a bad value, is a refusal to start.

The dataclasses of `sections` are the one list of keys, with default and meaning; the config.ini of the distribution is
what `example()` prints, and a test compares the two.
"""

from ttcrawl.config.credentials import Login, Proxy, logins, proxy
from ttcrawl.config.file import ConfigError, example, read, resolve_map
from ttcrawl.config.sections import (
    Agent,
    Config,
    Crawl,
    Fetch,
    Frontier,
    Links,
    Politeness,
    Safety,
    Scope,
    Seen,
    Store,
)

__all__ = [
    "Agent",
    "Config",
    "ConfigError",
    "Crawl",
    "Fetch",
    "Frontier",
    "Links",
    "Login",
    "Politeness",
    "Proxy",
    "Safety",
    "Scope",
    "Seen",
    "Store",
    "example",
    "logins",
    "proxy",
    "read",
    "resolve_map",
]
