"""The documents of the tests, each with its type, and the programs they need."""

import gzip
import os
from pathlib import Path

import pytest

from ttcrawl.read.documents.converters import Converters

FILES = Path(__file__).parent / "files"
OPENXML = "application/vnd.openxmlformats-officedocument."
ODF = "application/vnd.oasis.opendocument."
TYPES = {
    "text.pdf": "application/pdf",
    "readable.pdf": "application/pdf",
    "groff.ps": "application/postscript",
    "glyphs.ps": "application/postscript",
    "text.doc": "application/msword",
    "sheet.xls": "application/vnd.ms-excel",
    "slides.ppt.gz": "application/vnd.ms-powerpoint",
    "text.docx": f"{OPENXML}wordprocessingml.document",
    "sheet.xlsx": f"{OPENXML}spreadsheetml.sheet",
    "slides.pptx": f"{OPENXML}presentationml.presentation",
    "text.odt": f"{ODF}text",
    "sheet.ods": f"{ODF}spreadsheet",
    "slides.odp": f"{ODF}presentation",
    "text.rtf": "application/rtf",
    "article.tex": "application/x-tex",
}


def body(name: str) -> bytes:
    data = (FILES / name).read_bytes()
    return gzip.decompress(data) if name.endswith(".gz") else data


def installed(made: Converters) -> Converters:
    """Skips the test where a program or library is missing; in CI they have to be there."""
    if made.missing() and os.environ.get("CI") != "true":
        pytest.skip("; ".join(made.missing()))
    assert made.missing() == ()
    return made
