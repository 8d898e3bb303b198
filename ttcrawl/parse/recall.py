"""Responses of imported archives, read as if they had been fetched."""

from __future__ import annotations

from pathlib import Path

import xxhash

from ttcrawl.config import Config
from ttcrawl.parse.failure import failed, unreadable
from ttcrawl.parse.read import Reader
from ttcrawl.ring.messages import PAGE, Broken, Failed, Fetched, Head, Moved, Page, Probed, Recall, Recalled, Robots
from ttcrawl.store.archived import response
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES, TOO_LARGE, TRUNCATED
from ttcrawl.web import storable


class Recaller:
    """Reads them in a parse process."""

    def __init__(self, reader: Reader, config: Config, archive: Path) -> None:
        self._reader, self._archive = reader, archive
        self._most = config.fetch.max_body

    def recalled(self, work: Recall) -> Recalled | Failed | Broken:
        """One response, one outcome, for any content."""
        token = work.request.token
        try:
            own = response(self._archive, work.head)
            holder = own if work.payload is None else response(self._archive, work.payload)
            fetched = self._fetched(work, own.head, holder.body, cut=holder.truncated)
            body = holder.body[: self._most]
            outcome = self._reader.read_recorded(work.request, fetched, own.head, body, work.head)
        except OSError as error:
            return unreadable(self._archive, error)
        except Exception as error:
            return failed(token, error)
        assert isinstance(outcome, Page | Moved | Robots | Probed)
        return Recalled(token=token, fetched=fetched, outcome=outcome)

    def _fetched(self, work: Recall, head: Head, body: bytes, *, cut: bool) -> Fetched:
        """`cut`: the archive does not have the complete body."""
        large = len(body) > self._most or bool(work.fetched.refused)
        fetched: Fetched = storable.replace(
            work.fetched,
            status=head.status,
            body_size=min(len(body), self._most),
            received=len(body),
            refused=TOO_LARGE if large else work.fetched.refused,
            incomplete=TRUNCATED if cut and not large else work.fetched.incomplete,
        )
        good = 200 <= head.status < 300 and head.status not in NO_CONTENT_STATUSES
        if not (good and body and work.request.kind == PAGE) or large or cut:
            return fetched
        return storable.replace(fetched, digest=xxhash.xxh3_128_digest(body))
