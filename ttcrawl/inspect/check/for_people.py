"""The report for people: counts first, then the problems by kind and URL; long lists are cut with a count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from ttcrawl.inspect.check.health import Health
from ttcrawl.inspect.check.kinds import DUPLICATE_DESCRIPTION, DUPLICATE_TITLE, KINDS, ORPHAN, Problem
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.vocabulary.reason import sentence
from ttcrawl.vocabulary.state import REFUSED

#: URLs per kind, pages per URL, and hosts that are listed.
URLS, SOURCES, HOSTS = 20, 3, 10

#: Characters of an anchor text or a title that are shown.
LENGTH = 80


def text(health: Health, in_baseline: int) -> str:
    """`in_baseline`: problems that are not listed because they are in the baseline."""
    parts = [_summary(health, in_baseline)]
    for name, problems in groupby(health.problems, key=lambda each: each.kind):
        parts.append("\n".join(_section(name, list(problems))))
    if health.hosts:
        parts.append("\n".join(_times(health)))
    return "\n\n".join(parts)


def _summary(health: Health, in_baseline: int) -> str:
    count = len(health.problems)
    lines = [f"{health.directory}: {counted(count, 'problem')} in {counted(health.pages, 'page')}"]
    counts = Counter(each.kind for each in health.problems)
    for kind in KINDS:
        lines += [f"{counts[kind.name]:>9,}  {kind.name}: {kind.meaning}"] if counts[kind.name] else []
        if kind.name == ORPHAN and (in_menus := health.orphans_in_menus):
            lines.append(f"{in_menus:>9,}    of them only menus link to (--links all leaves them out)")
    others = {
        "in the baseline": in_baseline,
        "requested besides the pages: external URLs, images, files": health.external,
        f"still queued: ttcrawl resume {health.directory} requests them": health.queued,
        **{_unchecked(reason): number for reason, number in health.unchecked.items()},
        "pages not read again, so their fragments and images are unknown: see ttcrawl verify": health.unread,
    }
    lines += [f"{number:>9,}  {label}" for label, number in others.items() if number]
    return "\n".join(lines)


def _unchecked(reason: str) -> str:
    meaning = sentence(REFUSED, reason)
    return f"not checked: {escape_untrusted(reason)}{f' ({escape_untrusted(meaning)})' if meaning else ''}"


def _section(name: str, problems: Sequence[Problem]) -> Iterator[str]:
    title = next(kind.title for kind in KINDS if kind.name == name)
    urls = [list(each) for _, each in groupby(problems, key=lambda each: each.url)]
    yield f"{title} ({len(problems):,})"
    for of_url in urls[:URLS]:
        first = of_url[0]
        yield f"  {escape_untrusted(first.url)}" + (f"  {escape_untrusted(first.detail)}" if first.detail else "")
        for each in of_url[:SOURCES]:
            if each.where:
                yield f"      {_source(each)}"
        if len(of_url) > SOURCES:
            yield f"      and {len(of_url) - SOURCES:,} more"
    if len(urls) > URLS:
        yield f"  and {counted(len(urls) - URLS, 'more URL')}: --format json and csv list all"


def _source(problem: Problem) -> str:
    quoted = f'  "{_short(problem.text)}"' if problem.text else ""
    same = "same as " if problem.kind in (DUPLICATE_TITLE, DUPLICATE_DESCRIPTION) else ""
    return same + escape_untrusted(problem.where) + quoted


def _short(words: str) -> str:
    plain = escape_untrusted(words)
    return plain if len(plain) <= LENGTH else plain[: LENGTH - 3] + "..."


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
