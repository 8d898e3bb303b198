"""Every figure of the report, read from a crawl directory that may be growing meanwhile. Nothing here writes.

>>> from pathlib import Path
>>> summarize(Path("/nowhere"))
Traceback (most recent call last):
    ...
ttcrawl.report.read.NotACrawl: /nowhere is no crawl directory: it does not exist
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ttcrawl.report.links import occurrences, refused
from ttcrawl.report.summary import Growth, Summary, Tally
from ttcrawl.stats.heaps import fit
from ttcrawl.store.schema import VERSION

__all__ = ["NotACrawl", "Summary", "open_crawl", "summarize"]

SECONDS_TO_WAIT = 30.0  # for a lock, which a reader meets only while a killed crawl's log is being recovered


class NotACrawl(Exception):
    """The directory cannot be read as a crawl; the message is one line that says why and what to do."""


def open_crawl(directory: Path) -> sqlite3.Connection:
    """The database of a crawl, running or not, for reading only. NotACrawl when there is none that we can read.

    SQLite leaves an empty write-ahead log and its index beside the database of a stopped crawl that was read; the next
    writer removes them.
    """
    path = directory / "crawl.db"
    if not path.is_file():
        raise NotACrawl(f"{directory} is no crawl directory: {_missing(directory)}")
    try:
        db = _connect(path)
    except sqlite3.OperationalError as error:
        raise NotACrawl(
            f"{path} cannot be opened ({error}); check its permissions, or copy the directory to where you can write"
        ) from error
    try:
        version = _setting(db, "schema_version")
    except sqlite3.DatabaseError as error:
        db.close()
        raise NotACrawl(f"{directory} is no crawl directory: crawl.db is not a crawl database ({error})") from error
    if not version.isdecimal() or int(version) > VERSION:
        db.close()
        raise NotACrawl(
            f"{directory} has tables of version {version or 'unknown'}, this ttcrawl reads up to {VERSION};"
            " read it with the ttcrawl that wrote it, or upgrade"
        )
    return db


def summarize(directory: Path) -> Summary:
    """Every figure of one crawl, all of one moment. NotACrawl as `open_crawl`, and when the database is damaged."""
    with closing(open_crawl(directory)) as db:
        try:
            db.execute("BEGIN")  # one snapshot: a running crawl may commit meanwhile, and the sums must still agree
            return _summary(db, directory)
        except (sqlite3.DatabaseError, ValueError) as error:
            raise NotACrawl(f"{directory / 'crawl.db'} is damaged ({error}); run: ttcrawl verify DIR") from error


def _summary(db: sqlite3.Connection, directory: Path) -> Summary:
    given: dict[str, str] = dict(db.execute("SELECT name, value FROM crawl"))

    def number(name: str) -> float:
        return float(given.get(name) or 0)

    states = _states(db)
    failed = states.get("failed", {})
    statuses: dict[int, int] = _counts(
        db, "SELECT status, count(*) FROM page JOIN url ON url.id = page.url WHERE state = 'fetched'"
    )
    links = occurrences(db)
    found, content, same_page, same_pages, not_http, size = _one_row(
        db,
        "SELECT coalesce(sum(found), 0), coalesce(sum(content), 0), coalesce(sum(same_page), 0),"
        " coalesce(sum(same_page > 0), 0), coalesce(sum(not_http), 0), coalesce(sum(length), 0) FROM page",
    )
    robots_blocked, out_of_scope = refused(db, links, follow_all=given.get("follow") == "all")
    pages = _sum(states.get("fetched", {}))
    growth = _growth(db)
    seconds = max(number("seconds"), growth.seconds[-1] if growth.seconds else 0.0)
    obey_delay = given.get("obey_delay", "yes") == "yes"
    floor, slowest = _politeness(db, number("delay") if obey_delay else 0.0)
    parse_errors, parse_rescued = _one_row(
        db, "SELECT coalesce(sum(parser = ''), 0), coalesce(sum(parser != ''), 0) FROM page WHERE parse_error != ''"
    )
    sites, asked, rules, unreachable = _one_row(
        db,
        "SELECT count(*), count(robots_at), coalesce(sum(robots LIKE '%allow%:%'), 0),"
        " coalesce(sum(robots_at IS NOT NULL AND robots IS NULL), 0) FROM site",
    )
    tests, maybe, false = int(number("seen_tests")), int(number("seen_maybe")), int(number("seen_false"))
    return Summary(
        version=given.get("ttcrawl_version", ""),
        started=number("started"),
        seconds=seconds,
        finished=given.get("finished", ""),
        seeds=tuple(given.get("seeds", "").split("\n")) if given.get("seeds") else (),
        scope=given.get("scope", ""),
        parser=given.get("parser", ""),
        obey_delay=obey_delay,
        delay=number("delay"),
        content_start=given.get("content_start", ""),
        follow=given.get("follow", ""),
        urls=sum(map(_sum, states.values())),
        pages=pages,
        statuses=statuses,
        moved=_sum(states.get("moved", {})),
        failed=failed,
        refused=states.get("refused", {}),
        queued=_sum(states.get("queued", {})),
        found=Tally(total=found, distinct=links.distinct()),
        content=Tally(total=content, distinct=len(links.content)),
        elsewhere=Tally(total=found - content, distinct=len(links.elsewhere)),
        same_page=Tally(total=same_page, distinct=same_pages),
        not_http=not_http,
        robots_blocked=robots_blocked,
        out_of_scope=out_of_scope,
        fetch_errors=_largest_first(failed | {f"http {status}": n for status, n in statuses.items() if status >= 400}),
        unanswered=_counts(db, "SELECT reason, count(*) FROM visit WHERE status IS NULL"),
        parse_errors=parse_errors,
        parse_rescued=parse_rescued,
        parsers=_counts(db, "SELECT parser, count(*) FROM page WHERE parser != ''"),
        requests=_one_row(db, "SELECT count(*) FROM visit")[0],
        bytes=size,
        archive_bytes=_archive_bytes(directory / "warc"),
        pages_per_second=pages / seconds if seconds > 0 else None,
        politeness_floor=floor,
        politeness_host=slowest,
        sites=sites,
        robots_asked=asked,
        robots_rules=rules,
        robots_unreachable=unreachable,
        seen_tests=tests,
        seen_maybe=maybe,
        seen_false=false,
        seen_rate_asked=number("seen_error_rate"),
        seen_rate_observed=_observed_rate(tests, maybe, false),
        growth=growth,
        saturation=_saturation(growth),
        heaps_found=fit(growth.found, growth.distinct_urls),
        heaps_pages=fit(growth.pages, growth.distinct_urls),
    )


def _connect(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(os.fsencode(path.absolute()))}?mode=ro"
    try:
        return _opened(uri)
    except sqlite3.OperationalError:
        # A write-ahead log needs a writable directory even to be read. Where nobody can write and none is left behind,
        # nothing can change the file either, which is what `immutable` promises to SQLite.
        log = path.with_name("crawl.db-wal")
        if os.access(path.parent, os.W_OK) or (log.exists() and log.stat().st_size):
            raise
        return _opened(f"{uri}&immutable=1")


def _opened(uri: str) -> sqlite3.Connection:
    db = sqlite3.connect(uri, uri=True, timeout=SECONDS_TO_WAIT, isolation_level=None)
    try:
        db.execute("SELECT 1 FROM sqlite_schema LIMIT 1")  # only the first read opens the file
    except sqlite3.OperationalError:
        db.close()
        raise
    except sqlite3.DatabaseError:
        pass  # it could be opened and is no database: the caller says so
    return db


def _missing(directory: Path) -> str:
    if not directory.exists():
        return "it does not exist"
    if not directory.is_dir():
        return "it is a file; give the directory"
    return "it holds no crawl.db; give the directory that was given to ttcrawl crawl -d"


def _setting(db: sqlite3.Connection, name: str) -> str:
    row = db.execute("SELECT value FROM crawl WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def _states(db: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """URLs by state and reason."""
    states: dict[str, dict[str, int]] = {}
    for state, reason, count in db.execute("SELECT state, reason, count(*) FROM url GROUP BY 1, 2 ORDER BY 3 DESC, 2"):
        states.setdefault(state, {})[reason] = count
    return states


def _counts(db: sqlite3.Connection, query: str) -> dict[Any, int]:
    """A mapping from the first column to the second of a query that still lacks its grouping."""
    return dict(db.execute(f"{query} GROUP BY 1 ORDER BY 2 DESC, 1").fetchall())


def _largest_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _sum(counts: Mapping[Any, int]) -> int:
    return sum(counts.values())


def _one_row(db: sqlite3.Connection, query: str) -> tuple[int, ...]:
    return tuple(db.execute(query).fetchone())


def _growth(db: sqlite3.Connection) -> Growth:
    rows = db.execute("SELECT pages, seconds, found, distinct_urls FROM growth ORDER BY pages").fetchall()
    pages, seconds, found, distinct_urls = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Growth(pages=pages, seconds=seconds, found=found, distinct_urls=distinct_urls)


def _saturation(growth: Growth) -> int | None:
    """Of a crawl that goes on, or of one that ends while still finding URLs, this is simply the last sample."""
    if not growth.pages:
        return None
    return growth.pages[growth.distinct_urls.index(growth.distinct_urls[-1])]


def _politeness(db: sqlite3.Connection, default: float) -> tuple[float, str]:
    """(seconds, host): the longest requests * delay of a site. A crawl that waits takes this long, less one delay (no
    wait comes before the first request), however many processes it has. A site whose robots.txt was never read was
    visited at the default delay."""
    row = db.execute(
        "SELECT count(*) * coalesce(delay, ?) AS floor, host FROM visit JOIN site ON site.id = visit.site"
        " GROUP BY site.id ORDER BY floor DESC, host LIMIT 1",
        (default,),
    ).fetchone()
    return (float(row[0]), row[1]) if row and row[0] else (0.0, "")


def _observed_rate(tests: int, maybe: int, false: int) -> float | None:
    """False positives of the filter per test of a URL that was new: false / (false + surely new).

    Only a new URL can be a false positive: of the `tests`, those answered "surely new" (tests - maybe) were new, and so
    were the `false` ones. The filter fills as the crawl goes on, so the mean over the crawl lies below its last rate.
    """
    new = tests - maybe + false
    return false / new if new > 0 else None


def _archive_bytes(directory: Path) -> int:
    """Of the files as they are now; one that is renamed or removed meanwhile counts as nothing."""
    size = 0
    for path in directory.glob("*"):
        with suppress(OSError):
            size += path.stat().st_size if path.is_file() else 0
    return size
