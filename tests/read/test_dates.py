"""Dates that are no dates of a page: in the future of its request, the beginning of Unix time, and impossible ones."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from tests.read.documents.dated import pdf
from tests.read.metadata_of import ld, metadata_of
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, page
from ttcrawl.read.dates import iso, iso_until, latest_day

#: The moment of a request, and its last day.
REQUESTED = datetime(2026, 11, 21, 10, 0, tzinfo=UTC).timestamp()
LATEST = "2026-11-22"

TEXTS = [
    # text, the date: a day of tolerance for zones and clocks
    ("2026-11-21", "2026-11-21"),
    ("2026-11-22T23:59:59+14:00", "2026-11-22T23:59:59+14:00"),
    ("2026-11-23", ""),
    ("2026-11", "2026-11"),
    ("2026-12", ""),
    ("2027", ""),
    ("20991231T000000Z", ""),
    ("2099/1/1", ""),
    ("January 1, 2099", ""),
    ("Thu, 01 Jan 2099 00:00:00 GMT", ""),
    # no date at all
    ("0001-01-01T00:00:00", ""),
    ("0000-00-00", ""),
    ("9999-12-31", ""),
    ("2026-02-30", ""),
    ("2026-13-01", ""),
    ("2025-02-29", ""),
    ("2024-02-29", "2024-02-29"),
    # the beginning of Unix time
    ("1970-01-01", ""),
    ("1970-01-01T00:00:00Z", ""),
    ("1970-01-01T01:00:00+01:00", ""),
    ("1969-12-31T19:00:00-05:00", ""),
    ("Thu, 01 Jan 1970 00:00:01 GMT", ""),
    ("1 January 1970", ""),
    ("1969-12-31T19:00:00", "1969-12-31T19:00:00"),
    ("1970", "1970"),
    ("1970-01", "1970-01"),
    ("1970-01-02", "1970-01-02"),
]


def test_the_last_day():
    assert latest_day(REQUESTED) == LATEST
    assert iso_until("2099-01-01", latest_day(0)) == iso("2099-01-01") == "2099-01-01"


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_texts(text, expected):
    assert iso_until(text, LATEST) == expected


FUTURE = "2099-01-01"

PAGES = [
    ("published", f"<meta property=article:published_time content={FUTURE}>", ""),
    ("published", f"<meta property=article:published_time content={FUTURE}><meta name=date content=2026>", "2026"),
    ("published", f"<meta name=date content={FUTURE}>" + ld(datePublished="2026-11-20"), "2026-11-20"),
    ("published", ld(datePublished=FUTURE) + "<time pubdate datetime=2026-11-20>", "2026-11-20"),
    ("published", f"<time pubdate datetime={FUTURE}>", ""),
    ("published", f"<meta itemprop=datePublished content={FUTURE}>", ""),
    ("published", "<meta name=date content=1970-01-01T00:00:00Z><meta name=pubdate content=2026>", "2026"),
    ("modified", f"<meta property=og:updated_time content={FUTURE}>", "2026-11-21T10:00:00Z"),
    ("modified", ld(dateModified=FUTURE), "2026-11-21T10:00:00Z"),
]


@pytest.mark.parametrize(("field", "html", "expected"), PAGES)
def test_the_next_source_counts_if_one_is_in_the_future(field, html, expected):
    found = metadata_of(html, requested=REQUESTED, last_modified="Sat, 21 Nov 2026 10:00:00 GMT")
    assert getattr(found, field) == expected


def test_a_header_in_the_future():
    assert metadata_of("<p>", requested=REQUESTED, last_modified="Thu, 01 Jan 2099 00:00:00 GMT").modified == ""


def docx(day: str) -> bytes:
    out = io.BytesIO()
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{word}"><w:body><w:p/></w:body></w:document>')
        dates = "".join(f"<{name}>{day}T00:00:00Z</{name}>" for name in ("created", "modified"))
        archive.writestr("docProps/core.xml", f"<coreProperties>{dates}</coreProperties>")
    return out.getvalue()


DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def answers(day: datetime) -> dict[str, Answer]:
    text = f"{day:%Y-%m-%d}"
    header = (("Last-Modified", format_datetime(day, usegmt=True)),)
    return {
        "/page": Answer(body=f"<meta property=article:published_time content={text}><p>a".encode(), headers=header),
        "/text": Answer(body=b"some words", headers=(("Content-Type", "text/plain"), *header)),
        "/pdf": Answer(body=pdf(f"D:{day:%Y%m%d%H%M%S}Z"), headers=(("Content-Type", "application/pdf"),)),
        "/docx": Answer(body=docx(text), headers=(("Content-Type", DOCX),)),
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("day", "dated"), [(datetime(2099, 1, 1, tzinfo=UTC), False), (datetime(2019, 5, 6, tzinfo=UTC), True)]
)
def test_a_crawl(tmp_path, day, dated):
    pages = {("a.test", path): answer for path, answer in answers(day).items()}
    with Web({("a.test", "/"): Answer(body=page(*answers(day)))} | pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", "--files")
    rows = "SELECT published, modified FROM metadata JOIN url ON url.id = metadata.url WHERE url.url LIKE '%/{}'"
    found = {name: done.query(rows.format(name)) for name in ("page", "text", "pdf", "docx")}
    text = f"{day:%Y-%m-%d}" if dated else ""
    moment = f"{text}T00:00:00Z" if dated else ""
    assert found == {
        "page": [(text, moment)],
        "text": [("", moment)],
        "pdf": [(moment, moment)],
        "docx": [(moment, moment)],
    }
