"""Pages as records of Dublin Core in the form of OAI-PMH (oai_dc).

https://www.openarchives.org/OAI/openarchivesprotocol.html#dublincore
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import partial

from ttcrawl.export.format import Format, write_file
from ttcrawl.export.xml import DECLARATION, element, group
from ttcrawl.ring.columns import BYTES
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES
from ttcrawl.vocabulary.state import FETCHED

NAMESPACES = {
    "xmlns:oai_dc": "http://www.openarchives.org/OAI/2.0/oai_dc/",
    "xmlns:dc": "http://purl.org/dc/elements/1.1/",
    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "xsi:schemaLocation": "http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
}


def is_document(page: PageRecord) -> bool:
    """Whether a page has a record of its own: answered with 2xx, and not a copy of another page."""
    good = 200 <= page.status < 300 and page.status not in NO_CONTENT_STATUSES
    return page.state == FETCHED and good and page.same != BYTES


def elements(page: PageRecord) -> list[tuple[str, str]]:
    """(name, value) of the elements of a page, without empty ones."""
    subjects = [each.strip() for each in (page.keywords or "").split(",")]
    pairs = [
        ("title", page.title),
        ("creator", page.author or ""),
        *(("subject", subject) for subject in dict.fromkeys(subjects)),
        ("description", page.description or ""),
        ("date", page.modified or page.published or datetime.fromtimestamp(page.time, UTC).strftime("%Y-%m-%d")),
        ("format", page.type),
        ("identifier", page.url),
        ("language", page.declared_language or page.language or ""),
    ]
    return [(name, value) for name, value in pairs if value.strip()]


def dublin_core(db: View, pages: Iterable[PageRecord]) -> Iterator[bytes]:
    """A record for each page; pages with the bytes of another page have none."""
    yield f'{DECLARATION}<documentCollection version="1.1">\n'.encode()
    for page in filter(is_document, pages):
        content = "".join(element(f"dc:{name}", value, 6) for name, value in elements(page))
        yield group("metadata", group("oai_dc:dc", content, 4, **NAMESPACES), 2).encode()
    yield b"</documentCollection>\n"


FORMAT = Format(about="Dublin Core (oai_dc)", write=partial(write_file, lines=dublin_core))
