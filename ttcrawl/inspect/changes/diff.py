"""What changed between two moments of a crawl, or between two crawls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from ttcrawl.errors import UsageError
from ttcrawl.inspect.changes.pairs import CHANGED, GONE, MOVED, NEW, Pair, Pairs
from ttcrawl.inspect.changes.side import LATEST, InForce, Side
from ttcrawl.inspect.changes.unlinked import Candidates
from ttcrawl.output.moments import end_of
from ttcrawl.output.steps import Progress, silent
from ttcrawl.snapshot.comparison import BYTES, Difference, difference, keys, texts
from ttcrawl.snapshot.rows import Moment, Name
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.stored import Contents, ignored_in, urls_of
from ttcrawl.snapshot.texts import unified

#: In the order in which they are listed.
LISTED = (NEW, GONE, MOVED, CHANGED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A page that is new, gone, moved or changed. Columns of a side that has no page are None, or empty texts.

    `same` is the share of the words of the main text that stayed, over those in either; None: a side has no main text.
    `appeared` and `vanished` are the links that only one side has: canonical URLs, those in the URL table, each once.
    """

    url: str
    change: Name  # new, gone, moved, changed
    to: str  # of a page that moved: its new URL
    by: Name  # and how it was recognised: redirect, same bytes, (nearly the) same main text
    still_at: str  # of a page that is gone: the first URL that has the same bytes now, ""
    outcome: str  # why a side has no page: "http 404", "failed: dns" ...; new pages: "" if it was not discovered before
    what: str  # that changed: some of status, title, main text, links, bytes
    time_before: Moment | None
    time: Moment | None
    status_before: int | None
    status: int | None
    type: Name
    title_before: str
    title: str
    same: float | None
    words_added: int
    words_removed: int
    links_appeared: int
    links_vanished: int
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]
    diff: str | None  # unified diff of the main texts; None: not requested, or a side has none

    @property
    def only_bytes(self) -> bool:
        """Whether a page at the same URL has other bytes, and nothing else that is compared differs."""
        return self.change == CHANGED and self.what == BYTES


class Diff:
    """The changes between two sides. `counts` has the pages by change, before any condition."""

    def __init__(self, before: Side, after: Side, progress: Progress, *, text: bool) -> None:
        self._before = before
        self._after = after
        self._text = text
        self._progress = progress
        self._pairs = Pairs(before, after, progress)
        self._candidates = Candidates(after)
        self.counts: Mapping[str, int] = self._pairs.counts

    def rows(self) -> Iterator[Change]:
        """New, gone, moved and changed pages, each in alphabetical order. Holds one page of each side."""
        for change in LISTED:
            for number, pair in enumerate(self._pairs.of(change)):
                self._progress(f"{change} pages", number, self.counts[change])
                yield self._change(pair)

    def unlinked(self) -> Iterator[str]:
        """The pages that have lost all links from other pages, by the URLs; after `rows`."""
        return self._candidates.unlinked(self._progress)

    def _change(self, pair: Pair) -> Change:
        before, after = pair.before, pair.after
        either = after or before
        assert either is not None
        differs, diff = self._difference(before, after)
        words = differs.words if differs is not None else None
        return Change(
            url=(before or either).url,
            change=pair.change,
            to=after.url if pair.change == MOVED and after is not None else "",
            by=pair.by,
            still_at=pair.still_at,
            outcome=pair.outcome,
            what=", ".join(differs.what) if differs is not None else "",
            time_before=before.time if before is not None else None,
            time=after.time if after is not None else None,
            status_before=before.status if before is not None else None,
            status=after.status if after is not None else None,
            type=either.type,
            title_before=before.title if before is not None else "",
            title=after.title if after is not None else "",
            same=words.share if words is not None else None,
            words_added=words.added if words is not None else 0,
            words_removed=words.removed if words is not None else 0,
            links_appeared=len(differs.appeared) if differs is not None else 0,
            links_vanished=len(differs.vanished) if differs is not None else 0,
            appeared=urls_of(self._after.db, differs.appeared) if differs is not None else (),
            vanished=urls_of(self._before.db, differs.vanished) if differs is not None else (),
            diff=diff,
        )

    def _difference(self, before: InForce | None, after: InForce | None) -> tuple[Difference | None, str | None]:
        """What differs between two pages, and the diff of their texts."""
        if before is None:
            return None, None
        if after is None:
            with self._before.db.damage():
                self._candidates.add(keys(self._before.contents.targets(before.stored)))
            return None, None
        with self._before.db.damage():
            old = self._before.contents.content(before.stored)
            keys(old.targets)  # damage is reported for this side
        with self._after.db.damage():
            new = self._after.contents.content(after.stored)
            differs = difference(old, new)
        self._candidates.add(differs.vanished)
        old_text, new_text = texts(old, new)
        if not self._text or old_text is None or new_text is None:
            return differs, None
        return differs, "\n".join(unified(old_text, new_text))


def changes(
    first: View,
    second: View | None,
    before: str | datetime | float | None,
    after: str | datetime | float | None,
    progress: Progress = silent,
    *,
    text: bool = False,
) -> Diff:
    """Compare two crawls, or two moments of the first one; None: the first, or the latest, answers.

    Raises UsageError for moments that are none or in the wrong order.
    """
    if second is not None:
        if first.directory.resolve() == second.directory.resolve():
            raise UsageError(f"{first.directory} is named twice: name two crawls")
        if before is not None or after is not None:
            raise UsageError("two crawls are compared as they are now: name moments of one crawl only")
        ignored = ignored_in(first, second)
        sides = [Side(each, Contents(each, None, ignored), "side", LATEST) for each in (first, second)]
        return Diff(sides[0], sides[1], progress, text=text)
    since = None if before is None else end_of(before)
    until = LATEST if after is None else end_of(after)
    if since is not None and since > until:
        raise UsageError(f"{before} is later than {after}: name the earlier moment first")
    contents = Contents(first, None, ignored_in(first))
    return Diff(
        Side(first, contents, "side_before", since), Side(first, contents, "side_after", until), progress, text=text
    )
