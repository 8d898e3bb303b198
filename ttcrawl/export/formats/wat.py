"""The metadata of responses as WARC records of JSON, as in the WAT files of Common Crawl.

https://commoncrawl.org/blog/web-archiving-file-formats-explained; the names are those of webarchive-commons.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from warcio.warcwriter import WARCWriter

from ttcrawl.export.format import Format, write_file
from ttcrawl.export.record_header import header
from ttcrawl.export.warc_output import begin, taken
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.json_columns import parse
from ttcrawl.snapshot.links import links
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.responses import Response, response
from ttcrawl.snapshot.rows import Link
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.html import PARSERS

#: Kind of a link -> where webarchive-commons finds it, for those that it lists among the links of a page.
PATHS = {
    "anchor": "A@/href",
    "area": "AREA@/href",
    "form": "FORM@/action",
    "frame": "FRAME@/src",
    "iframe": "IFRAME@/src",
    "image": "IMG@/src",
    "media": "VIDEO@/src",
    "object": "OBJECT@/data",
}

#: Kinds that are in the head -> the name of their list there, where, and the relation.
HEAD = {
    "stylesheet": ("Link", "LINK@/href", "stylesheet"),
    "canonical": ("Link", "LINK@/href", "canonical"),
    "next": ("Link", "LINK@/href", "next"),
    "prev": ("Link", "LINK@/href", "prev"),
    "alternate": ("Link", "LINK@/href", "alternate"),
    "feed": ("Link", "LINK@/href", "alternate"),
    "icon": ("Link", "LINK@/href", "icon"),
    "link": ("Link", "LINK@/href", ""),
    "script": ("Scripts", "SCRIPT@/src", ""),
}


def wat(db: View, pages: Iterable[PageRecord]) -> Iterator[bytes]:
    """A warcinfo record, then a metadata record for each response in the archive, gzipped by record."""
    out = io.BytesIO()
    writer = begin(out, db)
    yield taken(out)
    encode = msgspec.json.Encoder().encode
    for page in pages:
        fields = header(db.directory, page.file, page.offset, page.size)
        if not fields:
            continue
        data = encode(_envelope(db, page, fields))
        _write(writer, page.url, data, fields)
        yield taken(out)


def _write(writer: WARCWriter, url: str, data: bytes, fields: dict[str, str]) -> None:
    about = {"WARC-Date": fields["warc-date"], "WARC-Refers-To": fields["warc-record-id"]}
    record = writer.create_warc_record(
        url,
        "metadata",
        payload=io.BytesIO(data),
        length=len(data),
        warc_content_type="application/json",
        warc_headers_dict={name: value for name, value in about.items() if value},
    )
    writer.write_record(record)


def _envelope(db: View, page: PageRecord, fields: dict[str, str]) -> dict[str, object]:
    container = {"Filename": page.file, "Compressed": True, "Offset": str(page.offset)}
    container["Gzip-Metadata"] = {"Deflate-Length": str(page.size)}
    payload: dict[str, object] = {"Actual-Content-Type": fields.get("content-type", "")}
    with suppress(NotThere):  # its bytes are missing: what the record says of itself stays
        payload["HTTP-Response-Metadata"] = _http(db, page, response(db, page.id, page.url), fields)
    envelope = {
        "Format": "WARC",
        "Actual-Content-Length": fields.get("content-length", ""),
        "Block-Digest": fields.get("warc-block-digest", ""),
        "WARC-Header-Metadata": {_capitalized(name): value for name, value in fields.items()},
        "Payload-Metadata": payload,
    }
    return {"Container": container, "Envelope": envelope}


def _http(db: View, page: PageRecord, answer: Response, fields: dict[str, str]) -> dict[str, object]:
    message = {"Version": answer.version, "Status": str(answer.status), "Reason": answer.phrase}
    metadata: dict[str, object] = {
        "Response-Message": message,
        "Headers": {name: answer.header(name) for name, _ in answer.headers},
        "Entity-Length": str(len(answer.body)),
        "Entity-Digest": fields.get("warc-payload-digest", ""),
    }
    if page.parser in PARSERS:
        metadata["HTML-Metadata"] = _html(page, links(db, page.id))
    return metadata


def _html(page: PageRecord, of_page: Iterable[Link]) -> dict[str, object]:
    head: dict[str, list[object]] = {}
    body = []
    for link in of_page:
        if link.target is not None and link.kind in HEAD:
            name, path, relation = HEAD[link.kind]
            head.setdefault(name, []).append(
                {"path": path, "url": link.target} | ({"rel": relation} if relation else {})
            )
        elif link.target is not None and link.kind in PATHS:
            body.append({"path": PATHS[link.kind], "url": link.target} | ({"text": link.anchor} if link.anchor else {}))
    metas = [{"name": name, "content": value} for name in _METAS if (value := getattr(page, name))]
    graph: Any = parse(page.open_graph) if isinstance(page.open_graph, str) else None
    if isinstance(graph, dict):
        metas += [{"property": name, "content": value} for name, value in graph.items()]
    return {"Head": {"Title": page.title, "Metas": metas, **head}, "Links": body}


_METAS = ("description", "keywords", "author")


def _capitalized(name: str) -> str:
    """
    >>> _capitalized("warc-record-id"), _capitalized("content-type")
    ('WARC-Record-ID', 'Content-Type')
    """
    words = {"warc": "WARC", "id": "ID", "uri": "URI", "ip": "IP"}
    return "-".join(words.get(each, each.capitalize()) for each in name.split("-"))


FORMAT = Format(
    about="the metadata of responses as WARC records of JSON",
    compressed=(".gz",),  # by record
    write=partial(write_file, lines=wat, binary=True),
)
