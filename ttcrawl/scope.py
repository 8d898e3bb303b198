"""May this URL be crawled at all? If not, the reason. Pure: decided from the URL and the seeds alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ttcrawl import config
from ttcrawl.url import host, registrable_domain


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The compiled rules: `names` are hosts or registrable domains, whichever `mode` compares."""

    mode: str  # host, domain, any, list
    names: frozenset[str]
    max_url: int

    def refusal(self, url: str) -> str:
        """ "" when the canonical URL is in scope, else the reason, such as "scope: host"."""
        if len(url) > self.max_url:
            return "scope: length"
        if self.mode == "any" or self._named(host(url)):
            return ""
        return f"scope: {self.mode}"

    def _named(self, name: str) -> bool:
        if self.mode == "host":
            return name in self.names
        if self.mode == "domain":
            return registrable_domain(name) in self.names
        bare = name.partition(":")[0]
        return any(bare == domain or bare.endswith("." + domain) for domain in self.names)


def compile_scope(settings: config.Scope, seeds: Iterable[str]) -> Scope:
    """The scope of a crawl with these canonical seed URLs."""
    if settings.scope == "host":
        names = {host(seed) for seed in seeds}
    elif settings.scope == "domain":
        names = {registrable_domain(host(seed)) for seed in seeds}
    else:
        names = {domain.lower().strip(".") for domain in settings.domains.replace(",", " ").split()}
    return Scope(mode=settings.scope, names=frozenset(names), max_url=settings.max_url)
