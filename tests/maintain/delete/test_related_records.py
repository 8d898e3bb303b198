"""Records of other types that belong to a response: they go with it, and follow it when another record replaces it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from tests.support.crawls.crawling import query, verified
from tests.support.crawls.other_readers import foreign_check
from tests.support.crawls.preforked import run
from ttcrawl.inspect.verify.archive import member
from ttcrawl.store.raw_records import RawRecord, new_id, raw_record


def metadata_of(response: RawRecord, field: str) -> RawRecord:
    block = b"fetchTimeMs: 5\r\n"
    names = {"WARC-Type": "metadata", "WARC-Record-ID": new_id(), "WARC-Date": response.get("warc-date")}
    names |= {"WARC-Target-URI": response.get("warc-target-uri"), field: response.get("warc-record-id")}
    names |= {"Content-Type": "application/warc-fields", "Content-Length": str(len(block))}
    return RawRecord(tuple(names.items()), block)


def with_metadata(directory: Path, field: str, *, before: bool) -> None:
    """Add a metadata record beside every response of a crawl, outside its pair of request and response."""
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        for path in sorted((directory / "warc").iterdir()):
            data, request, position = b"", b"", 0
            with open(path, "rb") as file:
                while position < path.stat().st_size:
                    content, end = member(file, position, path.stat().st_size)
                    record = raw_record(content)
                    is_answer = record.get("warc-type") in ("response", "revisit")
                    extra = metadata_of(record, field).packed() if is_answer else b""
                    file.seek(position)
                    raw = file.read(end - position)
                    if record.get("warc-type") == "request":
                        request, position = raw, end
                        continue
                    data += (extra if before else b"") + request
                    request = b""
                    moved = (-len(data) - 1, path.name, position)  # negative, so that it is not moved twice
                    db.execute("UPDATE page SET offset = ? WHERE file = ? AND offset = ?", moved)
                    db.execute("UPDATE probe SET offset = ? WHERE file = ? AND offset = ?", moved)
                    data += raw if before else raw + extra
                    position = end
            path.write_bytes(data)
            db.execute("UPDATE archive SET size = ? WHERE file = ?", (len(data), path.name))
        for table in ("page", "probe"):
            db.execute(f"UPDATE {table} SET offset = -offset - 1 WHERE offset < 0")
        db.commit()


@pytest.mark.slow
@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("field", ["WARC-Concurrent-To", "WARC-Refers-To"])
def test_they_go_with_the_response(directory: Path, field: str, before: bool) -> None:
    with_metadata(directory, field, before=before)
    assert verified(directory) == ""
    assert run("delete", directory, "--path", "*a.html", "--yes").returncode == 0
    assert run("delete", directory, "--path", "/gz/*", "--purge", "--yes").returncode == 0
    assert verified(directory) == ""
    foreign_check(directory / "warc")
    of_metadata, of_request, answers = dict[str, str](), dict[str, str](), dict[str, str]()
    files: dict[str, str] = {}
    for path in sorted((directory / "warc").iterdir()):
        with open(path, "rb") as file:
            for record in ArchiveIterator(file, parse_http=False):
                if record.record_type == WarcRecordType.warcinfo:
                    assert record.headers["WARC-Filename"] == path.name
                elif record.record_type == WarcRecordType.metadata:
                    of_metadata[record.headers[field]] = record.headers["WARC-Target-URI"]
                elif record.record_type == WarcRecordType.request:
                    of_request[record.headers["WARC-Concurrent-To"]] = record.headers["WARC-Target-URI"]
                else:
                    answers[record.record_id] = record.headers["WARC-Target-URI"]
                    files[record.record_id] = path.name
    assert {id: url for id, url in answers.items() if id in of_metadata} == of_metadata
    deleted = {url for (url,) in query(directory, "SELECT url FROM url WHERE state = 'deleted'")}
    assert deleted and not deleted & {*answers.values()}
    urls = {url for (url,) in query(directory, "SELECT url.url FROM page JOIN url ON url.id = page.url")}
    assert urls <= {*of_metadata.values()}
    assert of_request.items() <= answers.items()
    # responses with a payload that moved are in a file of their own; their requests are not
    without = {id: files[id] for id in answers if id not in of_request}
    assert without and not {*without.values()} & {files[id] for id in of_request}
