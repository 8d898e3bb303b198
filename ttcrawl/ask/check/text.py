"""The report for people: counts first, then the problems by kind and URL; long lists are cut with a count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from ttcrawl.ask.check.health import Health
from ttcrawl.ask.check.kinds import DUPLICATE_DESCRIPTION, DUPLICATE_TITLE, KINDS, Problem
from ttcrawl.web.untrusted import escape_untrusted

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
    lines = [f"{health.directory}: {count:,} problem{'' if count == 1 else 's'} in {health.pages:,} pages"]
    counts = Counter(each.kind for each in health.problems)
    lines += [f"{counts[kind.name]:>9,}  {kind.name}: {kind.meaning}" for kind in KINDS if counts[kind.name]]
    if in_baseline:
        lines.append(f"{in_baseline:>9,}  more are in the baseline")
    if health.external:
        lines.append(f"{health.external:>9,}  external URLs, images and files were requested")
    if health.queued:
        lines.append(f"{health.queued:>9,}  URLs are still queued: ttcrawl resume {health.directory} requests them")
    for reason, number in health.unchecked.items():
        lines.append(f"{number:>9,}  URLs were not checked: {escape_untrusted(reason)}")
    if health.unread:
        lines.append(
            f"{health.unread:>9,}  pages could not be read from the archive, so fragments and images are missing"
        )
    return "\n".join(lines)


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
        yield f"  and {len(urls) - URLS:,} more URLs: --format json and csv list all"


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
        yield f"  {name:{width}}  {host.p50:8.3f}  {host.p95:8.3f}  of {host.requests:,} requests"
    if len(health.hosts) > HOSTS:
        yield f"  and {len(health.hosts) - HOSTS:,} more hosts"
    yield "Slowest pages"
    for page in health.slowest:
        yield f"  {page.seconds:8.3f}  {escape_untrusted(page.url)}"
