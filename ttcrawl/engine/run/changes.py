"""What changes when a crawl continues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from msgspec import Struct

from ttcrawl.config import NO_LINES, Config, Line, Lines, Override


class Changes(Struct, frozen=True, kw_only=True):
    """What changes when a crawl continues. Rules, addresses and seeds are added to those that are there."""

    overrides: Sequence[Override] = ()
    rules: Lines = NO_LINES
    blacklist: Lines = NO_LINES
    resolve: str = ""
    seeds: Iterable[Line] = ()

    def applied(self, config: Config) -> Config:
        scope = config.scope.extended(self.rules, self.blacklist)
        addresses = [*config.fetch.resolve.split(), *self.resolve.split()]
        resolve = " ".join(reversed(dict.fromkeys(reversed(addresses))))  # the last one of a host decides
        return replace(config, scope=scope, fetch=replace(config.fetch, resolve=resolve))
