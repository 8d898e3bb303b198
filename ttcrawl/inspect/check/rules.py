"""What counts as a problem, and how much: by kind, by status, by pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import translate

from ttcrawl.inspect.check.catalogue.kind import LEVELS, Kind
from ttcrawl.inspect.check.kinds import DEFAULT, FRAGMENT, KINDS, Problem

#: --fail-on: no level makes the exit status 1.
NEVER = "never"

#: Statuses by which servers refuse programs or put them off: a reader may well get the page. 999 is LinkedIn's.
UNSURE_STATUSES = frozenset((401, 403, 405, 406, 429, 451, 503, 999))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """`links` (of ttcrawl.vocabulary.region) make a page no orphan."""

    kinds: frozenset[str] = DEFAULT
    links: str = "main"
    levels: Mapping[str, str] = field(default_factory=dict)  # kind -> its level, if it differs
    fail_on: str = LEVELS[0]  # the lowest level of a problem that fails
    accepted: frozenset[int] = frozenset()  # statuses of 400 or more that are none
    ignored: Callable[[str], object] = lambda url: None  # whether a URL is not looked at
    ignored_fragments: Callable[[str], object] = lambda fragment: None

    def level(self, kind: str) -> str:
        return self.levels.get(kind) or next(each.level for each in KINDS if each.name == kind)

    def fails(self, kind: str) -> bool:
        """Whether a problem of this kind makes the exit status 1."""
        return self.fail_on != NEVER and LEVELS.index(self.level(kind)) <= LEVELS.index(self.fail_on)

    def by_level(self) -> list[Kind]:
        """All kinds, the worst level first."""
        return sorted(KINDS, key=lambda kind: LEVELS.index(self.level(kind.name)))

    def counts(self, problem: Problem) -> bool:
        """Whether a problem is reported."""
        if problem.kind not in self.kinds or self.ignored(problem.url):
            return False
        return problem.kind != FRAGMENT or not self.ignored_fragments(problem.url.partition("#")[2])


def any_of(patterns: list[str]) -> Callable[[str], object]:
    """Whether a text as a whole has one of these patterns: `*` stands for any characters, `?` for one.

    >>> [bool(any_of(["http://a.test/*[1]"])(url)) for url in ("http://a.test/x[1]", "http://a.test/x1")]
    [True, False]
    """
    return re.compile("|".join(translate(each.replace("[", "[[]")) for each in patterns) or r"(?!)").match
