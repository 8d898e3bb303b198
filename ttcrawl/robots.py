"""robots.txt text -> rules. Pure.

Two readings: RFC 9309 (Protego: longest match, merged groups) and the first-match one of 1996 with the wildcards of
2008 (robotexclusionrulesparser), for comparison with crawlers that read it so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from protego import Protego
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
        old = RobotExclusionRulesParser()
        old.parse(_tamed(text))
        return First(parsed=old, agent=agent, delay=_delay(old.get_crawl_delay(agent)), sitemaps=tuple(old.sitemaps))
    new = Protego.parse(text)
    return Longest(parsed=new, agent=agent, delay=_delay(new.crawl_delay(agent)), sitemaps=tuple(new.sitemaps))


def reader(agent: str, reading: str) -> Callable[[str], Rules | None]:
    """A function from the text of a robots.txt to its rules, None where the text is empty."""
    return lambda text: parse(text, agent, reading) if text else None


def _delay(value: float | None) -> float | None:
    return value if value is not None and 0 <= value < float("inf") else None


def _tamed(text: str) -> str:
    """The text with few stars a rule: a Disallow with more is cut to a wider one, an Allow with more is left out."""
    return re.sub(r"(?im)^[ \t]*(allow|disallow)[ \t]*:[ \t]*(\S*)", _tame_rule, text)


def _tame_rule(match: re.Match[str]) -> str:
    parts = re.sub(r"\*+", "*", match[2]).split("*")
    if len(parts) - 1 <= MAX_STARS:
        return match[0]
    return "#" if match[1].lower() == "allow" else f"{match[1]}: {'*'.join(parts[: MAX_STARS + 1])}"
