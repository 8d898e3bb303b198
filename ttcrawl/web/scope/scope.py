"""The compiled scope of a crawl."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ttcrawl import config
from ttcrawl.config import ConfigError, HostSection
from ttcrawl.vocabulary.reason import (
    NONE,
    SCOPE_DIRECTORY,
    SCOPE_DOMAIN,
    SCOPE_EXTENSION,
    SCOPE_HOST,
    SCOPE_LENGTH,
    SCOPE_LIST,
    Code,
)
from ttcrawl.web.scope import patterns
from ttcrawl.web.scope.engine import MEMORY, Engine
from ttcrawl.web.scope.rule import Rule, blacklisted, host_depth, parse_rule, unwanted
from ttcrawl.web.url import host, registrable_domain, split_port

#: Why a host is out of scope, for each value of [scope] scope.
_BY_MODE = {"host": SCOPE_HOST, "directory": SCOPE_HOST, "domain": SCOPE_DOMAIN, "list": SCOPE_LIST}
_BY_HOST = frozenset(_BY_MODE.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """`reason` is "" for a URL in scope; `rule` decided (None: the basic scope or the length did)."""

    reason: Code
    rule: Rule | None

    def __str__(self) -> str:
        return (self.reason or "in scope") + (f", by {self.rule}" if self.rule else "")


class Scope:
    """Decides about URLs. `names` are hosts or registrable domains, depending on `mode`; `home` are the seeds' domains,
    `directories` their directories, each with its host.

    It can be pickled: only the rules are sent, and the receiving process compiles them again.
    """

    def __init__(
        self,
        mode: str,
        names: frozenset[str],
        home: frozenset[str],
        max_url: int,
        rules: Sequence[Rule],
        memory: int = MEMORY,
        directories: frozenset[str] = frozenset(),
    ) -> None:
        self._arguments = mode, names, home, max_url, rules, memory, directories
        self._directories = directories
        self._home = home
        self._mode, self._names, self._max_url = mode, names, max_url
        self._engine = Engine(rules, memory)
        #: Whether it needs the number of off-domain hops of a URL.
        self.counts_hops = any(rule.subject == "hops" for rule in rules)
        #: Whether a URL may be in scope on one path and out of scope on another.
        self.by_path = self.counts_hops or any(rule.subject == "depth" for rule in rules)
        #: The depths and off-domain hops at which a decision may change.
        self._depths, self._hops = (
            sorted({0, *(rule.limit + 1 for rule in rules if rule.subject == subject)}) for subject in ("depth", "hops")
        )

    def __reduce__(self) -> tuple[object, ...]:
        return Scope, self._arguments

    @property
    def bounded(self) -> bool:
        """Whether the hosts in scope are known before the crawl, unless rules add others."""
        return self._mode != "any" and not self.counts_hops

    def home(self, name: str) -> bool:
        """Whether a host is in a registrable domain of the seeds."""
        return registrable_domain(name) in self._home

    def is_foreign(self, url: str) -> bool:
        """Whether a URL is out of scope by its host, not by a rule."""
        return self.refusal(url) in _BY_HOST

    def is_outside(self, url: str) -> bool:
        """Whether a URL is out of scope by its host or directory, not by a rule."""
        return self.refusal(url) in (*_BY_HOST, SCOPE_DIRECTORY)

    def decide(self, url: str, depth: int = 0, off_domain: int = 0) -> Decision:
        """The decision about a canonical URL at this depth and number of off-domain hops (links in a row).

        A URL refused at one distance is refused at every greater one, for the reason of the smallest. The reason does
        not depend on the path on which the URL was first discovered.
        """
        reason, rule = self._nearest_decision(url, depth, off_domain)
        return Decision(reason=reason, rule=rule)

    def refusal(self, url: str) -> Code:
        """The reason alone, as far as it holds at every distance."""
        return self._nearest_decision(url, 0, 0)[0]

    def ruling(self, url: str, depth: int = 0, off_domain: int = 0) -> tuple[Code, str]:
        """Reason and rule of a refused URL, as text; "" for none."""
        reason, rule = self._nearest_decision(url, depth, off_domain)
        return reason, str(rule) if reason and rule else ""

    def _nearest_decision(self, url: str, depth: int, off_domain: int) -> tuple[Code, Rule | None]:
        if depth or off_domain:
            for nearer in self._depths:
                for inner in self._hops:
                    if (
                        nearer <= depth
                        and inner <= off_domain
                        and (decision := self._decision_at(url, nearer, inner))[0]
                    ):
                        return decision
        return self._decision_at(url, depth, off_domain)

    def _decision_at(self, url: str, depth: int, off_domain: int) -> tuple[Code, Rule | None]:
        if len(url) > self._max_url:
            return SCOPE_LENGTH, None
        rule = self._engine.last(url, depth, off_domain)
        if rule is not None and rule.reason != SCOPE_EXTENSION:
            return NONE if rule.allow else rule.reason, rule
        if self._mode != "any" and (reason := self._outside(url)):
            return reason, None
        return SCOPE_EXTENSION if rule else NONE, rule

    def _outside(self, url: str) -> Code:
        """Why a URL is not in the basic scope; NONE if it is."""
        name = host(url)
        if not self._is_named(name):
            return _BY_MODE[self._mode]
        return NONE if self._mode != "directory" or self._is_below(url) else SCOPE_DIRECTORY

    def _is_below(self, url: str) -> bool:
        """Whether a URL is in the directory of a seed, or in one of its directories."""
        path = directory(url)
        while path and path not in self._directories:
            path = path[: path.rfind("/", 0, -1) + 1]
        return bool(path)

    def _is_named(self, name: str) -> bool:
        if self._mode in ("host", "directory"):
            return name in self._names
        if self._mode == "domain":
            return registrable_domain(name) in self._names
        bare = split_port(name)[0].rstrip(".")
        return any(bare == domain or bare.endswith("." + domain) for domain in self._names)


def compile_scope(
    settings: config.Scope, seeds: Iterable[str], hosts: Iterable[HostSection] = (), memory: int = MEMORY
) -> Scope:
    """The scope of a crawl with these canonical seed URLs. Raises ConfigError for an invalid rule.

    `memory`: bytes that each set of compiled patterns may take.
    """
    seeds = list(seeds)
    home = frozenset(registrable_domain(host(seed)) for seed in seeds)
    if settings.scope in ("host", "directory"):
        names = {host(seed) for seed in seeds}
    elif settings.scope == "domain":
        names = {registrable_domain(host(seed)) for seed in seeds}
    else:
        names = set(config.domain_names(settings.domains))
    rules = [unwanted(settings.extensions)] if settings.extensions.strip() else []
    rules += map(parse_rule, settings.rules)
    for section in hosts:
        rules += _of_host(section)
    rules += map(blacklisted, settings.blacklist)
    directories = frozenset(map(directory, seeds)) if settings.scope == "directory" else frozenset[str]()
    return Scope(settings.scope, frozenset(names), home, settings.max_url, tuple(rules), memory, directories)


def directory(url: str) -> str:
    """The directory of a canonical URL, with its host.

    >>> directory("http://a.test/b/c?d=/e"), directory("http://a.test/b/")
    ('a.test/b/', 'a.test/b/')
    """
    path = url.split("/", 3)[3].partition("?")[0]
    return f"{host(url)}/{path[: path.rfind('/') + 1]}"


def _of_host(section: HostSection) -> list[Rule]:
    try:
        name, below = patterns.normal_host(section.name)
    except ValueError as error:
        raise ConfigError(f"[host:{section.name}]: {error}") from None
    normal = f"*.{name}" if below else name
    limit = [host_depth(normal, section.max_depth)] if section.max_depth >= 0 else []
    return limit + [parse_rule(line, normal) for line in section.rules]
