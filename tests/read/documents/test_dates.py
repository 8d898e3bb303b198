"""Dates of documents, with the zone that is in them: a date whose zone a converter does not read has none."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from tests.read.documents.chosen import converters
from tests.read.documents.dated import pdf
from tests.read.documents.documents import TYPES, body
from tests.support.cases import one_in, some_fast
from ttcrawl.read.dates import iso

CREATED = "2020-01-01T00:30:00"


PDF_DATES = [
    # date, by poppler, by kreuzberg (which puts a Z behind each, whatever the zone)
    ("D:20200101003000+05'30'", CREATED + "+05:30", CREATED),
    ("D:20200101003000-03'30", CREATED + "-03:30", CREATED),
    ("D:20200101003000Z", CREATED + "Z", CREATED),
    ("D:20200101003000Z00'00'", CREATED + "Z", CREATED),
]


@pytest.mark.parametrize(("date", "poppler", "kreuzberg"), one_in(2, PDF_DATES))
@pytest.mark.parametrize("zone", some_fast(["UTC", "America/New_York"], "America/New_York"))
def test_of_pdf(
    date: str, poppler: str, kreuzberg: str, zone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    for line, expected in (("python:poppler", poppler), ("python:kreuzberg", kreuzberg)):
        done = converters(tmp_path, "application/pdf", line).convert(pdf(date), "application/pdf")
        assert (done.converter, iso(done.created)) == (line, expected)
        assert iso(done.modified) in (expected, "")  # kreuzberg does not say


def test_of_rtf(tmp_path: Path) -> None:
    """Its dates are those of somebody's wall clock."""
    done = converters(tmp_path, "application/rtf", "python:kreuzberg").convert(body("text.rtf"), "application/rtf")
    assert (iso(done.created), iso(done.modified)) == ("2020-02-03T04:05:00", "")


@pytest.mark.parametrize("name", one_in(2, ["text.docx", "sheet.xlsx", "slides.pptx", "text.odt", "sheet.ods"]))
@pytest.mark.parametrize("line", ["python:office", "python:kreuzberg"])
@pytest.mark.parametrize("zone", some_fast(["+05:30", "Z"], "+05:30"))
def test_of_office(name: str, line: str, zone: str, tmp_path: Path) -> None:
    changed = BytesIO()
    with zipfile.ZipFile(BytesIO(body(name))) as before, zipfile.ZipFile(changed, "w") as after:
        for each in before.infolist():
            data = before.read(each)
            if each.filename in ("meta.xml", "docProps/core.xml"):
                data = re.sub(rb"(?<=>)\d{4}-\d\d-\d\dT[\d:.]+Z?(?=<)", f"{CREATED}{zone}".encode(), data)
            after.writestr(each.filename, data)
    done = converters(tmp_path, TYPES[name], line).convert(changed.getvalue(), TYPES[name])
    assert iso(done.created) == CREATED + zone and iso(done.modified) in (CREATED + zone, "")
