"""How far a crawl goes: why a URL is not followed on one way to it, and may be on another. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ttcrawl.config import Config
from ttcrawl.config.settings_of_reasons import settings_of
from ttcrawl.ring.messages import NOT_FOLLOWED
from ttcrawl.vocabulary.reason import (
    BY_PATH,
    DEPTH,
    NONE,
    OUTSIDE_CONTENT,
    REDIRECTS,
    SCOPE_EXTENSION,
    Code,
    Family,
    family,
)

#: What scope says of a URL at a distance from the seeds and from their domains (links): reason and rule, "" for none.
ScopeAt: TypeAlias = Callable[[str, int, int], tuple[Code, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What config.ini says of ways. `scope_at` is there where rules of scope depend on the way, links come with what
    holds on every way; `home`, which says whether a host is in the seeds' domains, where a rule counts that."""

    max_depth: int = -1
    max_hops: int = 10
    follow_all: bool = False
    most_refused: int = 0  # URLs refused when they are met that get a row; 0: all
    key_of: Callable[[Code], str] = str  # the key of config.ini behind a reason
    scope_at: ScopeAt | None = None
    home: Callable[[str], bool] | None = None
    #: What scope says now of a URL that was queued by an earlier run, perhaps under other rules; None in the first run.
    again: ScopeAt | None = None
    #: What scope says of any URL.
    everywhere: ScopeAt | None = None

    def refusal(self, url: str, distance: int, hops: int, outside: int, *, sitemap: bool = False) -> tuple[Code, str]:
        """Reason and rule, "" for none. The extension of a sitemap is none."""
        if distance == NOT_FOLLOWED:
            return OUTSIDE_CONTENT, ""
        if 0 <= self.max_depth < distance:
            return DEPTH, ""
        if hops > self.max_hops:
            return REDIRECTS, ""
        reason, rule = self.scope_at(url, distance, outside) if self.scope_at else (NONE, "")
        return (NONE, "") if sitemap and reason == SCOPE_EXTENSION else (reason, rule)

    def outside(self, name: str, far: int, hops: int) -> int:
        """Links in a row outside of the seeds' domains up to a host, from a page that is `far` outside (-1: a seed)."""
        if self.home is None or far < 0 or self.home(name):
            return 0
        return max(far, 1) if hops else far + 1

    def of_the_way(self, reason: Code, *, sitemap: bool = False) -> bool:
        """A reason may fall when a URL is met on another way."""
        if sitemap and reason == SCOPE_EXTENSION:
            return True
        return reason in BY_PATH or (self.scope_at is not None and family(reason) is Family.SCOPE)

    def of_every_way(self, url: str, reason: Code, *, sitemap: bool = False) -> Code:
        """Why a URL that is refused for this reason is so whatever the way to it; "" when it is not."""
        if reason in BY_PATH or (sitemap and reason == SCOPE_EXTENSION):
            return NONE
        if self.scope_at is not None and family(reason) is Family.SCOPE:
            return self.scope_at(url, 0, 0)[0]
        return reason


def bounds(
    config: Config,
    scope_at: ScopeAt | None,
    home: Callable[[str], bool] | None,
    again: ScopeAt | None,
    everywhere: ScopeAt | None = None,
) -> Bounds:
    return Bounds(
        max_depth=config.crawl.max_depth,
        max_hops=config.scope.max_redirects,
        follow_all=config.links.follow == "all",
        most_refused=config.frontier.refused,
        key_of=settings_of(config),
        scope_at=scope_at,
        home=home,
        again=again,
        everywhere=everywhere,
    )
