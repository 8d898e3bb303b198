"""A small crawl directory made through the store, of which everything is known, with hostile titles and anchors."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import xxhash

from tests.support.web.bombs import bomb, gzipped
from ttcrawl.config import Config
from ttcrawl.engine.run.directory import fresh
from ttcrawl.ring.columns import Document, Facts, Headers, Image, LinkCounts, Metadata, Outlinks, Reading, Text
from ttcrawl.ring.messages import Archived, Head, Link, Moved, Page
from ttcrawl.ring.position import Position
from ttcrawl.store.rows import NewUrl, NewVisit, Sample
from ttcrawl.store.warc import Archive
from ttcrawl.web.url import key

EVIL = "\x1b[2J\u202eevil\r\n'\"<b>\x01\U0001f600"
BASE = "http://a.test"
HOME, OTHER, GONE, OLD, QUEUED, PRIVATE, PICTURE, PAPER, BOMB = URLS = tuple(
    BASE + path for path in ("/", "/b", "/gone", "/old", "/queued", "/private/x", "/x.png", "/x.pdf", "/bomb")
)
UNRECORDED = "http://elsewhere.test/"  # linked to, and not in the ledger
STATES = {
    HOME: ("fetched", "http 200"),
    OTHER: ("fetched", "http 200"),
    GONE: ("failed", "dns"),
    OLD: ("moved", "http 301"),
    QUEUED: ("queued", ""),
    PRIVATE: ("refused", "robots.txt"),
    PICTURE: ("fetched", "http 200"),
    PAPER: ("fetched", "http 200"),
    BOMB: ("refused", "bomb"),
}
BODIES = {
    HOME: b"<title>Home</title>\xff\x00 hello",
    OTHER: b"<p>other",
    OLD: b"moved",
    PICTURE: b"\x89PNG",
    PAPER: b"%PDF-1.4",
    BOMB: bytes(70 << 20),  # more than [fetch] max_decoded
}
TEXT, MAIN = f"Menu {EVIL}\n\nHello, wörld", "Hello, wörld"

#: Of HOME: target, kind, region, part, anchor.
LINKS = (
    (OTHER, "a", "c", "m", EVIL),
    (OTHER, "a", "e", "n", "again"),
    (UNRECORDED, "a", "n", "-", ""),
    (PICTURE, "g", "r", "m", "\N{LATIN SMALL LETTER E WITH ACUTE}"),
    (PRIVATE, "Z", "Z", "Z", "of kinds that nobody knows yet"),
)

#: url, duplicate_of, same, near_duplicate_of, similarity: the picture has the bytes of OTHER, which is nearly HOME.
DUPLICATES = ((2, None, "near", 1, 0.925), (7, 2, "bytes", None, 1.0))


def make(directory: Path) -> Path:
    """As a crawl leaves it that was stopped: closed, with archive and config.ini."""
    about = {"seeds": HOME, "started": 1e9, "finished": "max_pages"}
    with fresh(directory, Config(), about) as store:
        store.sites.add("a.test", "a.test")
        store.sites.update(1, next_at=1e9 + 5, robots="User-agent: *\n", robots_time=1e9, robots_status=200)
        rule = store.urls.rule("robots.txt: Disallow: /private")
        store.urls.add([_met(n, url, rule) for n, url in enumerate(URLS, 1)])
        archive = Archive(directory / "warc", Position(series=0), 1 << 30)
        for n, url in enumerate(URLS, 1):
            if url in BODIES:
                store.answers.add(n, 1e9 + n, 301 if url == OLD else 200, _answer(archive, url, 1e9 + n))
                visit = (1, url, "page", 1e9 + n, 1e9 + n + 0.1, 200, "", 9, "127.0.0.1", 1, "", 0, 1, None, "")
                store.answers.add_visit(_row(NewVisit, *visit))
        gone = (1, GONE, "page", 1e9, 1e9 + 1, None, "dns", 0, "", 1.0, "default", 0.0, 1, 60.0, "dns")
        store.answers.add_visit(_row(NewVisit, *gone))
        for n in range(1, 6):
            store.answers.add_growth(_row(Sample, n, n / 2, n * 10, n * 7, n, n * 100, n * 3))
        archive.close()
        store.close()
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.executemany("INSERT INTO duplicate VALUES (?, ?, ?, ?, ?)", DUPLICATES)
    return directory


def _row(of, *values):
    return of(**dict(zip(of.__struct_fields__, values, strict=True)))


def _met(n: int, url: str, rule: int | None) -> NewUrl:
    private, (state, reason) = url == PRIVATE, STATES[url]
    return NewUrl(
        id=n,
        key=key(url),
        url=url,
        site=1,
        state=state,
        reason=reason,
        rule=rule if private else None,
        depth=None if private else min(n - 1, 1),
        found_on=None if n == 1 else 1,
        discovered=1e9 + n,
        processed=1e9 + n + 0.25,
    )


def _answer(archive: Archive, url: str, at: float) -> Page | Moved:
    body, headers = BODIES[url], [("Content-Type", "text/html; charset=utf-8")]
    if url in (HOME, BOMB):
        coded = bomb("gzip", len(body)) if url == BOMB else gzipped(body)
        body, headers = coded, [*headers, ("Content-Encoding", "gzip")]
    head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=tuple(headers), address="127.0.0.1")
    archived = archive.append(url, head, body, at)
    if url == OLD:
        target = Link(url=OTHER, key=key(OTHER), host="a.test", distance=1, refused="")
        return Moved(token=1, archived=archived, location=f"/b {EVIL}", target=target)
    return page(url, archived, body)


def page(url: str, archived: Archived, body: bytes) -> Page:
    rows = LINKS if url == HOME else ()
    text = TEXT.encode()
    return Page(
        token=1,
        archived=archived,
        refused="bomb" if url == BOMB else "",
        digest=xxhash.xxh3_128_digest(body),
        headers=Headers(),
        facts=Facts(
            type={PICTURE: "image/png", PAPER: "application/pdf"}.get(url, "text/html"),
            declared_type="text/html",
            charset="utf-8",
            declared_charset="utf-8",
            charset_from="header",
            length=len(body),
            title=EVIL if url == HOME else "",
            parser="lexbor",
        ),
        counts=LinkCounts(links=len(rows), content_links=1, recorded_links=1, not_http=2, schemes='{"mailto": 2}'),
        outlinks=Outlinks(
            targets=json.dumps([key(row[0]) for row in rows]),
            kinds="".join(row[1] for row in rows).encode(),
            regions="".join(row[2] for row in rows).encode(),
            landmarks="".join(row[3] for row in rows).encode(),
            anchors=json.dumps([row[4] for row in rows]) if rows else "",
        ),
        reading=Reading(
            metadata=Metadata(description=EVIL, language="en", words=4, main_words=2) if url == HOME else None,
            text=_packed(text) if url == HOME else None,
            image=Image(name=EVIL, size=9, width=3, height=None) if url == PICTURE else None,
            document=Document(name="x.pdf", size=9, pages=None) if url == PAPER else None,
        ),
    )


def _packed(text: bytes) -> Text:
    main = MAIN.encode()
    return Text(size=len(text), packed=zlib.compress(text), main_size=len(main), main=zlib.compress(main))
