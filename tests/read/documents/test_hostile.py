"""Documents that are broken, locked or made to harm: a reason in the record, bounded, nothing left."""

import io
import os
import struct
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.read.documents.documents import FILES, ODF, OPENXML, TYPES, body, installed
from tests.support.cases import one_in, some_fast
from ttcrawl.config import CONVERTERS, Converter, Documents, Line, Lines
from ttcrawl.read.documents.converters import Converters

DOCX, XLSX, ODT = f"{OPENXML}wordprocessingml.document", f"{OPENXML}spreadsheetml.sheet", f"{ODF}text"
SETTINGS = Documents(max_time=10, max_memory=1 << 30, max_output=1 << 20)
#: The beginnings of the reasons there are, and none.
REASONS = ("encrypted", "broken: ", "bomb: ", "timeout", "too much memory", "too much output")


def only(media_type, line, directory, given=SETTINGS):
    return installed(Converters(given, (Converter(type=media_type, lines=Lines([Line(text=line)])),), directory))


@pytest.fixture
def converters(tmp_path):
    made = installed(Converters(SETTINGS, CONVERTERS, tmp_path))
    yield made
    assert os.listdir(tmp_path) == []


def zipped(compression=zipfile.ZIP_DEFLATED, **files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as made:
        for name, data in files.items():
            made.writestr(name.replace("__", "/").replace("_xml", ".xml"), data)
    return out.getvalue()


def with_part(name, part, data):
    """The document with another part in the place of one of its own."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body(name))) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for each in source.infolist():
            made.writestr(each.filename, data if each.filename == part else source.read(each))
    return out.getvalue()


def lying(declared):
    """A docx whose document.xml is 40 MB and says that it has `declared` bytes, in both of its headers."""
    data = bytearray(zipped(word__document_xml=b"<a>" + b" " * (40 << 20) + b"</a>"))
    struct.pack_into("<I", data, 22, declared)
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, declared)
    return bytes(data)


def overlapping():
    """Ten entries of the central directory that point to one and the same file."""
    data = zipped(zipfile.ZIP_STORED, word__document_xml=os.urandom(1000))
    start = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    entries = data[start:end] * 10
    tail = bytearray(data[end:])
    struct.pack_into("<HHI", tail, 8, 10, 10, len(entries))
    return data[:start] + entries + bytes(tail)


LOL = '<!DOCTYPE a [<!ENTITY a "lol">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(10)
)
DOCUMENT = (
    '{}]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>{}</w:t>'
    "</w:r></w:p></w:body></w:document>"
)
BOMB = DOCUMENT.format(LOL, "&k;")
EXTERNAL = DOCUMENT.format('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">', "&e;")
DEEP = b"<a>" * 100_000
MILLION = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/>'
    '<sheetData><row r="1"><c r="A1"><v>7</v></c></row><row r="1048576"><c r="XFD1048576"><v>8</v></c></row>'
    "</sheetData></worksheet>"
)
#: Made where they are needed: it takes a second.
ZIPS = {
    "a bomb": (lambda: zipped(word__document_xml=b"0" * (100 << 20)), DOCX, "bomb: "),
    "many files": (lambda: zipped(**{f"f{n}": b"" for n in range(10_001)}), DOCX, "bomb: more than 10,000 files"),
    "sizes that lie": (lambda: lying(1000), DOCX, "broken: Bad CRC"),
    "a size of 4 GB": (lambda: lying(0xFFFFFFF0), DOCX, "bomb: "),
    "overlapping files": (lambda: overlapping(), DOCX, "bomb: its files overlap"),
    "zips in zips": (lambda: zipped(word__document_xml=zipped(x=zipped(y=b"0" * (1 << 20)))), DOCX, "broken: "),
    "no document inside": (lambda: zipped(readme=b"hello"), DOCX, "broken: "),
    "nothing inside": (lambda: zipped(), DOCX, "broken: "),
    "an external entity": (lambda: with_part("text.docx", "word/document.xml", EXTERNAL), DOCX, "broken: "),
    "an entity bomb": (lambda: with_part("text.docx", "word/document.xml", BOMB), DOCX, "broken: "),
    "an entity bomb of OpenDocument": (lambda: with_part("text.odt", "content.xml", BOMB), ODT, "broken: "),
    "nested elements": (lambda: with_part("text.odt", "content.xml", DEEP), ODT, "broken: "),
}


@pytest.mark.parametrize(("make", "media_type", "said"), one_in(2, ZIPS.values()), ids=ZIPS)
@pytest.mark.parametrize("line", some_fast(["python:kreuzberg", "python:office"], "python:office"))
def test_a_zip_with(line, make, media_type, said, tmp_path):
    done = only(media_type, line, tmp_path).convert(make(), media_type)
    assert done.error.startswith(said) and "root:" not in done.text and len(done.text) < 1000
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("line", ["python:kreuzberg", "python:office"])
def test_a_sheet_that_says_it_has_a_million_rows(line, tmp_path):
    done = only(XLSX, line, tmp_path).convert(with_part("sheet.xlsx", "xl/worksheets/sheet1.xml", MILLION), XLSX)
    assert done.error.startswith(REASONS) or ("7" in done.text and "8" in done.text)
    assert os.listdir(tmp_path) == []


@pytest.mark.slow
def test_a_bomb_does_not_reach_a_program(tmp_path):
    assert only(DOCX, "wc {file}", tmp_path).convert(ZIPS["a bomb"][0](), DOCX).error.startswith("bomb: ")
    assert only(DOCX, "wc {file}", tmp_path).convert(body("text.docx"), DOCX).error == ""


@pytest.mark.parametrize("line", ["python:kreuzberg", "python:poppler", "pdftotext -q -enc UTF-8 {file} -"])
def test_an_encrypted_pdf(line, tmp_path):
    done = only("application/pdf", line, tmp_path).convert((FILES / "locked.pdf").read_bytes(), "application/pdf")
    assert done.text == "" and (done.error == "encrypted" or line.startswith("pdftotext -q"))
    assert done.error != ""


@pytest.mark.slow
@pytest.mark.parametrize("line", ["python:kreuzberg", "python:poppler"])
def test_a_pdf_that_is_cut(line, tmp_path):
    whole, made = body("text.pdf"), only("application/pdf", line, tmp_path)
    assert "plain sentence" in made.convert(whole, "application/pdf").text
    for part in (0, 1, 5, 40, 70, 99):
        done = made.convert(whole[: len(whole) * part // 100], "application/pdf")
        assert done.error.startswith(REASONS) or "plain sentence" in done.text or not done.text.strip()


@pytest.mark.parametrize("name", one_in(3, (name for name in TYPES if name not in ("readable.pdf", "glyphs.ps"))))
def test_what_is_something_else(name, converters):
    other = "text.pdf" if not name.endswith(".pdf") else "text.doc"
    done = converters.convert(body(other)[:20_000], TYPES[name])
    assert done.error.startswith(REASONS) or "plain sentence" not in done.text


def test_postscript_reads_no_files(converters):
    program = (
        b"%!PS\n/Times-Roman findfont 12 scalefont setfont 72 700 moveto\n(/etc/passwd) (r) file 200 string readstring"
    )
    done = converters.convert(program + b" pop show showpage\n", "application/postscript")
    assert "root" not in done.text and "invalidfileaccess" in done.error


@pytest.mark.slow
def test_postscript_without_end(tmp_path):
    made = installed(Converters(Documents(max_time=1), CONVERTERS, tmp_path))
    assert made.convert(b"%!PS\n{ } loop\n", "application/postscript").error == "timeout"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "source",
    one_in(
        3, ["{" * 100_000, "\\begin{a}" * 20_000, "\\href{a", "\\url", "\\title", "$" * 9999, "\\def\\a{\\a\\a}\\a"]
    ),
)
def test_tex_that_makes_no_sense(source, tmp_path):
    done = only("application/x-tex", "python:latex", tmp_path).convert(source.encode(), "application/x-tex")
    assert done.error == "" or done.error.startswith(REASONS)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", TYPES)
@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_changed_bytes(name, converters, data):
    """Bytes changed, taken out and put in: an answer each time, with a reason when there is no text."""
    changed = bytearray(body(name))
    for _ in range(data.draw(st.integers(1, 20))):
        at = data.draw(st.integers(0, max(0, len(changed) - 1)))
        end = at + data.draw(st.sampled_from([0, 1, 1, 1, 4, 100]))
        changed[at:end] = data.draw(st.one_of(st.binary(max_size=8), st.sampled_from([b"\xff" * 4, b"\0" * 8])))
    done = converters.convert(bytes(changed), TYPES[name])
    assert done.error == "" or done.error.startswith(REASONS)
    assert len(done.error) < 250 and "\n" not in done.error
    (done.text + done.title + done.author + "".join(url + words for url, words in done.links)).encode()
