"""The panes of a page: as it was archived, its main text, its source, and what a browser has made of it."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ttcrawl.inspect.archived.shown import source, take_nearest
from ttcrawl.output.moments import moment
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.ring.rendering import PNG
from ttcrawl.snapshot import responses
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.page_text import words
from ttcrawl.snapshot.snapshot import View

ARCHIVED, TEXT, SOURCE, DOCUMENT, SCREENSHOT = "archived", "text", "source", "document", "screenshot"

LABELS = MappingProxyType(
    {
        ARCHIVED: "As archived",
        TEXT: "Main text",
        SOURCE: "Source",
        DOCUMENT: "After scripts",
        SCREENSHOT: "Screenshot",
    }
)

#: The option of `ttcrawl page` for each of them; the others are of `--body`.
OPTIONS = {TEXT: "--main", DOCUMENT: "--document", SCREENSHOT: "--screenshot"}

#: Characters of a text that a pane shows.
MOST = 500_000

_IN_BROWSER = "SELECT 1 FROM browser_use WHERE url = ? AND way = 'browser'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pane:
    """What a pane shows of a URL: the answer of a moment (as archived, after scripts), a text, or a screenshot."""

    url: str
    at: float | None  # the answer that was chosen; None: the latest one
    kind: str
    labels: dict[str, str]  # of the panes that this page has
    moment: float | None = None  # of the answer, in seconds since the epoch
    text: str = ""
    cut: bool = False  # whether this is its beginning
    missing: str = ""  # why there is nothing

    @property
    def options(self) -> tuple[str, ...]:
        """Of `ttcrawl page`, which writes the same."""
        option = OPTIONS.get(self.kind, "--body")
        if self.at is None or self.kind == SCREENSHOT:
            return (option,)
        return option, "--at", moment(self.at).replace(" ", "T")


def pane(db: View, url: str, at: float | None, kind: str) -> Pane:
    """A pane of the answer nearest to a moment; None: of the latest one.

    Call it last: later queries of this view see the rows of this answer alone.
    """
    kind, labels = kind if kind in LABELS else ARCHIVED, dict(LABELS)
    contents: dict[str, Any]
    try:
        id, url = take_nearest(db, url, at)
        if db.execute(_IN_BROWSER, (id,)).fetchone() is None:
            del labels[DOCUMENT], labels[SCREENSHOT]
        contents = _contents(db, id, url, kind)
    except NotThere as error:
        contents = {"missing": str(error)}
    return Pane(url=url, at=at, kind=kind, labels=labels, **contents)


def _contents(db: View, id: int, url: str, kind: str) -> dict[str, Any]:
    """The fields of Pane that a pane fills."""
    if kind == SCREENSHOT:
        responses.picture(db, id, url, PNG)
        return {}
    if kind in (ARCHIVED, DOCUMENT):
        row = db.execute("SELECT time FROM page WHERE url = ?", (id,)).fetchone()
        if row is None:
            raise responses.no_answer(db, id)
        return {"moment": row[0]}
    text = words(db, id, url, main=True) if kind == TEXT else source(db, id, url)
    lines = [escape_untrusted(line.expandtabs()) for line in text[:MOST].splitlines()]
    return {"text": "\n".join(lines), "cut": len(text) > MOST}
