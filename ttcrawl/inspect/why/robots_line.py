"""The line of a robots.txt that decides about a URL, from the rules that the crawl obeys. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ttcrawl.web.robots import Rules, parse
from ttcrawl.web.robots.lines import LINE_END


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsLine:
    """`number` is the line number from 1, as in an editor; 0 if no line decided, and then `text` is the reason."""

    allowed: bool
    number: int
    text: str  # the line without surrounding white space
    agent: str  # of the group: our name in lower case, "*", or "" if no group applies

    def __str__(self) -> str:
        if not self.number:
            return self.text
        return f"{self.text} (line {self.number}, group of {self.agent})"


NO_GROUP = RobotsLine(allowed=True, number=0, text="no group is for this agent", agent="")
ITSELF = RobotsLine(allowed=True, number=0, text="robots.txt itself may always be read", agent="")

_compiled = lru_cache(maxsize=4)(parse)


def robots_line(text: str, agent: str, url: str, dialect: str = "rfc9309") -> RobotsLine:
    """The line of a robots.txt that decides about `url` for `agent`; arguments as in `ttcrawl.web.robots.parse`."""
    rules: Rules = _compiled(text, agent, dialect)
    decision = rules.decide(url)
    if decision.itself:
        return ITSELF
    if decision.line:
        return _line_at(text, decision.line, decision.allowed, rules.agent)
    if not rules.agent:
        return NO_GROUP
    return RobotsLine(allowed=True, number=0, text=f"no rule of the group of {rules.agent} matches", agent=rules.agent)


def _line_at(text: str, line: int, allowed: bool, agent: str) -> RobotsLine:
    decisive = LINE_END.split(text)[line - 1]
    return RobotsLine(allowed=allowed, number=line, text=decisive.strip("\ufeff").strip(), agent=agent)
