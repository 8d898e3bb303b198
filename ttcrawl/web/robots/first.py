"""The interpretation of 1996: in the first record for us the first matching rule decides, with the wildcards of 2008.

robotexclusionrulesparser decides whether a rule matches. It compares all rules one after the other, and backtracks at
each star. So it only receives the few rules that can match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from heapq import merge
from sys import getsizeof
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlparse, urlunparse

from msgspec import Struct, field

from ttcrawl.web.robots.lines import bounded, directives, names, seconds, token
from ttcrawl.web.robots.paths import path_of
from ttcrawl.web.robots.verdict import NO_RULE, Decision
from ttcrawl.web.robots.wildcards import Wildcard, matching, squeezed, wildcard

if TYPE_CHECKING:
    from robotexclusionrulesparser import RobotExclusionRulesParser

#: One star costs robotexclusionrulesparser time proportional to the path, each further one multiplies it by the length.
MAX_STARS = 2

#: Maximum rules with stars that are used unchanged; further ones are treated like rules with too many stars.
MAX_WILDCARDS = 1000

#: Characters and lines per step: about a millisecond.
STEP = 15_000

#: The cost of a line in addition to its characters.
LINE = 60

#: Bytes of a rule without its text, and of all other data.
_RULE, _RULES = 130, 800

_CONTROL = re.compile("[\0-\x1f]")


class First(Struct, frozen=True, kw_only=True):
    """The rules of one record."""

    agent: str
    delay: float | None
    rules: dict[int, tuple[bool, str]]  # line -> (whether it allows, its path)
    prefixes: dict[str, int]  # path without stars -> line
    ends: dict[str, int]  # complete path -> line, for rules with $
    lengths: tuple[int, ...]
    wildcards: tuple[Wildcard, ...]  # ordered by line
    size: int
    cost: int

    def allows(self, url: str) -> bool:
        return self.decide(url).allowed

    def decide(self, url: str) -> Decision:
        path = _unescaped(_path_of(url))
        for line in merge(self._plain(path), self._starred(path)):
            allow, rule = self.rules[line]
            if not rule:  # "Disallow:" allows everything, and "Allow:" nothing
                return Decision(allowed=not allow, line=line)
            if not _parsed(rule).is_allowed("*", url):
                return Decision(allowed=allow, line=line)
        return NO_RULE

    def _plain(self, path: str) -> list[int]:
        numbers = [self.prefixes.get(path[:length]) for length in self.lengths]
        return sorted({line for line in (*numbers, self.ends.get(path)) if line is not None})

    def _starred(self, path: str) -> Iterator[int]:
        return (line for line, _ in matching(self.wildcards, path))


@lru_cache(maxsize=1000)
def _parsed(path: str) -> RobotExclusionRulesParser:
    """A parser for a robots.txt that disallows only this path."""
    from robotexclusionrulesparser import RobotExclusionRulesParser

    parser = RobotExclusionRulesParser()
    parser.parse(f"User-agent: *\nDisallow: {path}\n")
    return parser


def _path_of(url: str) -> str:
    """The path as robotexclusionrulesparser computes it: for example, it drops the "?" of an empty query."""
    path = path_of(url)
    if "?" in path or ";" in path or path.startswith("//"):
        path = urlunparse(("", "", *urlparse(url)[2:]))
    return path


def _unescaped(path: str) -> str:
    """Unescape as robotexclusionrulesparser does: everything except an escaped slash."""
    return unquote(re.sub("%2[fF]", "\n", path)).replace("\n", "%2F") if "%" in path else path


# -- compiling --------------------------------------------------------------------------------------------------------


class _Record(Struct, eq=False):
    """A record while it is read. A record without rules is ignored."""

    agent: str = ""
    delay: float | None = None
    rules: dict[int, tuple[bool, str]] = field(default_factory=dict)
    prefixes: dict[str, int] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    wildcards: list[Wildcard] = field(default_factory=list)
    size: int = 0

    def name(self, agent: str) -> None:
        """Add one of its names: our name takes precedence over "*"."""
        if agent and self.agent in ("", "*"):
            self.agent = agent

    def add(self, kind: str, value: str, line: int) -> None:
        allow, rule = kind == "allow", bounded(kind, _CONTROL.sub("", value))
        if rule is None:
            return
        pattern = _unescaped(rule)
        if "*" in pattern:
            pattern = squeezed(pattern)
            stars = MAX_STARS if len(self.wildcards) < MAX_WILDCARDS else 0
            if pattern.count("*") > stars:  # a Disallow is shortened to a wider one, an Allow left out
                if allow:
                    return
                pattern = "*".join(pattern.split("*")[: stars + 1])
                rule = quote(pattern, safe="/*")
        self.rules[line] = allow, rule
        if "*" in pattern:
            self.wildcards.append(wildcard(line, pattern))
        elif pattern.endswith("$"):
            self.ends.setdefault(pattern[:-1], line)
        else:
            self.prefixes.setdefault(pattern, line)
        self.size += _RULE + getsizeof(rule) + getsizeof(pattern)

    def compiled(self) -> First:
        lengths = tuple(sorted({len(each) for each in self.prefixes}))
        return First(
            agent=self.agent,
            delay=self.delay,
            rules=self.rules,
            prefixes=self.prefixes,
            ends=self.ends,
            lengths=lengths,
            wildcards=tuple(self.wildcards),
            size=_RULES + self.size,
            cost=2 + len(lengths) // 50 + len(self.wildcards) // 10,
        )


def first(text: str, agent: str) -> Iterator[First | None]:
    """Compile the rules for `agent` in the text of a robots.txt; the last step yields them.

    Records end at empty lines; a record for all agents counts if none is for us.
    """
    agent = token(agent)
    chosen: dict[str, _Record] = {}  # the first record for us, and the first for all agents
    record: _Record | None = None
    naming, work = False, 0
    for line, kind, value in directives(text):
        work += LINE + len(value)
        if work > STEP:
            work = 0
            yield None
        if not kind:
            record, naming = None, False
        elif kind == "user-agent":
            if record is None or not naming:
                record, naming = _Record(), True
            record.name(names(value, agent))
        elif record is not None and kind in ("allow", "disallow", "crawl-delay"):
            naming = False
            if kind == "crawl-delay":
                record.delay = record.delay if (delay := seconds(value)) is None else delay
            elif record.agent and chosen.setdefault(record.agent, record) is record:
                record.add(kind, value, line)
    yield (chosen.get(agent) or chosen.get("*") or _Record()).compiled()
