"""The aliases as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from ttcrawl.inspect.aliases.evidence import Interval, interval
from ttcrawl.inspect.aliases.find import Aliases
from ttcrawl.inspect.aliases.groups import Group, Member
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted

HEAD = ("host", "compared", "same", "contents", "same", "share")


def text(result: Aliases, merged: str | None = None) -> str:
    """A table per group, the cost, and the lines for config.ini or what a merge did. Without a line feed at the end."""
    hosts = "one host" if result.origins == 1 else f"{result.origins:,} hosts"
    lines = [f"{counted(result.pages, 'page')} of {hosts}: {_count(result)}"]
    for group in result.groups:
        lines += ["", *_group(group, result)]
    if result.groups:
        lines += ["", _cost(result)]
    if merged is not None:
        lines += ["", merged]
    elif result.entries:
        lines += ["", "For config.ini; --merge writes this line there and moves the queued URLs:", "", "[url]"]
        lines.append(f"aliases = {escape_untrusted(result.aliases)}")
    elif result.groups:
        lines += ["", "All of them are in config.ini already."]
    return "\n".join(lines)


def facts(result: Aliases) -> dict[str, object]:
    """The same for JSON; shares have their intervals."""
    groups = [
        {
            "canonical": group.canonical.name,
            "aliases": [
                {"name": member.origin.name, "address": member.origin.address}
                | {
                    "compared": asdict(member.compared)
                    | {"example": _pair(group, member, member.compared.example, result)}
                }
                | {"share": asdict(_share(member)), "redirected": _redirected(group, member, result)}
                for member in group.aliases
            ],
        }
        for group in result.groups
    ]
    return {
        "hosts": result.origins,
        "pages": result.pages,
        "groups": groups,
        "entries": result.entries,
        "aliases": result.aliases,
        "twice": result.twice,
        "redirects": result.redirects,
        "queued": result.queued,
    }


def _redirected(group: Group, member: Member, result: Aliases) -> dict[str, object] | None:
    if member.redirected is None:
        return None
    return asdict(member.redirected) | {"example": _pair(group, member, member.redirected.example, result)}


def _pair(group: Group, member: Member, example: int, result: Aliases) -> list[str]:
    """A URL under both names; empty without an example."""
    url = result.examples.get(example, "")
    return [f"{origin.name}{url[url.index('/', 8) :]}" for origin in (member.origin, group.canonical) if url]


def _count(result: Aliases) -> str:
    aliases = sum(len(group.aliases) for group in result.groups)
    return f"aliases: {aliases:,}, of servers: {len(result.groups):,}" if aliases else "no aliases"


def _group(group: Group, result: Aliases) -> Iterator[str]:
    yield f"{escape_untrusted(group.canonical.name)} ({counted(group.canonical.pages, 'page')})"
    rows = [HEAD, *(_row(member) for member in group.aliases)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    for number, row in enumerate(rows):
        first, *numbers = row
        cells = [first.ljust(widths[0]), *(each.rjust(width) for each, width in zip(numbers, widths[1:], strict=True))]
        yield f"  {'  '.join(cells)}".rstrip()
        if number:
            yield from _evidence(group, group.aliases[number - 1], result)


def _row(member: Member) -> tuple[str, ...]:
    compared = member.compared
    numbers = (compared.urls, compared.same, compared.contents, compared.same_contents)
    share = _percent(_share(member)) if compared.contents else "-"
    return escape_untrusted(member.origin.name), *(f"{each:,}" for each in numbers), share


def _evidence(group: Group, member: Member, result: Aliases) -> Iterator[str]:
    compared, redirected = member.compared, member.redirected
    kinds = (("same bytes", compared.by_bytes), ("same text", compared.by_text), ("nearly same text", compared.near))
    words = [f"{counted(count, 'URL')} with the {name}" for name, count in kinds if count]
    if redirected is not None:
        share = _percent(interval(redirected.moved, redirected.answered))
        words.append(f"{redirected.moved:,} of {counted(redirected.answered, 'answer')} redirect there ({share})")
    if not words:
        words.append("the same as another alias")
    if member.origin.address and group.canonical.address == member.origin.address:
        words.append(f"both at {escape_untrusted(member.origin.address)}")
    yield f"    {'; '.join(words)}"
    for example in member.examples[:1]:
        yield f"    such as {escape_untrusted(' and '.join(_pair(group, member, example, result)))}"


def _share(member: Member) -> Interval:
    return interval(member.compared.same_contents, member.compared.contents)


def _percent(share: Interval) -> str:
    return f"{share.share:.0%} ({share.low:.0%} to {share.high:.0%})"


def _cost(result: Aliases) -> str:
    twice = f"{result.twice:,} of {counted(result.pages, 'page')} were fetched again under an alias"
    redirects = f", and {counted(result.redirects, 'redirect')}" if result.redirects else ""
    verb = "is" if result.queued == 1 else "are"
    return f"{twice}{redirects}; {counted(result.queued, 'URL')} of aliases {verb} queued."
