"""The report for people: counts first, then the problems by kind, in groups; long lists are cut with a count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ttcrawl.inspect.check.health import Health, verdict
from ttcrawl.inspect.check.kinds import KINDS, ORPHAN, SAME_AS, Problem
from ttcrawl.inspect.check.results.groups import Fault, Group, Page, groups
from ttcrawl.inspect.check.results.history import Comparison, History, line_of
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line
from ttcrawl.output.terminal import shortened
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.vocabulary.reason import sentence
from ttcrawl.vocabulary.state import REFUSED

#: Examples of a group, and hosts that are listed.
EXAMPLES, HOSTS = 3, 10

#: Columns of an anchor text or a title that are shown.
LENGTH = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """How long lists are: groups of a kind, or `ungrouped`."""

    groups: int = 20
    ungrouped: bool = False


def text(health: Health, history: History, rules: Rules, lists: Lists) -> str:
    parts = [_summary(health, history, rules)]
    for name, problems in groupby(health.problems, key=lambda each: each.kind):
        parts.append("\n".join(_section(name, list(problems), rules, lists)))
    if history.last_check:
        parts += ["\n".join(lines) for lines in _changes(history.last_check, lists) if lines]
    if health.hosts:
        parts.append("\n".join(_times(health)))
    return "\n\n".join(parts)


def _summary(health: Health, history: History, rules: Rules) -> str:
    lines = [f"{health.directory}: {verdict(health, rules)}"]
    counts = Counter(each.kind for each in health.problems)
    for kind in rules.by_level():
        level = rules.level(kind.name)
        lines += [f"{counts[kind.name]:>9,}  {level:7}  {kind.name}: {kind.meaning}"] if counts[kind.name] else []
        if kind.name == ORPHAN and (in_menus := health.orphans_in_menus):
            lines.append(f"{in_menus:>9,}    of them only menus link to (--links all leaves them out)")
    others = {
        "in the baseline": history.in_baseline,
        "in the baseline no longer: the last day of their lines has passed": history.expired,
        "on pages that have not changed": history.unchanged,
        "requested besides the pages: external URLs, images, files": health.external,
        f"still queued: {command_line('resume', health.directory)} requests them": health.queued,
        **{_unchecked(reason): number for reason, number in health.unchecked.items()},
        "pages not read again, so their fragments and images are unknown: see ttcrawl verify": health.unread,
    }
    lines += [f"{number:>9,}  {label}" for label, number in others.items() if number]
    lines += [history.last_check.sentence] if history.last_check else []
    return "\n".join(lines)


def _changes(last: Comparison, lists: Lists) -> Iterator[list[str]]:
    for title, problems in (("New", last.new), ("Mended", last.mended)):
        shown = problems if lists.ungrouped else problems[: lists.groups]
        lines = [f"{title} since the last check ({len(problems):,})"] if problems else []
        lines += [f"  {line_of(each)}" for each in shown]
        yield [*lines, f"  and {len(problems) - len(shown):,} more"] if len(problems) > len(shown) else lines


def _unchecked(reason: str) -> str:
    meaning = sentence(REFUSED, reason)
    return f"not checked: {escape_untrusted(reason)}{f' ({escape_untrusted(meaning)})' if meaning else ''}"


def _section(name: str, problems: Sequence[Problem], rules: Rules, lists: Lists) -> Iterator[str]:
    title = next(kind.title for kind in KINDS if kind.name == name)
    all_groups = groups(problems, ungrouped=lists.ungrouped)
    shown = all_groups if lists.ungrouped else all_groups[: lists.groups]
    yield f"{title} ({len(problems):,}, {rules.level(name)})"
    for group in shown:
        yield from _group(name, group, lists)
    if len(all_groups) > len(shown):
        rest = sum(group.pages for group in all_groups[len(shown) :])
        yield f"  and {counted(len(all_groups) - len(shown), 'more group')} of {rest:,}: --all lists every problem"


def _group(name: str, group: Group, lists: Lists) -> Iterator[str]:
    first, *others = group.faults
    detail = f"  {escape_untrusted(first.detail)}" if first.detail else ""
    if others:
        text = f'  "{_short(group.text)}"' if group.text else ""
        yield f"  {escape_untrusted(group.pattern)}  {counted(len(group.faults), 'URL')}{detail}{text}"
        yield from (f"      {_example(name, fault)}" for fault in group.faults[:EXAMPLES])
        return
    own = next(filter(None, (page.own_position for page in first.pages)), "")
    yield f"  {escape_untrusted(first.url)}{detail}{_at(own)}"
    pages = [page for page in first.pages if page.url]
    shown = pages if lists.ungrouped else pages[:EXAMPLES]
    yield from (f"      {_page(name, page)}" for page in shown)
    if len(pages) > len(shown):
        yield f"      and {len(pages) - len(shown):,} more"


def _example(name: str, fault: Fault) -> str:
    """A URL of a group, and a page that shows it."""
    page = next((each for each in fault.pages if each.url), None)
    more = f" and {len(fault.pages) - 1:,} more" if len(fault.pages) > 1 else ""
    return escape_untrusted(fault.url) + (f"  {_on(name)}{_page(name, page)}{more}" if page else "")


def _on(name: str) -> str:
    return "" if name in SAME_AS else "on "


def _page(name: str, page: Page) -> str:
    quoted = ", ".join(f'"{_short(each)}"' for each in page.texts[:EXAMPLES])
    same = "" if _on(name) else "same as "
    return same + escape_untrusted(page.url) + _at(page.position) + (f"  {quoted}" if quoted else "")


def _at(position: str) -> str:
    return f"  {escape_untrusted(position)}" if position else ""


def _short(words: str) -> str:
    return shortened(escape_untrusted(words), LENGTH, "...")


def _times(health: Health) -> Iterator[str]:
    yield "Response times in seconds (p50, p95)"
    width = max(len(escape_untrusted(each.host)) for each in health.hosts[:HOSTS])
    for host in health.hosts[:HOSTS]:
        name = escape_untrusted(host.host)
        yield f"  {name:{width}}  {host.p50:8.3f}  {host.p95:8.3f}  of {counted(host.requests, 'request')}"
    if len(health.hosts) > HOSTS:
        yield f"  and {counted(len(health.hosts) - HOSTS, 'more host')}"
    yield "Slowest pages"
    for page in health.slowest:
        yield f"  {page.seconds:8.3f}  {escape_untrusted(page.url)}"
