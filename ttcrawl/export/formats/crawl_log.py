"""The crawl.log of Heritrix 3: a line for each request.

https://heritrix.readthedocs.io/en/latest/operating.html#crawl-log
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import partial

from ttcrawl.export.discovery import PREREQUISITE, DiscoveryPaths
from ttcrawl.export.format import Format, write_file
from ttcrawl.export.record_header import header
from ttcrawl.export.sources import VISITS
from ttcrawl.snapshot.rows import Visit
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import NO_CONNECTION, TIMEOUT_READ, TIMEOUT_TOTAL, family

#: Codes of requests without a response (Heritrix 3, FetchStatusCodes).
DNS_FAILED, CONNECT_FAILED, CONNECTION_LOST, TIMED_OUT, OTHER_ERROR = -1, -2, -3, -4, -5

#: Seconds within which a response was processed after its end; the clock may be set meanwhile.
PROCESSED = 60.0

#: The response to a request, of those that are stored.
ANSWER = (
    "SELECT type, file, offset, size FROM answer WHERE url = ?1 AND status = ?2"
    f" AND time BETWEEN ?3 - {PROCESSED} AND ?3 + {PROCESSED} ORDER BY abs(time - ?3) LIMIT 1"
)


def crawl_log(db: View, visits: Iterable[Visit]) -> Iterator[bytes]:
    """Lines in the order of the requests. Digest and type are of stored responses, "-" for others."""
    paths = DiscoveryPaths(db)
    for visit in visits:
        url = db.url_id(visit.url) if visit.kind == "page" else None
        path, source = paths.path(url) if url is not None else ("", "")
        if visit.kind == "robots":
            path = PREREQUISITE
        type, digest = _content(db, url, visit)
        fields = (
            _moment(visit.ended, "%Y-%m-%dT%H:%M:%S.") + "Z",
            f"{status_code(visit):>5}",
            f"{visit.bytes if visit.status is not None else '-':>10}",
            visit.url,
            path or "-",
            source or "-",
            type,
            "#000",
            f"{_moment(visit.started, '%Y%m%d%H%M%S')}+{round((visit.ended - visit.started) * 1000)}",
            digest,
            "-",
            ",".join(_annotations(visit)) or "-",
        )
        yield (" ".join(fields) + "\n").encode()


def _content(db: View, url: int | None, visit: Visit) -> tuple[str, str]:
    """(media type, digest) of a response."""
    row = db.execute(ANSWER, (url, visit.status, visit.ended)).fetchone() if url is not None else None
    if row is None:
        return "unknown", "-"
    digest = header(db.directory, *row[1:]).get("warc-payload-digest", "-")
    return row[0].replace(" ", "") or "unknown", digest


def _annotations(visit: Visit) -> Iterator[str]:
    if visit.requests > 1:
        yield f"{visit.requests}t"
    if visit.reason:
        yield visit.reason.replace(" ", "_").replace(",", "")


def status_code(visit: Visit) -> int:
    """Return the status of a response, or the code of Heritrix for a request without one."""
    if visit.status is not None:
        return visit.status
    match family(visit.reason):
        case Family.DNS:
            return DNS_FAILED
        case _ if visit.reason in NO_CONNECTION:
            return CONNECT_FAILED
        case _ if visit.reason in (TIMEOUT_READ, TIMEOUT_TOTAL):
            return TIMED_OUT
        case Family.CONNECTION:
            return CONNECTION_LOST
        case Family.TLS:
            return CONNECT_FAILED
        case _:
            return OTHER_ERROR


def _moment(seconds: float, form: str) -> str:
    """A moment in UTC, with milliseconds at its end."""
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.strftime(form) + f"{moment.microsecond // 1000:03}"


FORMAT = Format(
    about="Heritrix's crawl.log: one line per request",
    write=partial(write_file, lines=crawl_log, source=VISITS),
)
