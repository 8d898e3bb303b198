"""config.ini -> frozen sections, read once. With an unknown section or key, or an invalid value, no command starts.

The dataclasses of `sections` are the only list of keys, with default and meaning. The config.ini of the distribution is
the output of `example()`, and a test compares the two.
"""

from ttcrawl.config.browser import Browser
from ttcrawl.config.config import Config, example, read, read_own
from ttcrawl.config.credentials import Login, Proxy, logins, proxy
from ttcrawl.config.documents import BUILT_IN, CONVERTERS, FILE, OUTPUT, Choice, Converter, Documents, choice
from ttcrawl.config.duplicates import Duplicates
from ttcrawl.config.fetch import Fetch, Safety
from ttcrawl.config.file import Override, overrides_of, text_in
from ttcrawl.config.headers import headers, resolved
from ttcrawl.config.hints import option_instead, with_section
from ttcrawl.config.hooks import Hooks
from ttcrawl.config.key import keys
from ttcrawl.config.lines import NO_LINES, Lines, text_lines
from ttcrawl.config.links import Links
from ttcrawl.config.names import alias_map, link_kinds, resolve_map
from ttcrawl.config.postgresql import FORM, SCHEMES, Postgresql
from ttcrawl.config.record import Record
from ttcrawl.config.revisit import Revisit
from ttcrawl.config.sections import (
    SECTIONS,
    Agent,
    Crawl,
    Files,
    Frontier,
    Politeness,
    Seen,
    Sitemaps,
    Store,
)
from ttcrawl.config.topic import Topic
from ttcrawl.config.urls import HostSection, Scope, Traps, Url
from ttcrawl.errors import ConfigError
from ttcrawl.web.line import Line

__all__ = [
    "BUILT_IN",
    "CONVERTERS",
    "FILE",
    "FORM",
    "NO_LINES",
    "OUTPUT",
    "SCHEMES",
    "SECTIONS",
    "Agent",
    "Browser",
    "Choice",
    "Config",
    "ConfigError",
    "Converter",
    "Crawl",
    "Documents",
    "Duplicates",
    "Fetch",
    "Files",
    "Frontier",
    "Hooks",
    "HostSection",
    "Line",
    "Lines",
    "Links",
    "Login",
    "Override",
    "Politeness",
    "Postgresql",
    "Proxy",
    "Record",
    "Revisit",
    "Safety",
    "Scope",
    "Seen",
    "Sitemaps",
    "Store",
    "Topic",
    "Traps",
    "Url",
    "alias_map",
    "choice",
    "example",
    "headers",
    "keys",
    "link_kinds",
    "logins",
    "option_instead",
    "overrides_of",
    "proxy",
    "read",
    "read_own",
    "resolve_map",
    "resolved",
    "text_in",
    "text_lines",
    "with_section",
]
