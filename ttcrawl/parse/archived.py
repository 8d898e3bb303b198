"""The second stage of a page: its archived response is read for the record."""

from __future__ import annotations

from pathlib import Path

import xxhash

from ttcrawl.parse.read import Reader
from ttcrawl.ring.messages import Broken, Failed, Fetched, Head, Read, ReadPage
from ttcrawl.store.archived import DamagedRecordError, response
from ttcrawl.vocabulary.reason import PARSE_ERROR, TOO_LARGE, filled
from ttcrawl.web.storable import replace


def read_archived(reader: Reader, work: Read, archive: Path) -> ReadPage | Failed | Broken:
    """One archived response, one outcome, for any content."""
    token = work.request.token
    try:
        head, body, fetched = _response(work, archive)
        page = reader.read_archived(work.request, fetched, head, body)
    except OSError as error:
        return Broken(message=f"cannot read {error.filename or archive}: {error.strerror}; restore the file")
    except Exception as error:  # an error loses at most this page
        reason = filled(PARSE_ERROR, type(error).__name__)
        return Failed(token=token, reason=reason, detail=str(error), stage="parse")
    return ReadPage(
        token=token,
        title=page.facts.title,
        parse_error=page.facts.parse_error,
        kinds=page.outlinks.kinds,
        landmarks=page.outlinks.landmarks,
        anchors=page.outlinks.anchors,
        reading=page.reading,
        uses_page_url=page.uses_page_url,
    )


def _response(work: Read, archive: Path) -> tuple[Head, bytes, Fetched]:
    """Return the head and the body of a response, and how it was fetched. Raises OSError, and DamagedRecordError."""
    own = response(archive, work.head)
    holder = own if work.payload is None else response(archive, work.payload)
    if own.url != work.request.url or xxhash.xxh3_128_digest(holder.body) != work.fetched.digest:
        raise DamagedRecordError("another response")
    # a body that was cut for any reason is read in the same way
    cut = holder.truncated
    return own.head, holder.body, replace(work.fetched, refused=TOO_LARGE) if cut else work.fetched
