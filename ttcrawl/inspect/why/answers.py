"""The requests to a URL and their outcomes, from the tables."""

from __future__ import annotations

import json
from dataclasses import fields, replace

from ttcrawl.inspect.why.facts import Answer, Mark, Other, PageRow, Request, SameBytes, Soft404, Topic
from ttcrawl.inspect.why.open_crawl import OpenCrawl
from ttcrawl.snapshot.history import Answer as DatedAnswer
from ttcrawl.snapshot.history import history
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.tables import row_about
from ttcrawl.snapshot.unsettled import unsettled
from ttcrawl.store.imports import PACKED, imported_files
from ttcrawl.store.view_db import body_key
from ttcrawl.web.url import key

#: With view.db: the requests up to a row by its table, the later ones one by one. Likewise the pages.
_INDEXED = (
    " AND (id > (SELECT request FROM listing.progress) OR id IN"
    " (SELECT visit FROM listing.request WHERE of IN (?1, ?3)))"
)
_SAME_BODY = (
    " AND (url > (SELECT last FROM listing.progress) OR url IN (SELECT url FROM listing.body WHERE digest = ?3))"
)

COLUMNS = ", ".join(field.name for field in fields(PageRow))


def requests_to(db: View, site: int, url: str) -> tuple[tuple[Request, ...], Request | None]:
    """The requests to a URL in order of time, and the first request for the robots.txt of its host."""
    rows = db.execute(
        "SELECT url, kind, started, ended, status, reason, bytes, address, delay, delay_from, backoff, backoff_from,"
        f" requests FROM visit WHERE site = ?1 AND (url = ?2 OR kind = 'robots'){_INDEXED * db.has_listing}"
        " ORDER BY started, id",
        (site, url, key(url))[: 2 + db.has_listing],
    )
    to_url: list[Request] = []
    robots: Request | None = None
    for of, kind, started, ended, status, reason, size, address, delay, origin, backoff, backoff_from, requests in rows:
        request = Request(
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
            robots = robots or request
        if of == url:
            to_url.append(request)
    return tuple(to_url), robots


def answer(crawl: OpenCrawl, url_id: int) -> Answer | None:
    row = crawl.db.execute(
        f"SELECT digest, (SELECT url.url FROM url WHERE id = payload), {COLUMNS} FROM page WHERE url = ?", (url_id,)
    ).fetchone()
    if row is None:
        return None
    digest, holder, *columns = row
    page = PageRow(*columns)
    return Answer(
        page=page,
        failed_steps=_failed_steps(crawl.db, url_id, page.time),
        imported_from=_imported_from(crawl.db, page.file),
        unread=crawl.db.execute("SELECT 1 FROM unread WHERE url = ?", (url_id,)).fetchone() is not None,
        target=_target(crawl, url_id),
        same_bytes=_same_bytes(crawl.db, url_id, digest if page.length else None, holder or ""),
        soft_404=_soft_404(crawl.db, url_id),
        mark=_mark(crawl.db, url_id),
    )


def _imported_from(db: View, name: str) -> str:
    """The path of the imported file that has this name in warc/; "" for a file of the crawl, or one packed anew."""
    return next((each.path for each in imported_files(db) if each.file == name and each.mode != PACKED), "")


def _failed_steps(db: View, url_id: int, time: float) -> tuple[str, ...]:
    """The steps that failed in the browser, each with its cause."""
    row = db.execute("SELECT steps FROM failed_steps WHERE url = ? AND time = ?", (url_id, time)).fetchone()
    return tuple(json.loads(row[0])) if row else ()


def _soft_404(db: View, url_id: int) -> Soft404:
    row = db.execute(
        "SELECT probe.url, similarity FROM soft_404 JOIN probe ON probe.id = probe WHERE soft_404.url = ?", (url_id,)
    ).fetchone()
    return Soft404(*row or ())


def _mark(db: View, url_id: int) -> Mark:
    row = db.execute(
        "SELECT url.url, same, similarity FROM duplicate"
        " JOIN url ON url.id = coalesce(duplicate_of, near_duplicate_of) WHERE duplicate.url = ?",
        (url_id,),
    ).fetchone()
    return replace(Mark(*row), unsettled=bool(unsettled(db))) if row else Mark()


def _same_bytes(db: View, url_id: int, digest: bytes | None, holder: str) -> SameBytes:
    """`digest`: None for a page without a body."""
    indexed = db.has_listing and digest is not None
    count, first = db.execute(
        f"SELECT count(*), min(url) FROM page WHERE digest = ?1 AND url != ?2{_SAME_BODY * indexed}",
        (digest, url_id, *((body_key(digest),) if indexed and digest else ())),
    ).fetchone()
    return SameBytes(same_bytes=count, same_as=db.url_of(first) if count else "", held_by=holder)


def _target(crawl: OpenCrawl, url_id: int) -> Other | None:
    """The target of a redirect."""
    row = crawl.db.execute("SELECT targets FROM outlinks WHERE source = ? AND kinds = ?", (url_id, b"R")).fetchone()
    target = crawl.db.of_key(json.loads(row[0])[0]) if row else None
    if target is None:
        return None
    url, state, reason = crawl.db.execute("SELECT url, state, reason FROM url WHERE id = ?", (target[0],)).fetchone()
    return Other(url=url, state=state, reason=reason)


def several_answers(crawl: OpenCrawl, url_id: int) -> tuple[DatedAnswer, ...]:
    """All answers in order of time; none if the URL has no earlier ones."""
    if crawl.db.execute("SELECT 1 FROM earlier_page WHERE url = ?", (url_id,)).fetchone() is None:
        return ()
    return tuple(history(crawl.db, url_id))


def topic(db: View, url: int) -> Topic | None:
    """How relevant a page is; None: it has no score."""
    row = row_about(db, Topic, "topic", url)
    return replace(row, relevant=bool(row.relevant)) if row else None
