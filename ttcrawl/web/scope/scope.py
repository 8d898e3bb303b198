"""The compiled scope of a crawl."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

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
from ttcrawl.web.scope.engine import MEMORY, Engine
from ttcrawl.web.scope.redirects import bare, counts, directory
from ttcrawl.web.scope.rule import Rule
from ttcrawl.web.url import host, registrable_domain, split_port

#: Why a host is out of scope, for each value of [scope] scope.
_BY_MODE = {"host": SCOPE_HOST, "directory": SCOPE_HOST, "domain": SCOPE_DOMAIN, "list": SCOPE_LIST}

#: The values for which the seeds decide, and the reasons by them.
_BY_SEEDS = ("host", "directory", "domain")
BY_SEEDS = (SCOPE_HOST, SCOPE_DIRECTORY, SCOPE_DOMAIN)
_BY_HOST = frozenset(_BY_MODE.values())


class Decision(Struct, frozen=True, kw_only=True):
    """`reason` is "" for a URL in scope; `rule` decided (None: the basic scope or the length did)."""

    reason: Code
    rule: Rule | None

    def __str__(self) -> str:
        return (self.reason or "in scope") + (f", by {self.rule}" if self.rule else "")


class Scope:
    """Decides about URLs. `redirects` is [scope] redirected_seeds; `widest`: what a redirect of a seed may add is in
    scope already.

    It can be pickled: only the rules are sent, and the receiving process compiles them again.
    """

    def __init__(
        self,
        mode: str,
        domains: frozenset[str],
        redirects: str,
        seeds: Sequence[str],
        max_url: int,
        rules: Sequence[Rule],
        memory: int = MEMORY,
        *,
        widest: bool = False,
    ) -> None:
        self._mode = mode
        self._redirects = redirects
        self._max_url = max_url
        self._widest = widest
        self._rules, self._memory = rules, memory
        #: Hosts or registrable domains in scope, and those that a redirect of a seed may add with `strict`.
        self._names, self._may_follow = set(domains), set[str]()
        self._home, self._directories = set[str](), set[str]()  # registrable domains and directories of the seeds
        self._seeds = list[str]()
        for seed in seeds:
            self.add_seed(seed)
        #: Whether a host belongs to another ring of a cluster, which knows the redirects of its seeds.
        self.of_other_ring: Callable[[str], bool] = _nowhere
        self._engine = Engine(rules, memory)
        #: Whether it needs the number of off-domain hops of a URL.
        self.counts_hops = any(rule.subject == "hops" for rule in rules)
        #: Whether a URL may be in scope on one path and out of scope on another.
        self.by_path = self.counts_hops or any(rule.subject == "depth" for rule in rules)
        #: The depths and off-domain hops at which a decision may change.
        self._depths, self._hops = (
            sorted({0, *(rule.limit + 1 for rule in rules if rule.subject == subject)}) for subject in ("depth", "hops")
        )

    def _settings(self) -> tuple[str, frozenset[str], str, Sequence[str], int, Sequence[Rule], int]:
        """What makes this scope again."""
        return (
            self._mode,
            frozenset(self._names),
            self._redirects,
            tuple(self._seeds),
            self._max_url,
            tuple(self._rules),
            self._memory,
        )

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Scope, widest=self._widest), self._settings()

    def add_seed(self, url: str) -> None:
        """Extend the scope as by a seed, also while it is used."""
        name = host(url)
        self._seeds.append(url)
        self._home.add(registrable_domain(name))
        if self._mode in ("host", "directory"):
            self._names.add(name)
            self._may_follow.add(bare(name))
            self._directories.add(directory(url))
        elif self._mode == "domain":
            self._names.add(registrable_domain(name))
            self._may_follow |= {registrable_domain(bare(name)), registrable_domain(f"www.{bare(name)}")}

    def widest(self) -> Scope:
        """The scope with all that redirects of seeds may add: for links that are judged before these are known."""
        return Scope(*self._settings(), widest=True)

    def counts(self, source: str, target: str) -> bool:
        """Whether the target of a redirect from a seed counts as a seed, and this adds to the scope."""
        return not self.named(target) and counts(self._redirects, self._mode, source, target)

    def named(self, url: str) -> bool:
        """Whether a URL is in scope by the seeds, whatever the rules."""
        name = host(url)
        if self._mode not in _BY_SEEDS:
            return self._redirects != "always" or self.home(name)
        return self._key(name) in self._names and (self._mode != "directory" or self._is_below(url))

    def until_redirect(self, url: str) -> Code:
        """The reason against a URL that a redirect of a seed may bring into scope, and has not; "" for any other URL.

        What `widest` permits is decided by this.
        """
        if self._mode not in _BY_SEEDS:
            return NONE
        name = host(url)
        if (self._key(name) in self._names and self._mode != "directory") or not self._may_follow_seed(name):
            return NONE
        reason = self._decision_at(url, 0, 0)[0] if self._outside(url) else NONE
        return reason if reason in BY_SEEDS else NONE

    def _key(self, name: str) -> str:
        return registrable_domain(name) if self._mode == "domain" else name

    def _may_follow_seed(self, name: str) -> bool:
        """Whether the host of a seed may redirect to a host, and this brings it into scope."""
        if self._redirects != "strict":
            return self._redirects == "always"
        return (registrable_domain(name) if self._mode == "domain" else bare(name)) in self._may_follow

    def _may_be_added(self, name: str) -> bool:
        """Whether it still may: a host in scope gets other directories with `always` only."""
        return self._may_follow_seed(name) and (self._redirects == "always" or self._key(name) not in self._names)

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
        at_once = not (depth or off_domain)
        reason, rule = self._decision_at(url, 0, 0) if at_once else self._nearest_decision(url, depth, off_domain)
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
            reason = _BY_MODE[self._mode]
        elif self._mode == "directory" and not self._is_below(url):
            reason = SCOPE_DIRECTORY
        else:
            return NONE
        admitted = reason in BY_SEEDS and (self._widest or self.of_other_ring(name)) and self._may_be_added(name)
        return NONE if admitted else reason

    def _is_below(self, url: str) -> bool:
        """Whether a URL is in the directory of a seed, or in one of its directories."""
        path = directory(url)
        while path and path not in self._directories:
            path = path[: path.rfind("/", 0, -1) + 1]
        return bool(path)

    def _is_named(self, name: str) -> bool:
        if self._mode in _BY_SEEDS:
            return self._key(name) in self._names
        plain = split_port(name)[0].rstrip(".")
        return any(plain == domain or plain.endswith("." + domain) for domain in self._names)


def _nowhere(name: str) -> bool:
    return False
