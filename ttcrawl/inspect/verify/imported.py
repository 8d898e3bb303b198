"""Checks the answers in imported files, which stay where they are: their bytes must be those of the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import xxhash

from ttcrawl.inspect.verify.findings import Findings
from ttcrawl.inspect.verify.page_bytes import PageBytes
from ttcrawl.inspect.verify.revisits import FOREIGN, NOWHERE, note_imported
from ttcrawl.ring.messages import Archived
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.archived import DamagedRecordError, response
from ttcrawl.store.imports import imported_files

MISSING = "archive: an imported file is missing"


def check(
    db: View,
    findings: Findings,
    pages: Callable[[str], Iterator[PageBytes]],
    misplaced: Callable[[PageBytes, str], None],
) -> set[str]:
    """Return the names of the files. `pages` of a file; `misplaced` is told of those with missing or wrong bytes."""
    names = {each.file for each in imported_files(db)}
    for name in sorted(names):
        if not (db.directory / "warc" / name).is_file():
            findings.add(MISSING, name)
        for page in pages(name):
            if kind := _wrong(db, name, page):
                misplaced(page, kind)
    return names


def _wrong(db: View, name: str, page: PageBytes) -> str:
    """Return what is wrong with the bytes of a page, "" if nothing is. Note those to which others refer."""
    where = Archived(file=name, offset=page.offset, length=page.size)
    try:
        answer = response(db.directory / "warc", where)
    except (OSError, DamagedRecordError):
        return NOWHERE
    if answer.url != page.url or answer.head.status != page.status:
        return FOREIGN
    if page.payload is not None or page.moved:
        return ""
    body = answer.body[: page.length]  # a longer one was cut
    if xxhash.xxh3_128_digest(body) != page.digest:
        return FOREIGN
    if page.is_original:
        note_imported(db, page.id, page.url, body)
    return ""
