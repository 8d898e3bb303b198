"""The rules of --as-if on top of the rules of a crawl: which can be replayed, and which links are then followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ttcrawl.config import Config, ConfigError, Line, Override, read
from ttcrawl.inspect.why.open_crawl import OpenCrawl, Rules, compile_rules
from ttcrawl.vocabulary.region import OBEY, REOPEN, STOP_ALL, followed

#: Keys whose decisions depend only on data in the tables.
REPLAYABLE = {
    "scope": frozenset(
        {"scope", "domains", "redirected_seeds", "rules", "blacklist", "extensions", "max_redirects", "max_url"}
    ),
    "traps": frozenset({"repeats", "max_segments", "max_parameters", "years_ahead"}),
    "crawl": frozenset({"max_depth"}),
    "links": frozenset({"nofollow", "follow", "page_requisites"}),
    "topic": frozenset({"tunnel"}),
}


def as_if_rules(crawl: OpenCrawl, texts: Sequence[str]) -> Rules:
    """The rules of the crawl, overridden by `texts`. Raises ConfigError."""
    overrides: list[Override] = []
    more: list[Line] = []
    for text in texts:
        name, equals, value = text.partition("=")
        name, value = name.strip(), value.strip()
        if not equals:
            raise ConfigError(f"--as-if {text}: write exclude=PATTERN, allow=PATTERN or section.key=value")
        if name in ("exclude", "allow"):
            more.append(Line(text=f"{name} {value}", file="--as-if"))
        else:
            overrides.append(_replayable(name, value, text))
    config = read(crawl.db.config_path, overrides, "--as-if")
    config = replace(config, scope=config.scope.extended(more))
    was = crawl.rules.config.topic
    if was.irrelevant == "count" and was.tunnel == 0 and config.topic.tunnel != 0:
        raise ConfigError("--as-if topic.tunnel: the links of irrelevant pages were not recorded: crawl again")
    rules = compile_rules(config, crawl.db.settings)
    if rules.scope.counts_hops:
        raise ConfigError("--as-if: rules with hops: cannot be replayed; remove them (scope.rules=) or crawl again")
    return rules


def _replayable(name: str, value: str, text: str) -> tuple[str, str]:
    section, _, key = name.rpartition(".")
    if key in REPLAYABLE.get(section, ()):
        return name, value
    replayable = ", ".join(f"{section}.{key}" for section, keys in REPLAYABLE.items() for key in sorted(keys))
    raise ConfigError(f"--as-if {text}: its effect is unknown without requests; known for: {replayable}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """The links of a page that are followed. Regions are as in table outlinks."""

    was_nofollow: str  # [links] nofollow of the crawl, and of the replay
    nofollow: str
    follow_all: bool
    urls_per_page: int  # of [traps]: links after this many are never followed

    def regions(self, regions: bytes, links: int, directives: str) -> bytes:
        """The regions under the rules. `links` counts its links of followed kinds; `directives` are its meta robots."""
        if self.nofollow == self.was_nofollow:
            return regions
        if self.nofollow != "no" and not {"nofollow", "none"}.isdisjoint(directives.split(", ")):
            return regions.translate(STOP_ALL)
        if self.nofollow == "all":
            return regions.translate(OBEY)
        return regions if 0 < self.urls_per_page < links else regions.translate(REOPEN)

    @property
    def followed(self) -> bytes:
        """The regions whose links are followed."""
        return followed(everywhere=self.follow_all)


def following(was: Config, now: Config) -> Following:
    return Following(
        was_nofollow=was.links.nofollow,
        nofollow=now.links.nofollow,
        follow_all=now.links.follow == "all",
        urls_per_page=was.traps.urls_per_page,
    )
