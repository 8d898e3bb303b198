"""The pages of two sides, paired: by URL, by redirect, and by equal content under another URL.

Both sides come in alphabetical order and are merged. What differs goes to a temporary table, so that memory does not
grow with the crawls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import xxhash

from ttcrawl.inspect.changes.side import DROPPED, UNDISCOVERED, InForce, Side
from ttcrawl.output.steps import Progress, reported
from ttcrawl.snapshot.stored import Stored
from ttcrawl.vocabulary.state import QUEUED

NEW, GONE, MOVED, CHANGED, UNCHANGED = "new", "gone", "moved", "changed", "unchanged"

#: Of unchanged pages: both sides have one and the same answer, no later one came.
SAME_ANSWER = "same_answer"

#: Of pages that only one side has: the other one has not requested them yet.
UNREQUESTED = "unrequested"

#: What is counted.
COUNTED = (NEW, GONE, MOVED, CHANGED, UNCHANGED, SAME_ANSWER, UNREQUESTED, DROPPED)

#: How a page was recognised under another URL.
BY_REDIRECT, BY_BYTES, BY_TEXT = "redirect", "same bytes", "same main text"

#: What the visits of the crawl have recognised (table `vanished`), by the words there.
BY_VISITS = {"redirect": BY_REDIRECT, "bytes": BY_BYTES, "text": BY_TEXT, "near": "nearly the same main text"}

_BEFORE, _AFTER = (", ".join(f"{side}_{name}" for name in InForce._fields) for side in ("before", "after"))
_SUCCESSOR = "SELECT successor, same FROM vanished WHERE url = ? AND successor NOT NULL"

#: The bodies of pages that are gone, each with a URL of the later side that has it.
_STILL = (
    "CREATE TEMP TABLE still (digest BLOB PRIMARY KEY, url TEXT)",
    "INSERT OR IGNORE INTO still SELECT before_digest, NULL FROM pair"
    " WHERE change = 'gone' AND before_digest NOT NULL AND before_length > 0",
)

_CREATE = (
    f"CREATE TEMP TABLE pair (change TEXT NOT NULL, by TEXT NOT NULL, outcome TEXT NOT NULL, {_BEFORE}, {_AFTER})",
    "CREATE TEMP TABLE main_text (pair INTEGER PRIMARY KEY, text BLOB NOT NULL)",
)
_NOTHING = (None,) * len(InForce._fields)
_INSERT = f"INSERT INTO pair VALUES (?, ?, ?, {', '.join('?' * 2 * len(_NOTHING))})"
_TO_NEW_PAGES = (
    "DELETE FROM pair WHERE change = 'new' AND after_id IN (SELECT after_id FROM pair WHERE change = 'moved')"
)

#: What a page contains, for the gone and the new ones.
_BYTES = "{side}_digest"
_TEXT = "(SELECT text FROM main_text WHERE main_text.pair = pair.rowid)"
_OF_KIND = """
    SELECT rowid AS pair, {content} AS content, row_number() OVER (PARTITION BY {content} ORDER BY {side}_url) AS number
    FROM pair WHERE change = '{change}' AND {content} NOT NULL AND {side}_length > 0"""
#: The pages with the same content: the k-th with the k-th one.
_MOVE = (
    "CREATE TEMP TABLE same (gone INTEGER PRIMARY KEY, new INTEGER NOT NULL)",
    "INSERT INTO same SELECT gone.pair, new.pair FROM ({gone}) AS gone JOIN ({new}) AS new"
    " ON new.content = gone.content AND new.number = gone.number",
    f"UPDATE pair SET change = 'moved', by = '{{by}}', outcome = '', ({_AFTER}) = (SELECT {_AFTER} FROM pair AS other"
    " WHERE other.rowid = (SELECT new FROM same WHERE gone = pair.rowid)) WHERE rowid IN (SELECT gone FROM same)",
    "DELETE FROM pair WHERE rowid IN (SELECT new FROM same)",
    "DROP TABLE same",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A page before and after. None: the side has no page there, and `outcome` is why."""

    change: str
    by: str  # of a page that moved: how it was recognised
    outcome: str
    still_at: str  # of a page that is gone: the first URL of the later side with the same bytes, ""
    before: InForce | None
    after: InForce | None


class Pairs:
    """What differs between two sides. `counts` has the number of pages for each name in COUNTED."""

    def __init__(self, before: Side, after: Side, progress: Progress) -> None:
        self._before = before
        self._after = after
        self._db = before.db
        self._counts: Counter[str] = Counter()
        for statement in _CREATE:
            self._db.execute(statement)
        self._db.executemany(_INSERT, self._differing(progress))
        self._db.execute(_TO_NEW_PAGES)
        self._recognise(_BYTES, BY_BYTES)
        self._read_texts(progress)
        self._recognise(_TEXT, BY_TEXT)
        self._find_still()
        self._counts.update(dict(self._db.execute("SELECT change, count(*) FROM pair GROUP BY 1")))
        self.counts = {name: self._counts[name] for name in COUNTED}

    def of(self, change: str) -> Iterator[Pair]:
        """The pairs with this change, in alphabetical order."""
        query = (
            "SELECT pair.*, still.url FROM pair LEFT JOIN still ON digest = before_digest AND change = 'gone'"
            " WHERE change = ? ORDER BY coalesce(before_url, after_url)"
        )
        for _, by, outcome, *values, still in self._db.execute(query, (change,)):
            before, after = values[: len(_NOTHING)], values[len(_NOTHING) :]
            yield Pair(
                change=change,
                by=by,
                outcome=outcome,
                still_at=still or "",
                before=InForce(*before) if before[0] is not None else None,
                after=InForce(*after) if after[0] is not None else None,
            )

    def _differing(self, progress: Progress) -> Iterator[tuple[object, ...]]:
        """Rows of table `pair`, without the pages that moved without a redirect."""
        merged = _merged(self._before.answers(), self._after.answers())
        for before, after in reported(merged, progress, "pages"):
            was_page, is_page = before is not None and before.is_page, after is not None and after.is_page
            if before is not None and after is not None and was_page and is_page:
                if _same(before, after):
                    self._counts[UNCHANGED] += 1
                    again = self._before.db is not self._after.db or before.time != after.time
                    self._counts[SAME_ANSWER] += not again
                else:
                    yield (CHANGED, "", "", *before, *after)
            elif before is not None and was_page:
                yield from self._without_page(before, after)
            elif after is not None and is_page:
                yield from self._without_page_before(before, after)

    def _without_page(self, before: InForce, after: InForce | None) -> Iterator[tuple[object, ...]]:
        outcome = f"http {after.status}" if after is not None else self._after.outcome(before.url)
        destination = self._after.destination(after) if after is not None else None
        if outcome == QUEUED:
            self._counts[UNREQUESTED] += 1
        elif destination is not None:
            yield (MOVED, BY_REDIRECT, outcome, *before, *destination)
        elif (recognised := self._successor(before)) is not None:
            by, successor = recognised
            yield (MOVED, by, "", *before, *successor)
        else:
            yield (GONE, "", outcome, *before, *_NOTHING)

    def _successor(self, page: InForce) -> tuple[str, InForce] | None:
        """Return by what visits have known a page again, and its page there; None: they have not, or none is there."""
        if self._before.db is not self._after.db:
            return None
        with self._before.db.damage():
            row = self._db.execute(_SUCCESSOR, (page.id,)).fetchone()
        successor = self._after.answer(row[0]) if row else None
        return (BY_VISITS[row[1]], successor) if successor is not None and successor.is_page else None

    def _without_page_before(self, before: InForce | None, after: InForce) -> Iterator[tuple[object, ...]]:
        outcome = f"http {before.status}" if before is not None else self._before.outcome(after.url)
        if outcome == QUEUED:
            self._counts[UNREQUESTED] += 1
        elif outcome == DROPPED:
            self._counts[DROPPED] += 1
        else:
            yield (NEW, "", "" if outcome == UNDISCOVERED else outcome, *_NOTHING, *after)

    def _recognise(self, content: str, by: str) -> None:
        """Turn pages that are gone, and new ones with the same content, into pages that moved."""
        sides = {
            change: _OF_KIND.format(content=content.format(side=side), side=side, change=change)
            for change, side in ((GONE, "before"), (NEW, "after"))
        }
        for statement in _MOVE:
            self._db.execute(statement.format(**sides, by=by))

    def _find_still(self) -> None:
        """Find the pages that are gone, and whose bytes another URL of the later side has."""
        for statement in _STILL:
            self._db.execute(statement)
        if self._db.execute("SELECT 1 FROM still").fetchone() is None:
            return
        pages = ((each.url, each.digest) for each in self._after.answers() if each.is_page and each.digest)
        self._db.executemany("UPDATE still SET url = ? WHERE digest = ? AND url IS NULL", pages)

    def _read_texts(self, progress: Progress) -> None:
        kinds = {change for (change,) in self._db.execute("SELECT DISTINCT change FROM pair")}
        if not {GONE, NEW} <= kinds:
            return
        for change, side, name in ((GONE, self._before, "before"), (NEW, self._after, "after")):
            query = f"SELECT rowid, {name}_id, {name}_time, {name}_earlier FROM pair WHERE change = ?"
            rows = self._db.execute(query, (change,))
            for row, url_id, time, earlier in reported(rows, progress, "pages that may have moved"):
                with side.db.damage():
                    text = side.contents.text(Stored(url_id, time, bool(earlier)))
                if text and not text.isspace():
                    values = (row, xxhash.xxh3_128_digest(text.encode("utf-8", "surrogatepass")))
                    self._db.execute("INSERT INTO main_text VALUES (?, ?)", values)


def _same(before: InForce, after: InForce) -> bool:
    return (before.status, before.title, before.digest) == (after.status, after.title, after.digest)


def _merged(before: Iterator[InForce], after: Iterator[InForce]) -> Iterator[tuple[InForce | None, InForce | None]]:
    """The answers of each URL on both sides, in alphabetical order."""
    first, second = next(before, None), next(after, None)
    while first is not None or second is not None:
        if second is None or (first is not None and first.url < second.url):
            yield first, None
            first = next(before, None)
        elif first is None or second.url < first.url:
            yield None, second
            second = next(after, None)
        else:
            yield first, second
            first, second = next(before, None), next(after, None)
