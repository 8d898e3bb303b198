"""The index of the archive as a table with the names and types of Common Crawl's, as Parquet.

https://github.com/commoncrawl/cc-index-table (schema cc-index-schema-flat.json).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ttcrawl.errors import UsageError, require
from ttcrawl.export.format import Format, Options, selected
from ttcrawl.export.formats.parquet import row_groups
from ttcrawl.export.output import Output, output
from ttcrawl.export.record_header import header
from ttcrawl.export.sources import PAGES
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.suffixes import suffixes

#: Columns, in the order of the schema; all others are texts.
_PARTS = ("2nd_last_part", "3rd_last_part", "4th_last_part", "5th_last_part")
_TYPES = {"url_port": "int32", "fetch_status": "int16", "warc_record_offset": "int64", "warc_record_length": "int32"}
COLUMNS = (
    "url_surtkey",
    "url",
    "url_host_name",
    "url_host_tld",
    *(f"url_host_{part}" for part in _PARTS),
    "url_host_registry_suffix",
    "url_host_registered_domain",
    "url_host_private_suffix",
    "url_host_private_domain",
    "url_host_name_reversed",
    "url_protocol",
    "url_port",
    "url_path",
    "url_query",
    "fetch_time",
    "fetch_status",
    "fetch_redirect",
    "content_digest",
    "content_mime_type",
    "content_mime_detected",
    "content_charset",
    "content_languages",
    "content_truncated",
    "warc_filename",
    "warc_record_offset",
    "warc_record_length",
    "warc_segment",
    "crawl",
    "subset",
)


def host_columns(host: str) -> dict[str, str | None]:
    """The columns of a host name. An address has no parts.

    >>> columns = host_columns("www.example.co.uk")
    >>> columns["url_host_tld"], columns["url_host_registered_domain"], columns["url_host_name_reversed"]
    ('uk', 'example.co.uk', 'uk.co.example.www')
    """
    labels = [] if host.startswith("[") or host.replace(".", "").isdigit() else host.split(".")
    rules = suffixes(host)
    private = (rules.publicsuffix(host), rules.privatesuffix(host)) if labels else (None, None)
    values = {f"url_host_{part}": labels[-n] if len(labels) >= n else None for n, part in enumerate(_PARTS, 2)}
    return values | {
        "url_host_name": host,
        "url_host_tld": labels[-1] if labels else None,
        "url_host_registry_suffix": private[0],
        "url_host_registered_domain": private[1],
        "url_host_private_suffix": private[0],
        "url_host_private_domain": private[1],
        "url_host_name_reversed": ".".join(reversed(labels)) if labels else host,
    }


def row(db: View, page: PageRecord, surt: Any) -> dict[str, Any]:
    """The values of a page; columns without one are missing. `surt`: the function of the library."""
    parts, record = urlsplit(page.url), header(db.directory, page.file, page.offset, page.size)
    query = page.url.partition("#")[0].partition("?")
    digest = record.get("warc-payload-digest", "")
    return host_columns(parts.hostname or "") | {
        "url_surtkey": surt(page.url),
        "url": page.url,
        "url_protocol": parts.scheme,
        "url_port": parts.port,
        "url_path": parts.path or "/",
        "url_query": query[2] if query[1] else None,
        "fetch_time": datetime.fromtimestamp(page.time, UTC),
        "fetch_status": page.status,
        "fetch_redirect": page.location or None,
        "content_digest": digest.removeprefix("sha1:") or None,
        "content_mime_type": page.declared_type or None,
        "content_mime_detected": page.type or None,
        "content_charset": page.charset or None,
        "content_languages": page.language or None,
        "content_truncated": record.get("warc-truncated"),
        "warc_filename": page.file or None,
        "warc_record_offset": page.offset if page.file else None,
        "warc_record_length": page.size if page.file else None,
        "warc_segment": "",
        "crawl": db.directory.resolve().name,
        "subset": "warc" if page.status == 200 else "crawldiagnostics",
    }


def cc_index(db: View, pages: Iterable[PageRecord], file: Output) -> None:
    """Write the rows of pages. Raises UsageError."""
    require("surt")
    import pyarrow
    from pyarrow.parquet import ParquetWriter
    from surt import surt

    types = {name: pyarrow.string() for name in COLUMNS}
    types |= {name: getattr(pyarrow, kind)() for name, kind in _TYPES.items()}
    schema = pyarrow.schema([*(types | {"fetch_time": pyarrow.timestamp("ms", tz="UTC")}).items()])
    with ParquetWriter(file, schema, compression="zstd") as writer:
        for group in row_groups(_sized(db, pages, surt)):
            writer.write_table(pyarrow.Table.from_pylist(group, schema=schema))


def _sized(db: View, pages: Iterable[PageRecord], surt: Any) -> Iterator[tuple[dict[str, Any], int]]:
    """Rows with the characters of their URLs."""
    for page in pages:
        yield row(db, page, surt), len(page.url)


def _write(db: View, options: Options, progress: Progress) -> list[Path]:
    options.must_be_one_file()
    if options.out is None:
        raise UsageError("cc-index is one file: name it with -o FILE")
    with output(options.out, binary=True) as file:
        cc_index(db, selected(db, PAGES, options, progress, file), file)
    return [options.out]


FORMAT = Format(
    about="the index of the archive as Parquet, with the columns of Common Crawl; needs the extra `wacz`",
    needs="pyarrow",
    compressed=(),
    write=_write,
)
