"""Replays the finished crawl under other rules, without requests: a walk from the seeds over the recorded links.

Every URL is decided again at its depth under the new rules. A URL that has no path any more is never discovered.
Decisions that depend on responses stay: robots.txt, failures, statuses, traps that show in many pages. If a refused URL
would be queued now, its links and their targets are unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.frontier.rulebook import Rulebook
from ttcrawl.frontier.work import Work
from ttcrawl.inspect.why.as_if import as_if_rules, following
from ttcrawl.inspect.why.life_text import outcome
from ttcrawl.inspect.why.open_crawl import OpenCrawl, Rules, open_crawl
from ttcrawl.inspect.why.walk import Walk
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress, silent
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import NONE, ROBOTS, about
from ttcrawl.vocabulary.state import ANSWERED, DELETED, QUEUED, REFUSED, REQUESTED
from ttcrawl.web import robots

NEVER = ("never discovered", "")
EXAMPLES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """URLs whose outcome changes; each outcome is a state and a reason, as in table `url`."""

    before: tuple[str, str]
    after: tuple[str, str]
    urls: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Number of URLs with this state and reason, before and after."""

    state: str
    reason: str
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The effect of other rules."""

    rules: tuple[str, ...]
    urls: int
    fetched_before: int  # URLs with a response, including redirects ...
    fetched_after: int  # ... and how many of them would still be fetched
    refused: int  # URLs that were requested or queued, and would be refused
    lost: int  # URLs that were requested or queued, and would have no path
    gained: int  # refused URLs that would be queued; their links are unknown
    unrecorded: int  # refused URLs without a row ([frontier] refused): unknown
    reasons: tuple[Reason, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of table `url`."""

    id: int
    url: str
    site: int
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A URL under other rules: `after` is a state and a reason; the rest is its path, as in table `url`."""

    row: Row
    after: tuple[str, str]
    depth: int | None
    redirects: int
    requisite: int = 0
    off_topic: int = 0


def replayed(directory: Path, texts: Sequence[str], progress: Progress = silent) -> Changes:
    """The changes of a crawl under rules as texts. Raises NotACrawl, ConfigError."""
    with open_crawl(directory) as crawl:
        return replay(crawl, texts, as_if_rules(crawl, texts), progress)


def replay(
    crawl: OpenCrawl,
    texts: Sequence[str],
    rules: Rules,
    progress: Progress = silent,
    take: Callable[[Decision], None] = lambda decision: None,
) -> Changes:
    """The changes under rules, which `texts` name. `take` is called with the decision about each URL."""
    counts: Counter[tuple[tuple[str, str], tuple[str, str]]] = Counter()
    examples: dict[tuple[tuple[str, str], tuple[str, str]], list[str]] = {}
    progress("links from the seeds", 0, 0)
    (urls,) = crawl.db.execute("SELECT count(*) FROM url").fetchone()
    for number, decision in enumerate(decisions(crawl, rules)):
        progress("URLs", number, urls)
        take(decision)
        row, after = decision.row, decision.after
        change = ((row.state, row.reason), after)
        counts[change] += 1
        if change[0] != after and len(sample := examples.setdefault(change, [])) < EXAMPLES:
            sample.append(row.url)
    unrecorded = int(crawl.db.settings.get("total_unrecorded", 0))
    return _changes(tuple(texts), counts, {change: tuple(sample) for change, sample in examples.items()}, unrecorded)


def _changes(
    texts: tuple[str, ...],
    counts: Counter[tuple[tuple[str, str], tuple[str, str]]],
    examples: dict[tuple[tuple[str, str], tuple[str, str]], tuple[str, ...]],
    unrecorded: int,
) -> Changes:
    before, after = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for (was, would), urls in counts.items():
        before[was] += urls
        after[would] += urls

    def between(old: Set[str], new: str) -> int:
        return sum(urls for (was, would), urls in counts.items() if was[0] in old and would[0] == new)

    return Changes(
        rules=texts,
        urls=counts.total(),
        fetched_before=sum(before[each] for each in before if each[0] in ANSWERED),
        fetched_after=sum(after[each] for each in after if each[0] in ANSWERED),
        refused=between(REQUESTED, REFUSED),
        lost=between(REQUESTED, NEVER[0]),
        gained=between(frozenset({REFUSED}), QUEUED),
        unrecorded=unrecorded,
        reasons=tuple(
            Reason(state=state, reason=reason, before=before[state, reason], after=after[state, reason])
            for state, reason in sorted({*before, *after}, key=lambda each: (-max(before[each], after[each]), each))
        ),
        changes=tuple(
            Change(before=was, after=would, urls=counts[was, would], examples=sample)
            for (was, would), sample in sorted(examples.items(), key=lambda each: (-counts[each[0]], each[0]))
        ),
    )


# -- the decisions ----------------------------------------------------------------------------------------------------


def decisions(crawl: OpenCrawl, rules: Rules) -> Iterator[Decision]:
    """Every URL of the crawl with its state and reason under the new rules."""
    walk = Walk(crawl, rules, following(crawl.rules.config, rules.config))
    walk.walk()
    forbidden = _forbidden(crawl, rules)
    for row in (Row(*each) for each in crawl.db.execute("SELECT id, url, site, state, reason FROM url ORDER BY id")):
        was = row.state, row.reason
        if row.state == DELETED:
            yield Decision(row, was, 0, 0)
        elif walk.reached(row.id):
            replayable = row.state == REFUSED and _is_replayed(row.reason)
            would = (REFUSED, ROBOTS) if replayable and forbidden(row) else (QUEUED, NONE)
            yield Decision(row, would if replayable else was, *walk.path(row.id), walk.off_topic(row.id))
        else:
            reasons = walk.refusals(row.id)
            after = (REFUSED, row.reason if row.reason in reasons else reasons[0]) if reasons else NEVER
            yield Decision(row, after, 0, 0)


def _is_replayed(code: str) -> bool:
    """Whether a URL refused for this reason may be allowed under other rules."""
    row = about(code)
    of_the_url = row is not None and row.family is Family.TRAP and not row.by_history
    return row is not None and (row.by_path or row.family is Family.SCOPE or of_the_url)


def _forbidden(crawl: OpenCrawl, rules: Rules) -> Callable[[Row], bool]:
    """Whether the latest robots.txt of its host forbids a URL. A robots.txt that was never read forbids nothing."""

    def text_of(site: int) -> str:
        version = crawl.robots_at(site, None)
        return version.text if version else ""

    rulebook = Rulebook(robots.reader(rules.config.agent.name, rules.config.politeness.robots), text_of)

    def forbidden(row: Row) -> bool:
        while (compiled := rulebook.of(row.site, Work())) is None:
            pass  # compiled step by step
        return not compiled.allows(row.url)

    return forbidden


# -- as text ---------------------------------------------------------------------------------------------------------


def changes_text(changes: Changes) -> str:
    """The changes, then the URLs by state and reason before and after, then examples."""
    lines = [
        f"{counted(changes.fetched_before, 'URL', 'was', 'were')} fetched;"
        f" {changes.fetched_after:,} of them would still be fetched.",
        f"{counted(changes.refused, 'URL', 'that was', 'that were')} requested or queued would be refused;"
        f" {changes.lost:,} more would never be discovered.",
        f"{counted(changes.gained, 'refused URL')} would be queued; links on those pages are unknown.",
    ]
    if changes.unrecorded:
        lines.append(f"Not included: {counted(changes.unrecorded, 'refused URL')} without a row ([frontier] refused).")
    lines.append("")
    names = [escape_untrusted(outcome(each.state, each.reason)) for each in changes.reasons]
    width = max([len("state, reason"), *map(len, names)])
    lines.append(f"{'state, reason':{width}}  {'before':>10}  {'after':>10}")
    lines += [
        f"{name:{width}}  {each.before:>10,}  {each.after:>10,}"
        for name, each in zip(names, changes.reasons, strict=True)
    ]
    for change in changes.changes:
        lines += ["", escape_untrusted(f"{change.urls:,}: {outcome(*change.before)} -> {outcome(*change.after)}")]
        lines += [f"  {escape_untrusted(url)}" for url in change.examples]
    return "\n".join(lines)
