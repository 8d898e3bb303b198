"""What sections of config.ini become for use: the scope, the canonical form of URLs, and the traps in them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from ttcrawl.config.config import Config
from ttcrawl.config.names import alias_map, domain_names, parameter_names
from ttcrawl.config.urls import HostSection, Scope, Traps, Url
from ttcrawl.errors import ConfigError
from ttcrawl.web.canon import Canon, rules
from ttcrawl.web.canon.steps import Rule
from ttcrawl.web.scope import Scope as CompiledScope
from ttcrawl.web.scope import patterns
from ttcrawl.web.scope.engine import MEMORY
from ttcrawl.web.scope.redirects import Redirect, counted
from ttcrawl.web.scope.rule import Rule as ScopeRule
from ttcrawl.web.scope.rule import blacklisted, host_depth, parse_rule, unwanted
from ttcrawl.web.traps.single_url import Traps as CompiledTraps


def compile_scope(
    settings: Scope,
    seeds: Iterable[str],
    hosts: Iterable[HostSection] = (),
    memory: int = MEMORY,
    *,
    redirects: Iterable[Redirect] = (),
) -> CompiledScope:
    """The scope of a crawl with these canonical seed URLs. Raises ConfigError for an invalid rule.

    `memory`: bytes that each set of compiled patterns may take. `redirects`: of seeds, as far as they are known.
    """
    named = settings.scope in ("list", "any")
    domains = frozenset(domain_names(settings.domains)) if named else frozenset[str]()
    seeds = [*seeds, *counted(settings.redirected_seeds, settings.scope, redirects)]
    scope_rules = [unwanted(settings.extensions)] if settings.extensions.strip() else []
    scope_rules += map(parse_rule, settings.rules)
    for section in hosts:
        scope_rules += _of_host(section)
    scope_rules += map(blacklisted, settings.blacklist)
    return CompiledScope(
        settings.scope, domains, settings.redirected_seeds, seeds, settings.max_url, tuple(scope_rules), memory
    )


def _of_host(section: HostSection) -> list[ScopeRule]:
    try:
        name, below = patterns.normal_host(section.name)
    except ValueError as error:
        raise ConfigError(f"[host:{section.name}]: {error}") from None
    normal = f"*.{name}" if below else name
    limit = [host_depth(normal, section.max_depth)] if section.max_depth >= 0 else []
    return limit + [parse_rule(line, normal) for line in section.rules]


def compile_canon(settings: Url, *, ftp: bool = False) -> Canon:
    """Compile only the configured rules: a crawl without rules spends no time on them. `ftp`: [fetch] ftp."""
    names = parameter_names(settings.drop_parameters)
    index = frozenset(settings.index_pages.lower().split() if settings.fold_case else settings.index_pages.split())
    aliases = alias_map(settings.aliases)
    chosen: list[tuple[str, bool, Rule]] = [
        (
            "host",
            settings.strip_www or bool(aliases),
            partial(rules.canonical_host, strip=settings.strip_www, aliases=aliases),
        ),
        ("fold_case", settings.fold_case, rules.fold_case),
        ("drop_parameters", bool(names), partial(rules.drop, query=rules.in_query(names), path=rules.in_path(names))),
        ("duplicate_parameters", settings.duplicate_parameters == "drop", rules.drop_doubles),
        ("sort_query", settings.sort_query, rules.sort_query),
        ("cut_after_slashes", settings.cut_after_slashes > 0, partial(rules.cut, slashes=settings.cut_after_slashes)),
        (
            "index_pages" if settings.trailing_slash == "keep" else "trailing_slash",
            bool(index) or settings.trailing_slash != "keep",
            partial(rules.end_of_path, index=index, slash=settings.trailing_slash),
        ),
    ]
    return Canon(rules=tuple((name, rule) for name, wanted, rule in chosen if wanted), ftp=ftp)


def canon_of(config: Config) -> Canon:
    """The canonical form of the URLs of a crawl."""
    return compile_canon(config.url, ftp=config.fetch.ftp)


def compile_traps(settings: Traps, year: int, *, session: bool = False) -> CompiledTraps:
    """`year` is the current year; `session`: the crawl is logged in. A limit of 0 means unlimited."""
    none = 1 << 30
    return CompiledTraps(
        repeats=settings.repeats or none,
        max_segments=settings.max_segments or none,
        max_parameters=settings.max_parameters or none,
        last_year=year + settings.years_ahead,
        session=session,
    )
