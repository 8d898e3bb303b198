"""The text of pages as conversion records (WARC 1.1, section 6.8), as in the WET files of Common Crawl."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import partial

from ttcrawl.export.format import Format, write_file
from ttcrawl.export.record_header import header
from ttcrawl.export.warc_output import begin, taken
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.page_text import words_or_none
from ttcrawl.snapshot.snapshot import View


def wet(db: View, pages: Iterable[PageRecord]) -> Iterator[bytes]:
    """A warcinfo record, then the complete text of each page that has one, gzipped by record.

    WARC-Refers-To is the record of the response. WARC-Identified-Content-Language has the code of table `metadata`.
    """
    out = io.BytesIO()
    writer = begin(out, db)
    yield taken(out)
    for page in pages:
        text = words_or_none(db, page.id, page.url, main=False)
        if text is None:
            continue
        data = text.encode()
        response = header(db.directory, page.file, page.offset, page.size)
        date = response.get("warc-date") or datetime.fromtimestamp(page.time, UTC).isoformat().replace("+00:00", "Z")
        fields = {"WARC-Date": date}
        if "warc-record-id" in response:
            fields["WARC-Refers-To"] = response["warc-record-id"]
        if page.language:
            fields["WARC-Identified-Content-Language"] = page.language
        record = writer.create_warc_record(
            page.url,
            "conversion",
            payload=io.BytesIO(data),
            length=len(data),
            warc_content_type="text/plain",
            warc_headers_dict=fields,
        )
        writer.write_record(record)
        yield taken(out)


FORMAT = Format(
    about="the text of pages as WARC conversion records",
    compressed=(".gz",),  # by record
    write=partial(write_file, lines=wet, binary=True),
)
