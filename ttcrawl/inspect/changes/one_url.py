"""How one URL differs in two crawls: the latest answers of both."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.snapshot.comparison import Content, difference, texts
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.stored import Contents, Stored, ignored_in, urls_of
from ttcrawl.snapshot.texts import WordChange, unified
from ttcrawl.web.ignored import Ignored

#: Lines of a diff, and links, that are listed.
LINES, LINKS = 500, 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A URL in one of the crawls. `status` is None without an answer; `state` is "" if it was not discovered."""

    state: str
    reason: str
    time: float | None = None
    status: int | None = None
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlChange:
    """What differs. `what` is as in `ttcrawl diff`; empty if a side has no answer. Links are the first `LINKS`."""

    before: Side
    after: Side
    what: tuple[str, ...] = ()
    words: WordChange | None = None
    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    diff: tuple[str, ...] = ()  # lines of a unified diff of the main texts, the first `LINES`


def url_change(first: View, second: View, url: str) -> UrlChange:
    """Compare a canonical URL. Raises ValueError for damaged rows."""
    ignored = ignored_in(first, second)
    before, old = _side(first, url, ignored)
    after, new = _side(second, url, ignored)
    if old is None or new is None:
        return UrlChange(before=before, after=after)
    differs = difference(old, new)
    old_text, new_text = texts(old, new)
    lines = unified(old_text, new_text) if old_text is not None and new_text is not None else ()
    return UrlChange(
        before=before,
        after=after,
        what=differs.what,
        words=differs.words,
        appeared=urls_of(second, differs.appeared)[:LINKS],
        vanished=urls_of(first, differs.vanished)[:LINKS],
        diff=tuple(lines)[:LINES],
    )


def _side(db: View, url: str, ignored: Ignored) -> tuple[Side, Content | None]:
    id = db.url_id(url)
    if id is None:
        return Side(state="", reason=""), None
    state, reason, time, status, title = db.execute(
        "SELECT state, reason, page.time, status, title FROM url LEFT JOIN page ON page.url = url.id WHERE url.id = ?",
        (id,),
    ).fetchone()
    side = Side(state=state, reason=reason, time=time, status=status, title=title or "")
    content = Contents(db, id, ignored).content(Stored(id, time, False)) if time is not None else None
    return side, content
