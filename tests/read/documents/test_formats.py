"""One real file of each format: its text, its links, what it says about itself, by every converter of the defaults."""

import os
import re

import pytest

from tests.read.documents.chosen import converters
from tests.read.documents.documents import FILES, TYPES, body
from tests.support.cases import one_in
from ttcrawl.config import CONVERTERS, Converter, Documents, Lines
from ttcrawl.read.documents.converters import Converters

LINES = {each.type: [line.text for line in each.lines] for each in CONVERTERS}
LINK = "http://trees.example/lime?a=1&b=2"
WORDS = ["Heading of lime", "Grüße über Äpfel und Öl", "Липа растёт медленно", "A plain sentence of Latin letters"]
CELLS = ["Größe", "4711", "Дуб", "1234"]
#: What is not in the file, or what a converter does not find there.
NOT_THERE = {
    "groff.ps": {WORDS[0], WORDS[2], *CELLS},
    "glyphs.ps": {WORDS[0], WORDS[1], WORDS[2], *CELLS},
}
ZIPPED = {"text.docx", "sheet.xlsx", "slides.pptx", "text.odt", "sheet.ods", "slides.odp"}
WITH_ANCHOR_TEXT = ZIPPED | {"article.tex", "text.rtf"}
TITLED = set(TYPES) - {"groff.ps", "glyphs.ps"}
DATED = ZIPPED | {"text.doc", "sheet.xls"}


def normal(text):
    return re.sub(r"\s+", " ", text)


CASES = [(name, line) for name, media_type in TYPES.items() for line in LINES[media_type]]


@pytest.mark.parametrize(("name", "line"), one_in(2, CASES), ids=[f"{name}-{line.split()[0]}" for name, line in CASES])
def test_text_links_and_metadata_are_found(name, line, tmp_path):
    done = converters(tmp_path, TYPES[name], line).convert(body(name), TYPES[name])
    assert done.error == "" and (line.startswith(done.converter) or done.converter == "python:poppler")
    text = normal(done.text)
    if (name, line) == ("article.tex", "python:kreuzberg"):  # which leaves accents as they are written
        text = text.replace(r"Gr\"u{}e \"uber", "Grüße über").replace(r"Gr\"o{\ss}e", "Größe")
    for words in [*WORDS, *CELLS]:
        assert (words in text) == (words not in NOT_THERE.get(name, ())), words
    assert name != "glyphs.ps" or "Липа" in text
    assert os.listdir(tmp_path) == []
    if line.startswith(("python:", "gs")):
        assert "HYPERLINK" not in text
        the_rest_is_found(name, line, done)


def the_rest_is_found(name, line, done):
    """What a program that writes text alone does not give."""
    assert [url for url, _ in done.links if "oak" not in url] == ([LINK] if name != "groff.ps" else [])
    assert name not in WITH_ANCHOR_TEXT or (LINK, "the lime page") in done.links
    assert done.title == ("On lime trees" if name in TITLED else "")
    assert not name.endswith(".ps") or (done.created, done.modified) == ("", "")  # and not that of the conversion
    if name in TITLED and (name, line) != ("article.tex", "python:kreuzberg"):
        assert done.author == "Jörg Größe"
    if name in DATED:
        assert done.created.startswith("2020-02-03T04:05:06")
    assert not name.endswith(".pdf") or done.pages == 1


def test_links_can_be_left_alone(tmp_path):
    done = Converters(Documents(links=False), CONVERTERS, tmp_path).convert(body("text.docx"), TYPES["text.docx"])
    assert done.links == () and "Heading of lime" in done.text


def test_every_file_is_small():
    assert {path.name for path in FILES.iterdir()} == {*TYPES, "locked.pdf"}
    assert all(path.stat().st_size < 40_000 for path in FILES.iterdir())


def test_a_part_that_is_switched_off_costs_nothing(tmp_path):
    off = Converters(Documents(convert=False), CONVERTERS, tmp_path / "none")
    assert not off.converts("application/pdf") and off.missing() == ()
    no_pdf = Converters(Documents(), (Converter(type="application/pdf", lines=Lines()),), tmp_path)
    assert not no_pdf.converts("application/pdf") and not no_pdf.converts("text/html")
