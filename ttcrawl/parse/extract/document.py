"""The document of an archived page after its scripts."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from ttcrawl.ring.messages import Extract
from ttcrawl.store.archived import DamagedRecordError, record_at
from ttcrawl.store.raw_records import DATE, TARGET, TYPE
from ttcrawl.store.warc_records import DOCUMENT, URNS


def document_of(archive: Path, work: Extract) -> bytes | None:
    """HTML in UTF-8; None: this answer was not read in the browser. Raises OSError."""
    (latest, until), found = work.between, None
    for position in work.resources:
        try:
            record = record_at(archive, position)
            moment = datetime.fromisoformat(record.get(DATE)).timestamp()
        except (DamagedRecordError, ValueError):
            continue
        is_document = record.get(TYPE) == "conversion" and record.get(TARGET) == URNS[DOCUMENT] + work.read.request.url
        if is_document and latest < moment <= until:
            latest, found = moment, record.block
    return found
