"""How far a crawl goes: why a URL is refused on one path, and may be followed on another. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from ttcrawl.config import Config
from ttcrawl.config.settings_of_reasons import settings_of
from ttcrawl.store.rows import Row, UrlPath
from ttcrawl.topic.best_first import off_topic
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import (
    BY_PATH,
    DEPTH,
    NONE,
    OUTSIDE_CONTENT,
    REDIRECTS,
    REQUISITE_STEPS,
    TOPIC,
    UNTIL_RECYCLE,
    Code,
    family,
)
from ttcrawl.vocabulary.requisite import WAIVED, on_every_page
from ttcrawl.vocabulary.state import REFUSED
from ttcrawl.web.scope import Scope

#: Function (URL, distance from the seeds, links since the seeds' domains were left) -> reason and rule; "" for none.
ScopeAt: TypeAlias = Callable[[str, int, int], tuple[Code, str]]

#: Maximum links and redirects from a page to a page requisite: frames in frames, style sheets that import others. No
#: depth limits these, and a server may generate them without end.
FARTHEST = 10


class Bounds(Struct, frozen=True, kw_only=True):
    """The limits on paths in config.ini.

    `scope_at` is set if rules of scope depend on the path: links arrive with the refusals that hold on every path.
    `home` tests whether a host is in the seeds' domains; it is set if a rule counts links outside them.
    """

    max_depth: int = -1
    max_redirects: int = 10
    follow_all: bool = False
    page_requisites: bool = False
    record: bool = False  # new links are not followed until `ttcrawl requeue --recorded`
    topical: bool = False  # pages are scored
    tunnel: int = -1  # irrelevant pages in a row after which links are not followed; -1: no limit
    most_refused: int = 0  # refused URLs that get a row when discovered; 0: all
    key_of: Callable[[Code], str] = str  # reason -> key of config.ini
    scope_at: ScopeAt | None = None
    home: Callable[[str], bool] | None = None
    #: The present scope, for URLs that an earlier run queued, perhaps under other rules; None in the first run.
    again: ScopeAt | None = None
    #: The scope of any URL.
    everywhere: ScopeAt | None = None
    #: The scope that redirects of seeds may extend.
    scope: Scope | None = None

    def refusal(self, url: str, path: UrlPath) -> tuple[Code, str]:
        """Return reason and rule against requesting a new URL, "" for none: a limit, or its link is only recorded."""
        reason, rule = self.limit(url, path)
        return (UNTIL_RECYCLE, "") if self.record and not reason and waits(path) else (reason, rule)

    def limit(self, url: str, path: UrlPath) -> tuple[Code, str]:
        """Return reason and rule of a limit that a path exceeds. Host and extension of a sitemap are not reasons.

        Of a page requisite only the steps from its page count.
        """
        if path.requisite:
            return (REQUISITE_STEPS if path.requisite > FARTHEST else NONE), ""
        if path.depth is None:
            return OUTSIDE_CONTENT, ""
        if 0 <= self.max_depth < path.depth:
            return DEPTH, ""
        if path.redirects > self.max_redirects:
            return REDIRECTS, ""
        reason, rule = self.scope_at(url, path.depth, path.off_domain) if self.scope_at else (NONE, "")
        if not reason and self.scope is not None:
            reason = self.scope.until_redirect(url)
        if reason and not (path.sitemap and reason in WAIVED):
            return reason, rule
        return (TOPIC if 0 <= self.tunnel < path.off_topic else NONE), ""

    def off_domain(self, name: str, before: int, redirects: int) -> int:
        """Return the links in a row off-domain up to a host. `before`: up to the source page (-1: it is a seed)."""
        if self.home is None or before < 0 or self.home(name):
            return 0
        return max(before, 1) if redirects else before + 1

    def off_topic(self, before: int, relevant: bool | None) -> int:
        """Return the irrelevant pages in a row up to the links of a URL. `before`: up to the URL; `relevant`: whether
        it is; None: it has no score, such as a redirect or a sitemap."""
        return off_topic(before, relevant) if self.topical else 0

    def ignored(self, url: str, before: UrlPath, path: UrlPath) -> bool:
        """Whether another path to a URL that may be followed counts for nothing: its last link is not followed.

        If pages are scored, a path can be shorter and have more irrelevant pages in a row. If it counted, its length
        would depend on which of the two is found first.
        """
        return self.topical and bool(self.limit(url, path)[0]) and not self.limit(url, before)[0]

    def replaces(self, reason: Code, earlier: Code) -> bool:
        """Whether the reason of another path to a refused URL replaces its reason.

        A path that becomes shorter may be refused as off topic only then, and a link that is permitted may only be
        recorded. So the reason of a URL does not depend on the order in which its paths were found.
        """
        return reason in (TOPIC, UNTIL_RECYCLE) and reason != earlier and self.depends_on_path(earlier)

    def depends_on_path(self, reason: Code, *, sitemap: bool = False) -> bool:
        """Whether a reason may cease to hold when the URL is rediscovered on another path."""
        if sitemap and reason in WAIVED:
            return True
        return reason in BY_PATH or (self.scope_at is not None and family(reason) is Family.SCOPE)

    def on_every_path(self, url: str, reason: Code, *, sitemap: bool = False) -> Code:
        """Return the reason that refuses a URL on every path, given its present reason; "" if there is none."""
        if reason in BY_PATH or (sitemap and reason in WAIVED):
            return NONE
        if self.scope_at is not None and family(reason) is Family.SCOPE:
            return self.scope_at(url, 0, 0)[0]
        return reason

    def still_refused(self, row: Row, path: UrlPath) -> Code:
        """Return the reason that refuses a URL on another path of the same kind, as far as its row shows it."""
        if path.requisite:
            return on_every_page(row.reason) if row.state == REFUSED else NONE
        if row.requisite and row.depth is None:  # links to it may be out of scope
            return self.everywhere(row.url, 0, 0)[0] if self.everywhere else NONE
        if row.state != REFUSED:
            return NONE
        return self.on_every_path(row.url, row.reason, sitemap=path.sitemap > 0)


def waits(path: UrlPath) -> bool:
    """Whether a path ends with a link that may be only recorded: no seed, redirect, sitemap or page requisite."""
    return bool(path.depth) and not (path.redirects or path.sitemap or path.requisite)


def bounds(
    config: Config,
    scope_at: ScopeAt | None,
    home: Callable[[str], bool] | None,
    again: ScopeAt | None,
    everywhere: ScopeAt | None = None,
    scope: Scope | None = None,
) -> Bounds:
    """Return the limits of a configuration; the other parameters are fields of Bounds."""
    return Bounds(
        max_depth=config.crawl.max_depth,
        max_redirects=config.scope.max_redirects,
        follow_all=config.links.follow == "all",
        page_requisites=config.links.page_requisites,
        record=config.links.new == "record",
        topical=config.topic.on,
        tunnel=config.topic.tunnel if config.topic.on else -1,
        most_refused=config.frontier.refused,
        key_of=settings_of(config),
        scope_at=scope_at,
        home=home,
        again=again,
        everywhere=everywhere,
        scope=scope,
    )
