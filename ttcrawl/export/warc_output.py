"""A WARC file that is written record by record, gzipped by record (WARC 1.1, annex D)."""

from __future__ import annotations

import io

from warcio.warcwriter import WARCWriter

from ttcrawl import __version__
from ttcrawl.snapshot.snapshot import View


def begin(out: io.BytesIO, db: View) -> WARCWriter:
    """Return the writer into `out`, after it has written a warcinfo record."""
    writer = WARCWriter(out, gzip=True, warc_version="WARC/1.1")
    about = {"software": f"ttcrawl/{__version__}", "format": "WARC File Format 1.1"}
    about["isPartOf"] = db.settings.get("run", "")
    writer.write_record(writer.create_warcinfo_record(None, about))
    return writer


def taken(out: io.BytesIO) -> bytes:
    """Return what was written, and forget it."""
    data = out.getvalue()
    out.seek(0)
    out.truncate()
    return data
