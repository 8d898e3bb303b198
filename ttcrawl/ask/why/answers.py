"""The requests to a URL and their outcomes, from the tables."""

from __future__ import annotations

import json

from ttcrawl.ask.report.duplicates import unsettled
from ttcrawl.ask.view.view import View
from ttcrawl.ask.why.facts import Answer, Exchange, Other
from ttcrawl.ask.why.opened import Opened

#: Columns of table page, under the names of the fields of Answer.
COLUMNS = (
    *("at", "status", "type", "charset", "length", "title", "parser", "parse_error", "found", "content", "same_page"),
    *("not_http", "robots", "location", "file", "offset", "size"),
)


def exchanges(db: View, site: int, url: str) -> tuple[tuple[Exchange, ...], Exchange | None]:
    """The requests to a URL in order of time, and the first request for the robots.txt of its host."""
    rows = db.execute(
        "SELECT url, kind, started, ended, status, reason, bytes, address, delay, delay_from, backoff, backoff_from,"
        " requests FROM visit WHERE site = ? AND (url = ? OR kind = 'robots') ORDER BY started, id",
        (site, url),
    )
    with_it: list[Exchange] = []
    robots: Exchange | None = None
    for of, kind, started, ended, status, reason, size, address, delay, origin, backoff, backoff_from, requests in rows:
        exchange = Exchange(
            kind=kind,
            started=started,
            seconds=ended - started,
            outcome=", ".join(filter(None, (f"http {status}" if status is not None else "", reason))),
            bytes=size,
            address=address,
            delay=delay,
            delay_from=origin,
            backoff=backoff,
            backoff_from=backoff_from,
            requests=requests,
        )
        if kind == "robots":
            robots = robots or exchange
        if of == url:
            with_it.append(exchange)
    return tuple(with_it), robots


def answer(crawl: Opened, found: int) -> Answer | None:
    row = crawl.db.execute(
        f"SELECT digest, (SELECT url.url FROM url WHERE id = payload), {', '.join(COLUMNS)} FROM page WHERE url = ?",
        (found,),
    ).fetchone()
    if row is None:
        return None
    digest, held_by, *values = row
    told = dict(zip(COLUMNS, values, strict=True))
    same, first = _same(crawl.db, found, digest) if told["length"] else (0, "")
    probe, missing = _soft_404(crawl.db, found)
    original, by, similarity = _marked(crawl.db, found)
    return Answer(
        **told,
        target=_target(crawl, found),
        same_bytes=same,
        same_as=first,
        held_by=held_by or "",
        soft_404=probe,
        missing=missing,
        original=original,
        same=by,
        similarity=similarity,
        unsettled=bool(original and unsettled(crawl.db)),
    )


def _soft_404(db: View, found: int) -> tuple[str, float]:
    """The probe URL with the same response, and the similarity of the two responses."""
    row: tuple[str, float] | None = db.execute(
        "SELECT probe.url, similarity FROM soft_404 JOIN probe ON probe.id = probe WHERE soft_404.url = ?", (found,)
    ).fetchone()
    return row or ("", 0.0)


def _marked(db: View, found: int) -> tuple[str, str, float]:
    """The original of this page, the kind of mark, and their similarity."""
    row: tuple[str, str, float] | None = db.execute(
        "SELECT url.url, same, similarity FROM duplicate"
        " JOIN url ON url.id = coalesce(duplicate_of, near_duplicate_of) WHERE duplicate.url = ?",
        (found,),
    ).fetchone()
    return row or ("", "", 0.0)


def _same(db: View, found: int, digest: bytes | None) -> tuple[int, str]:
    """The number of other pages with the same body, and the first of them."""
    if digest is None:
        return 0, ""
    count, first = db.execute(
        "SELECT count(*), min(url) FROM page WHERE digest = ? AND url != ?", (digest, found)
    ).fetchone()
    if not count:
        return 0, ""
    return count, db.execute("SELECT url FROM url WHERE id = ?", (first,)).fetchone()[0]


def _target(crawl: Opened, found: int) -> Other | None:
    """The target of a redirect."""
    row = crawl.db.execute("SELECT targets FROM outlinks WHERE source = ? AND kinds = ?", (found, b"R")).fetchone()
    met = crawl.db.of_key(json.loads(row[0])[0]) if row else None
    if met is None:
        return None
    url, state, reason = crawl.db.execute("SELECT url, state, reason FROM url WHERE id = ?", (met[0],)).fetchone()
    return Other(url=url, state=state, reason=reason)
