"""Changes as a person reads them. Pure; the caller escapes the lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ttcrawl.inspect.changes.diff import Change
from ttcrawl.inspect.changes.pairs import CHANGED, GONE, MOVED, NEW, SAME_ANSWER, UNCHANGED, UNREQUESTED
from ttcrawl.inspect.changes.side import DROPPED
from ttcrawl.snapshot.comparison import LINKS, STATUS, TEXT, TITLE


def summary_lines(counts: Mapping[str, int]) -> Iterator[str]:
    yield ", ".join(f"{counts[name]:,} {name}" for name in (NEW, GONE, MOVED, CHANGED, UNCHANGED)) + " pages"
    if repeated := counts[SAME_ANSWER]:
        yield f"unchanged pages without another response: {repeated:,}"
    if unrequested := counts[UNREQUESTED]:
        yield f"left out, because only one side has requested them so far: {unrequested:,}"
    if dropped := counts[DROPPED]:
        yield f"left out, because the answer at the first moment is only in warc/ now: {dropped:,}"


def change_lines(change: Change, *, links: bool) -> Iterator[str]:
    """A change, with its diff if it has one; `links`: with the links that appeared and vanished."""
    outcome = f"  ({'before: ' if change.change == NEW else ''}{change.outcome})" if change.outcome else ""
    title = change.title if change.change == NEW and change.title else ""
    yield f"  {change.url}{'' if change.to else outcome}{f'  {title}' if title else ''}"
    if change.to:
        yield f"    to {change.to} ({change.by})"
    if change.still_at:
        yield f"    the same bytes are still at {change.still_at}"
    if TITLE in change.what:
        yield f"    title: {change.title_before or 'none'} -> {change.title or 'none'}"
    if STATUS in change.what:
        yield f"    status: {change.status_before} -> {change.status}"
    if TEXT in change.what:
        yield f"    main text: {_words(change)}"
    if LINKS in change.what:
        yield f"    links: {change.links_appeared:,} appeared, {change.links_vanished:,} vanished"
    if links:
        yield from (f"      + {url}" for url in change.appeared)
        yield from (f"      - {url}" for url in change.vanished)
    if change.diff:
        yield from (f"    {line}" for line in change.diff.split("\n"))


def unlinked_lines(urls: Iterable[str]) -> Iterator[str]:
    lines = [f"  {url}" for url in urls]
    yield from ("", "no other page links to these pages any more" if lines else "no page has lost its last link")
    yield from lines


def _words(change: Change) -> str:
    if change.same is None:
        return "only one of the two answers has one"
    return (
        f"{change.same:.1%} of the words are the same, {change.words_added:,} added, {change.words_removed:,} removed"
    )
