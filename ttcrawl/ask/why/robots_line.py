"""Which line of a robots.txt decides about a URL: the rules that the crawl obeys say so themselves. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ttcrawl.web.robots import Rules, parse

_LINE_END = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsLine:
    """`number` is that of the line from 1, as an editor counts; 0 where no line decided: `text` says why then."""

    allowed: bool
    number: int
    text: str  # the line as it stands, without white space around it
    agent: str  # whose group it is: our name in lower case, "*", or "" where no group is for us

    def __str__(self) -> str:
        if not self.number:
            return self.text
        return f"{self.text} (line {self.number}, group of {self.agent})"


NO_GROUP = RobotsLine(allowed=True, number=0, text="no group is for this agent", agent="")
ITSELF = RobotsLine(allowed=True, number=0, text="robots.txt itself may always be read", agent="")

_compiled = lru_cache(maxsize=4)(parse)


def robots_line(text: str, agent: str, url: str, reading: str = "rfc9309") -> RobotsLine:
    """The line of a robots.txt that decides about `url` for `agent`; arguments as of `ttcrawl.web.robots.parse`."""
    rules: Rules = _compiled(text, agent, reading)
    found = rules.decide(url)
    if found.itself:
        return ITSELF
    if found.line:
        return _at(text, found.line, found.allowed, rules.agent)
    if not rules.agent:
        return NO_GROUP
    return RobotsLine(allowed=True, number=0, text=f"no rule of the group of {rules.agent} matches", agent=rules.agent)


def _at(text: str, line: int, allowed: bool, agent: str) -> RobotsLine:
    """`line` as `str.splitlines` counts, which knows more ends of lines than an editor."""
    lines = text.splitlines(keepends=True)
    editor = len(_LINE_END.findall("".join(lines[: line - 1]))) + 1
    return RobotsLine(allowed=allowed, number=editor, text=lines[line - 1].strip("\ufeff").strip(), agent=agent)
