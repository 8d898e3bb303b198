"""`ttcrawl requeue`: put URLs that have failed, were answered with an error or were refused back into the queue.

`resume` then requests them, if robots.txt and scope allow it by then. So a URL that was refused as a trap, and is named
here, is requested; so is one that was deleted, if its state is named. An answer that is there stays among the earlier
answers of its URL. All changes are one transaction.

With `--visits`, URLs stay as they are, and `recrawl` visits them as soon as it runs.

With `--recorded`, the URLs are queued whose links were only recorded ([links] new = record). Their rows have the
shortest path that a crawl has found, and their place in the queue, so nothing is read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from ttcrawl.errors import UsageError
from ttcrawl.store.mending import Mending, mending
from ttcrawl.store.recrawls import CAN_BE_VISITED, REFUSAL
from ttcrawl.store.requeue import count_again, queue_again
from ttcrawl.store.rows import AS_QUEUED
from ttcrawl.store.stopped import stopped
from ttcrawl.vocabulary.reason import ALIAS, ALIAS_FETCHED, FOREIGN, UNTIL_RECYCLE
from ttcrawl.vocabulary.state import DELETED, FAILED, FETCHED, REFUSED, State
from ttcrawl.web.storable import is_sound

#: States whose URLs can be queued again; fetched ones with a status of 400 or more. Deleted ones must be named by
#: their state.
STATES = (FAILED, REFUSED, FETCHED, DELETED)

#: The URLs to put back; `reached`: a link that is followed leads there, or a page shows it.
SELECT = f"""
    CREATE TEMP TABLE again AS
    SELECT url.id, url.site, url.state, url.reason, url.depth NOT NULL OR url.requisite > 0 AS reached,
    coalesce(rule.text, '') AS rule
    FROM url JOIN site ON site.id = url.site LEFT JOIN rule ON rule.id = url.rule LEFT JOIN page ON page.url = url.id
    WHERE (state IN ('{FAILED}', '{REFUSED}') OR (state = '{FETCHED}' AND page.status >= 400)
    OR (state = '{DELETED}' AND ?1))
    AND reason NOT IN ('{ALIAS}', '{ALIAS_FETCHED}', '{FOREIGN}')"""

#: URLs that have answered or failed, or that robots.txt has refused, are due since then; the next visit to a page that
#: is missing is soon.
DUE = f"""
    INSERT INTO revisit (url, next, visited, refused)
    SELECT url.id, processed, processed, {REFUSAL}
    FROM url JOIN site ON site.id = url.site LEFT JOIN page ON page.url = url.id
    WHERE {CAN_BE_VISITED}"""
_ALREADY = " ON CONFLICT (url) DO UPDATE SET next = min(next, visited) WHERE missing = 0"

#: URLs whose links were only recorded.
RECORDED = f"""
    CREATE TEMP TABLE again AS SELECT id, site, state, reason, 1 AS reached, '' AS rule FROM url
    WHERE state = '{REFUSED}' AND reason = '{UNTIL_RECYCLE}'"""
_QUEUED = f"UPDATE url SET {AS_QUEUED} WHERE id IN (SELECT id FROM again)"

#: Called when the URLs of table `again` are queued, with the open transaction: in a ring, some are sent to others.
Send: TypeAlias = Callable[[Mending], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """The URLs that are meant: those that one text of each list names, where * stands for any characters.

    An empty list names all.
    """

    states: Sequence[State] = ()
    reasons: Sequence[str] = ()
    rules: Sequence[str] = ()
    hosts: Sequence[str] = ()
    urls: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Raises UsageError for a text that no URL, host, reason or rule has."""
        for name, texts in asdict(self).items():
            if wrong := [text for text in texts if not is_sound(text)]:
                raise UsageError(f"--{name[:-1]} {wrong[0]!r}: write a text in UTF-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Requeued:
    """Numbers of URLs. `unreachable`: no link that is followed leads to them, so they were left as they are."""

    queued: Counter[tuple[State, str]]  # by state and reason before
    unreachable: int


def requeue(directory: Path, which: Which, send: Send | None = None) -> Requeued:
    """Queue URLs again; with `send` in the directory of a ring. Raises UsageError if all URLs are meant, or while the
    crawl runs."""
    if not any(asdict(which).values()):
        raise UsageError("name the URLs to queue again: --state, --reason, --rule, --host or --url")
    with stopped(directory, ring=send is not None), mending(directory / "crawl.db") as db:
        _select(db, which)
        rows = db.execute("SELECT state, reason, reached, count(*) FROM again GROUP BY 1, 2, 3").fetchall()
        queued = Counter({(state, reason): count for state, reason, reached, count in rows if reached})
        if queued:
            queue_again(db)
            if send is not None:
                send(db)
            count_again(db)
    return Requeued(queued=queued, unreachable=sum(count for _, _, reached, count in rows if not reached))


def make_due(directory: Path, which: Which, *, ring: bool = False) -> int:
    """Let `ttcrawl recrawl` visit URLs as soon as it runs, and return how many; without names, all of them.

    `ring`: it may be the directory of a ring.

    Raises UsageError while the crawl runs, or if a rule or refused URLs are named: they have no visits.
    """
    if which.rules or not {*which.states} <= {FETCHED, FAILED}:
        raise UsageError("URLs that were refused or deleted are not visited: requeue them without --visits")
    with stopped(directory, ring=ring), mending(directory / "crawl.db") as db:
        condition, values = _condition(which)
        return db.execute(DUE + condition + _ALREADY, values).rowcount


def requeue_recorded(directory: Path, send: Send | None = None) -> int:
    """Queue the URLs whose links were only recorded, and return how many; with `send` in the directory of a ring.

    Raises UsageError while the crawl runs.
    """
    with stopped(directory, ring=send is not None), mending(directory / "crawl.db") as db:
        db.execute(RECORDED)
        queued: int = db.execute(_QUEUED).rowcount
        if queued and send is not None:
            send(db)
        if queued:
            count_again(db)
    return queued


def _select(db: Mending, which: Which) -> None:
    condition, values = _condition(which)
    db.execute(SELECT + condition, [DELETED in which.states, *values])


def _condition(which: Which) -> tuple[str, list[str]]:
    """Return the condition for the URLs that are meant, and its values."""
    condition, values = "", list[str]()
    for column, texts in (
        ("state", which.states),
        ("reason", which.reasons),
        ("rule.text", which.rules),
        ("site.host", which.hosts),
        ("url.url", which.urls),
    ):
        if texts:
            condition += f" AND ({' OR '.join([f'{column} GLOB ?'] * len(texts))})"
            values += [_glob(text) for text in texts]
    return condition, values


def _glob(text: str) -> str:
    """Return a GLOB pattern in which only * has a meaning; ? and [ are frequent in URLs."""
    return text.replace("[", "[[]").replace("?", "[?]")
