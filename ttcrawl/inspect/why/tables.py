"""`ttcrawl why --summary` and `--as-if` as text. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.inspect.why.render import outcome
from ttcrawl.inspect.why.replay import Changes
from ttcrawl.inspect.why.summary import Tally
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted


def summary_text(tallies: Sequence[Tally]) -> str:
    """A line for each state, reason and rule, with examples below it."""
    rows = [("state", "reason", "URLs", "rule")]
    rows += [(each.state, each.reason or "-", f"{each.urls:,}", each.rule) for each in tallies]
    widths = [max(len(escape_untrusted(row[column])) for row in rows) for column in range(3)]
    lines = [
        f"{row[0]:{widths[0]}}  {reason:{widths[1]}}  {row[2]:>{widths[2]}}  {rule}".rstrip()
        for row in rows
        for reason, rule in [map(escape_untrusted, row[1::2])]
    ]
    output = [lines[0]]
    for line, tally in zip(lines[1:], tallies, strict=True):
        output += [line, *(f"    {escape_untrusted(example)}" for example in tally.examples)]
    return "\n".join([*output, counted(sum(each.urls for each in tallies), "URL")])


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
