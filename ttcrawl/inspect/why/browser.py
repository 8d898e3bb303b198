"""How a page was read, and why: from its answer, or through the browser."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ttcrawl.output.number import counted
from ttcrawl.ring.browsing import (
    AGAIN,
    CONFIGURED,
    DIED,
    MEMORY,
    NO_SCRIPTS,
    RENDERED,
    SAMPLE,
    SHELL,
    SIZE,
    STATIC,
    STUCK,
    TEMPLATE,
)
from ttcrawl.snapshot.tables import row_about
from ttcrawl.store.database import Database

#: (How it was read, the reason) -> a sentence.
SENTENCES = {
    (RENDERED, CONFIGURED): "[browser] use names it",
    (RENDERED, SHELL): "it has scripts and next to no text, link or image",
    (RENDERED, SAMPLE): "it was read both ways, as a sample of its template",
    (RENDERED, TEMPLATE): "scripts add to the pages of its template",
    (RENDERED, AGAIN): "it was read statically at first; then scripts turned out to add to the pages of its template",
    (STATIC, NO_SCRIPTS): "it has no scripts",
    (STATIC, TEMPLATE): "scripts add nothing of their own to the pages of its template, as samples show",
    (STATIC, DIED): "the browser died on it, twice",
    (STATIC, STUCK): "the browser did not end with it within [browser] max_time, twice",
    (STATIC, MEMORY): "the browser took more than [browser] max_memory for it, twice",
    (STATIC, SIZE): "its document after scripts is larger than [browser] max_bytes",
}


@dataclass(frozen=True, slots=True)
class Template:
    """A row of table `template`: the pages that are alike before their scripts run."""

    pattern: str  # of their URLs
    read: str  # how the next one is read: static, browser, sample
    pages: int
    rendered: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserUse:
    """A row of table `browser_use`."""

    way: str
    reason: str
    seconds: float
    requests: int
    bytes: int
    links: int | None
    words: int | None
    template: Template | None  # None: it did not decide


def browser_use(db: Database, url: int) -> BrowserUse | None:
    """Return how a page was read; None: the crawl has no browser, or this is not an HTML page."""
    use = row_about(db, BrowserUse, "browser_use", url)
    return replace(use, template=_template(db, use.template)) if use else None


def _template(db: Database, id: object) -> Template | None:
    row = db.execute("SELECT pattern, state, pages, rendered FROM template WHERE id = ?", (id,)).fetchone()
    return Template(*row) if row else None


def lines(use: BrowserUse) -> list[str]:
    """Return the lines for a person."""
    result = [f"{use.way}: {SENTENCES.get((use.way, use.reason), use.reason)}"]
    if use.template is not None:
        template = use.template
        result.append(
            f"template {template.pattern}: {counted(template.pages, 'page')}, {template.rendered:,} in the browser,"
            f" the next one: {template.read}"
        )
    if use.way == RENDERED:
        requests = f"{counted(use.requests, 'request')} of scripts, {counted(use.bytes, 'byte')}"
        result.append(f"{use.seconds:,.1f} s in the browser, {requests}")
    if use.links is not None and use.words is not None:
        result.append(f"only the browser showed {counted(use.links, 'link')} and {counted(use.words, 'word')}")
    return result
