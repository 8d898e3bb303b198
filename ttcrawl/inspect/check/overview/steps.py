"""What to do first: the groups of problems that most pages show, errors before warnings."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from itertools import groupby

from ttcrawl.inspect.check.catalogue.kind import LEVELS, NOTICE, Kind
from ttcrawl.inspect.check.kinds import KINDS, Problem
from ttcrawl.inspect.check.overview.pages import PageProblems, page_of
from ttcrawl.inspect.check.results.groups import Group, groups
from ttcrawl.inspect.check.rules import Rules

#: Steps that are shown: more than a person does at once.
MOST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A group of problems that are mended together. `pages`: those that have one of them, in order."""

    kind: Kind
    level: str
    group: Group
    pages: tuple[str, ...]


def first_steps(problems: tuple[Problem, ...], pages: Container[str], rules: Rules) -> list[Step]:
    """The steps of most use: errors before warnings, then what most pages show. `problems` are sorted by kind."""
    steps = []
    for name, of_kind in groupby(problems, key=lambda each: each.kind):
        if (level := rules.level(name)) == NOTICE:
            continue
        kind = next(each for each in KINDS if each.name == name)
        steps += [_step(kind, level, each, pages) for each in groups(list(of_kind))]
    return sorted(steps, key=lambda each: (LEVELS.index(each.level), -len(each.pages)))[:MOST]


def _step(kind: Kind, level: str, group: Group, pages: Container[str]) -> Step:
    shown = (
        page_of(Problem(kind=kind.name, url=fault.url, source=page.url), pages)
        for fault in group.faults
        for page in fault.pages
    )
    return Step(kind=kind, level=level, group=group, pages=tuple(dict.fromkeys(filter(None, shown))))


def mended(steps: list[Step], problems: Mapping[str, PageProblems], rules: Rules) -> tuple[int, int]:
    """How many pages have an error or a warning, and how many of them have none when these steps are done."""
    done = {(step.kind.name, fault.url) for step in steps for fault in step.group.faults}
    bad = good = 0
    for url, of_page in problems.items():
        faults = {(each.kind, each.url) for each in of_page.problems if rules.level(each.kind) != NOTICE}
        if url and faults:
            bad += 1
            good += faults <= done
    return bad, good
