"""The response of a URL, read from the archive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import xxhash

from ttcrawl.config import Fetch
from ttcrawl.output.moments import moment
from ttcrawl.output.shell import command_line
from ttcrawl.ring.rendering import PDF, PNG
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.archive_objects import read_at
from ttcrawl.store.archived import read_answer
from ttcrawl.store.mailbox import to_change
from ttcrawl.store.raw_records import ADDRESS, DATE, TARGET, TRUNCATED, TYPE, unpacked
from ttcrawl.store.warc_records import DOCUMENT, URNS
from ttcrawl.web.coding.decode import CodingError, beginning, decode

#: Content type of a picture -> its key in [browser].
KEYS = {PNG: "screenshot", PDF: "pdf"}


#: The beginning of a gzip member (RFC 1952 section 2.3.1).
_GZIP = b"\x1f\x8b\x08"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The head and the body of a response as received. The framing of chunked transfers is removed."""

    url: str
    at: datetime  # time of the request, UTC
    address: str  # of the server, "" if unknown
    status: int
    phrase: str
    version: str  # "HTTP/1.1", "FTP"
    headers: tuple[tuple[str, str], ...]  # Transfer-Encoding has the prefix X-Archive-Orig-
    body: bytes  # still in its content coding
    truncated: bool  # the body is incomplete

    def header(self, name: str) -> str:
        """The values of a header, separated by commas; "" if the header is missing."""
        return ", ".join(value for each, value in self.headers if each.lower() == name.lower())


def response(db: View, id: int, url: str) -> Response:
    """Read a response from warc/. Raises NotThere if the URL has no response, or if its bytes are missing or wrong.

    If the page has the same bytes as another page, the head is its own and the body comes from the other's record.
    """
    row = db.execute("SELECT file, offset, size, payload, digest FROM page WHERE url = ?", (id,)).fetchone()
    if row is None:
        raise no_answer(db, id)
    if not row[0]:
        raise NotThere(f"the answer of {url} is not in warc/: {_why_unarchived(db, id)}")
    return stored_response(db, url, *row)


def stored_response(
    db: View, url: str, file: str, offset: int, size: int, payload: int | None, digest: bytes | None
) -> Response:
    """Read the response whose record is at a position. Raises NotThere."""
    answer = _read(db.directory, url, file, offset, size)
    if payload is None:
        return answer
    original = db.execute(
        "SELECT url.url, file, offset, size FROM answer JOIN url ON url.id = answer.url"
        " WHERE answer.url = ? AND digest = ? AND payload IS NULL",
        (payload, digest),
    ).fetchone()
    holder = _read(db.directory, *original) if original is not None else None
    if holder is None or xxhash.xxh3_128_digest(holder.body) != digest:
        raise NotThere(f"no page has the bytes of {url}; {_see_verify(db.directory)}")
    return replace(answer, body=holder.body, truncated=holder.truncated)


def _see_verify(directory: Path) -> str:
    return f"see {command_line('verify', to_change(directory))}"


def _why_unarchived(db: View, id: int) -> str:
    if db.execute("SELECT 1 FROM topic WHERE url = ? AND NOT relevant", (id,)).fetchone() is not None:
        return "the page is irrelevant ([topic] irrelevant = record)"
    return "its record was damaged, and ttcrawl verify --repair removed it"


def document(db: View, id: int, url: str) -> bytes | None:
    """Read the document of a page after its scripts, HTML in UTF-8; None: its answer was not read in the browser.

    Raises NotThere if the page has no response, or if its bytes are missing or wrong.
    """
    row = db.execute("SELECT time, file, offset, size FROM page WHERE url = ?", (id,)).fetchone()
    if row is None:
        raise no_answer(db, id)
    processed, *position = row
    if not position[0]:
        raise NotThere(f"the answer of {url} is not in warc/: {_why_unarchived(db, id)}")
    requested = _read(db.directory, url, *position).at.timestamp()
    documents = _made_from(db, id, url, DOCUMENT)
    of_answer = [each for each in documents if requested <= each.timestamp() <= processed]
    if of_answer:
        return documents[max(of_answer)]
    if db.execute(_READ_IN_BROWSER, (id, processed)).fetchone() is None:
        return None
    for record in _in_front_of(db, *position[:2]):  # table `resource` of an earlier version does not say where it is
        if (conversion := _conversion(record, url, DOCUMENT)) is not None:
            return conversion[1]
    raise NotThere(f"the document of {url} after its scripts is not in warc/; {_see_verify(db.directory)}")


#: Whether the answer of a URL that was processed at this moment is its latest one, and was read in the browser.
_READ_IN_BROWSER = """
    SELECT 1 FROM browser_use WHERE url = ?1 AND way = 'browser'
    AND ?2 = (SELECT max(time) FROM answer WHERE answer.url = ?1)"""


def screenshot(db: View, id: int, url: str) -> bytes:
    """Read the latest picture of a page in a browser. Raises NotThere."""
    return picture(db, id, url, PNG)


def pdf(db: View, id: int, url: str) -> bytes:
    """Read the latest PDF of a page in a browser. Raises NotThere."""
    return picture(db, id, url, PDF)


def picture(db: View, id: int, url: str, content_type: str) -> bytes:
    """Read the latest picture of a page in a browser, of this content type. Raises NotThere."""
    pictures = _made_from(db, id, url, content_type)
    if not pictures:
        raise NotThere(f"{url} has no {content_type}: {_no_picture(db, id, KEYS[content_type])}")
    return pictures[max(pictures)]


def resources(db: View, id: int) -> Iterator[Response]:
    """The answers to the requests of a page's scripts in the browser, of all its answers; only those in the archive."""
    for file, offset, size in db.execute("SELECT file, offset, size FROM resource WHERE page = ?", (id,)).fetchall():
        with suppress(OSError, ValueError):  # a document, a picture, or damage
            yield _parse(_stored(db.directory, file, offset, size))


def _made_from(db: View, id: int, url: str, content_type: str) -> dict[datetime, bytes]:
    """When -> what a browser made of a page, of all its answers; only what is in the archive."""
    contents = dict[datetime, bytes]()
    for file, offset, size in db.execute("SELECT file, offset, size FROM resource WHERE page = ?", (id,)):
        with suppress(OSError, ValueError):
            if (conversion := _conversion(_stored(db.directory, file, offset, size), url, content_type)) is not None:
                contents[conversion[0]] = conversion[1]
    return contents


def _conversion(member: bytes, url: str, content_type: str) -> tuple[datetime, bytes] | None:
    """When it was made, and what: if the record in a gzip member is what a browser made of a page."""
    try:
        record = unpacked(member)
        if record.get(TYPE) != "conversion" or record.get(TARGET) != URNS[content_type] + url:
            return None
        return datetime.fromisoformat(record.get(DATE)), record.block
    except ValueError:  # the record may be damaged
        return None


def _in_front_of(db: View, file: str, offset: int) -> Iterator[bytes]:
    """What may be the gzip members in front of an answer, as far as its own can be, the last one first."""
    first = max(0, offset - db.config.browser.max_bytes)
    data = _stored(db.directory, file, first, offset - first)
    start = len(data)
    while (start := data.rfind(_GZIP, 0, start)) >= 0:
        yield data[start:]


def _no_picture(db: View, id: int, key: str) -> str:
    """Return why a page has no picture; `key`: of [browser]."""
    if not getattr(db.config.browser, key):
        return f"the crawl kept none, [browser] {key} = no"
    if db.execute("SELECT 1 FROM browser_use WHERE url = ? AND way = 'browser'", (id,)).fetchone() is None:
        return f"it was not read in the browser, see {command_line('why', db.directory, 'URL')}"
    return "it did not fit into what the page had left of [browser] max_time and max_bytes"


def no_answer(db: View, id: int) -> NotThere:
    """For a URL without a latest answer. One that is requested again has earlier ones."""
    url, state, reason = db.execute("SELECT url, state, reason FROM url WHERE id = ?", (id,)).fetchone()
    (last,) = db.execute("SELECT max(time) FROM answer WHERE url = ?", (id,)).fetchone()
    earlier = f"; it has earlier ones, the last of {moment(last)} UTC" if last is not None else ""
    return NotThere(f"{url} has no answer: it is {state}{f' ({reason})' if reason else ''}{earlier}")


def _read(directory: Path, url: str, file: str, offset: int, size: int) -> Response:
    try:
        answer = _parse(_stored(directory, file, offset, size))
        if answer.url != url:
            raise ValueError(f"the record there is of {answer.url}")
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise NotThere(
            f"the answer of {url} is not in warc/{file} at {offset} ({cause}); {_see_verify(directory)}"
        ) from error
    return answer


def _stored(directory: Path, file: str, offset: int, size: int) -> bytes:
    """The bytes at a position in the archive. Raises OSError, and ValueError for the name of no file there."""
    if Path(file).name != file:
        raise ValueError("not the name of a file in warc/")
    return read_at(directory / "warc", file, offset, size)


def _parse(member: bytes) -> Response:
    """The record in a gzip member. Raises ValueError."""
    record = unpacked(member)
    head, body = read_answer(record)
    return Response(
        url=record.url,
        at=datetime.fromisoformat(record.get(DATE)),
        address=record.get(ADDRESS),
        status=head.status,
        phrase=head.phrase,
        version=head.version,
        headers=head.headers,
        body=body,
        truncated=bool(record.get(TRUNCATED)),
    )


def body(answer: Response, fetch: Fetch) -> bytes:
    """The bytes of the page with its content codings removed, within the limits of the crawl. Raises NotThere."""
    try:
        coding, limit, ratio = answer.header("Content-Encoding"), fetch.max_decoded, fetch.max_ratio
        if answer.truncated:
            return beginning(answer.body, coding, limit + 1, limit, ratio, cut=True, bombs=False)
        return decode(answer.body, coding, limit, ratio)
    except CodingError as error:
        raise NotThere(
            f"the body of {answer.url} cannot be decoded ({error}); its response is available as received"
        ) from error
