"""robots.txt text -> rules. Pure.

Two readings: RFC 9309 (Protego: longest match, merged groups) and the first-match one of 1996 with the wildcards of
2008 (robotexclusionrulesparser), for comparison with crawlers that read it so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from protego import Protego

if TYPE_CHECKING:
    from robotexclusionrulesparser import RobotExclusionRulesParser

#: RFC 9309 section 2.5: at least 500 KiB are to be parsed; no more are.
MAX_BYTES = 500 * 1024

#: robotexclusionrulesparser turns `*` into `.*` and backtracks: time grows with the power of their number.
MAX_STARS = 2


class Rules(Protocol):
    """What is asked of a robots.txt."""

    @property
    def delay(self) -> float | None: ...

    @property
    def sitemaps(self) -> tuple[str, ...]: ...

    def allows(self, url: str) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Longest:
    """RFC 9309."""

    parsed: Protego
    agent: str
    delay: float | None
    sitemaps: tuple[str, ...]

    def allows(self, url: str) -> bool:
        return bool(self.parsed.can_fetch(url, self.agent))


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """The first line that matches decides."""

    parsed: RobotExclusionRulesParser
    agent: str
    delay: float | None
    sitemaps: tuple[str, ...]

    def allows(self, url: str) -> bool:
        return bool(self.parsed.is_allowed(self.agent, url))


def parse(text: str, agent: str, reading: str = "rfc9309") -> Rules:
    """The rules for `agent` (a product token) in the text of a robots.txt, which may be anything; never raises.

    `reading` is "rfc9309" or "1996". `delay` is Crawl-delay in seconds, None when there is none.
    """
    text = text.removeprefix("\ufeff")[:MAX_BYTES]
    if reading == "1996":
        from robotexclusionrulesparser import RobotExclusionRulesParser

        old = RobotExclusionRulesParser()
        old.parse(text)
        _tame(old)
        return First(parsed=old, agent=agent, delay=_delay(old.get_crawl_delay(agent)), sitemaps=tuple(old.sitemaps))
    new = Protego.parse(text)
    return Longest(parsed=new, agent=agent, delay=_delay(new.crawl_delay(agent)), sitemaps=tuple(new.sitemaps))


def reader(agent: str, reading: str) -> Callable[[str], Rules | None]:
    """A function from the text of a robots.txt to its rules, None where the text is empty."""
    return lambda text: parse(text, agent, reading) if text else None


def _delay(value: float | None) -> float | None:
    return value if value is not None and 0 <= value < float("inf") else None


def _tame(parser: RobotExclusionRulesParser) -> None:
    """Leave few stars in each rule: a Disallow with more is cut to a wider one, an Allow with more is left out.

    Done on the parsed rules, because there are many ways to write a star.
    """
    for ruleset in parser._RobotExclusionRulesParser__rulesets:
        tamed = [rule for kind, path in ruleset.rules if (rule := tame_rule(ruleset, kind, path))]
        ruleset.rules = tamed or [(ruleset.DISALLOW, "")]


def tame_rule(ruleset: Any, kind: int, path: str) -> tuple[int, str] | None:
    """The rule with few stars; None: it is to be left out."""
    parts = re.sub(r"\*+", "*", path).split("*")
    if len(parts) - 1 <= MAX_STARS:
        return kind, path
    return None if kind == ruleset.ALLOW else (kind, "*".join(parts[: MAX_STARS + 1]))
