"""What the bytes are behind the MIME Sniffing standard: files in files, names in URLs, root elements."""

from __future__ import annotations

import io
import zipfile

import pytest

from ttcrawl.web.mime.kind import (
    DOCUMENT,
    FEED,
    HTML,
    IMAGE,
    OTHER,
    SITEMAP,
    STYLESHEET,
    TEXT,
    XML,
    family,
    is_file,
    mime_type,
    root,
    stated_type,
)

URL = "http://a.test/x"
OFFICE = "application/vnd.openxmlformats-officedocument."
OPEN = "application/vnd.oasis.opendocument."
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def zipped(*names: str, mimetype: str = "") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        if mimetype:
            archive.writestr("mimetype", mimetype)
        for name in names:
            archive.writestr(name, "x" * 200, compress_type=zipfile.ZIP_DEFLATED)
    return made.getvalue()


def ole(stream: str, at: int = 1024) -> bytes:
    head = OLE.ljust(30, b"\0") + (9).to_bytes(2, "little") + bytes(16) + (1).to_bytes(4, "little")
    return head.ljust(at, b"\0") + "Root Entry\0".encode("utf-16-le") + (stream + "\0").encode("utf-16-le") + bytes(100)


ZIPS = [
    (zipped("[Content_Types].xml", "_rels/.rels", "word/document.xml"), OFFICE + "wordprocessingml.document"),
    (zipped("_rels/.rels", "docProps/app.xml", "[Content_Types].xml", "xl/book.xml"), OFFICE + "spreadsheetml.sheet"),
    (zipped("ppt/presentation.xml", "[Content_Types].xml"), OFFICE + "presentationml.presentation"),
    (zipped("word/document.xml"), "application/zip"),
    (zipped("[Content_Types].xml", "sword/x"), "application/zip"),
    (zipped("content.xml", mimetype=OPEN + "text"), OPEN + "text"),
    (zipped("content.xml", mimetype=OPEN + "spreadsheet"), OPEN + "spreadsheet"),
    (zipped("META-INF/container.xml", mimetype="application/epub+zip"), "application/epub+zip"),
    (zipped("META-INF/MANIFEST.MF", "a.class"), "application/java-archive"),
    (zipped("a.txt"), "application/zip"),
    (b"PK\x03\x04", "application/zip"),
]


@pytest.mark.parametrize(("body", "expected"), ZIPS)
@pytest.mark.parametrize("said", [[], ["application/zip"], ["application/octet-stream"], ["application/x-download"]])
def test_what_is_in_a_zip_file(said, body, expected):
    assert mime_type(said, body, URL) == expected


CASES = [
    # Content-Type, body, URL, expected
    (["application/octet-stream"], b"%PDF-1.7\n\0", URL, "application/pdf"),
    (["text/plain"], b"%PDF-1.7\n\0", URL, "application/pdf"),  # Apache's default
    (["text/plain"], b"%PDF-1.7\n", URL, "text/plain"),
    (["text/plain"], b"\x89PNG\r\n\x1a\n\0", URL, "image/png"),
    (["application/octet-stream"], b"%!PS\n", URL, "application/postscript"),
    ([], b"%!PS\n", URL, "application/postscript"),
    ([], b"{\\rtf1", URL, "application/rtf"),
    (["application/octet-stream"], b"{\\rtf1", URL, "application/rtf"),
    (["application/octet-stream"], ole("WordDocument"), URL, "application/msword"),
    ([], ole("Workbook"), URL, "application/vnd.ms-excel"),
    ([], ole("PowerPoint Document", 70_000), URL, "application/vnd.ms-powerpoint"),
    ([], ole("Contents"), URL, "application/x-ole-storage"),
    ([], ole("Contents"), URL + "/a.ppt", "application/vnd.ms-powerpoint"),
    ([], OLE, URL, "application/x-ole-storage"),
    (["application/octet-stream"], b"II*\0", URL, "image/tiff"),
    (["application/octet-stream"], b"\0\0\0\x1cftypavif\0\0\0\0", URL, "image/avif"),
    (["application/octet-stream"], b"<html>", URL, "application/octet-stream"),  # to be saved, not to be shown
    (["application/octet-stream"], b"\1\2", URL + "/a.docx?x", OFFICE + "wordprocessingml.document"),
    (["application/octet-stream"], b"\1\2", URL + "/a.html", "application/octet-stream"),
    ([], b"<ul><li>", URL, "text/plain"),
    ([], b"<ul><li>", URL + "/a.html", "text/html"),
    ([], b"# A", URL + "/README.MD", "text/markdown"),
    ([], b"# A", URL + "/READ%2eme.md?x#y", "text/markdown"),
    ([], b"\\documentclass{a}", URL + "/a.tex", "application/x-tex"),
    (["application/octet-stream"], b"\\documentclass{a}", URL + "/a.tex", "application/x-tex"),  # nginx's default
    (["application/octet-stream"], b"%PDF-1.7\n\0", URL + "/a.tex", "application/pdf"),
    ([], b"%!TEX root = x.tex\n", URL, "application/x-tex"),
    (["application/octet-stream"], b"%!TeX encoding = UTF-8\n", URL + "/a.tex", "application/x-tex"),
    ([], b"\xef\xbb\xbf<html>", URL, "text/html"),  # the standard says text/plain, every reader of files HTML
    ([], b"\xff\xfe<\0h\0t\0m\0l\0>\0", URL, "text/plain"),
    (["text/markdown"], b"<html>", URL + "/a.html", "text/markdown"),
    (["application/msword"], b"{\\rtf1", URL + "/a.doc", "application/rtf"),
    (["application/msword"], ZIPS[0][0], URL + "/a.doc", OFFICE + "wordprocessingml.document"),
    ([OFFICE + "wordprocessingml.document"], ole("WordDocument"), URL + "/a.docx", "application/msword"),
    (["application/vnd.ms-excel"], ole("WordDocument"), URL, "application/msword"),
    (["application/vnd.ms-excel"], ole("Contents"), URL, "application/vnd.ms-excel"),
    (["application/vnd.ms-excel"], b"a\tb\n", URL + "/a.xls", "application/vnd.ms-excel"),
    ([OPEN + "text"], b"PK\x03\x04", URL, OPEN + "text"),
    (["text/html"], b"%PDF-1.7\0", URL + "/a.pdf", "text/html"),  # what says HTML is HTML
]


@pytest.mark.parametrize(("values", "body", "url", "expected"), CASES)
def test_mime_type(values, body, url, expected):
    assert mime_type(values, body, url) == expected


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("application/vnd.ms-word.document.macroEnabled.12", "wordprocessingml.document"),
        ("application/vnd.ms-word.template.macroEnabled.12", "wordprocessingml.document"),
        ("application/vnd.ms-excel.sheet.macroEnabled.12", "spreadsheetml.sheet"),
        ("application/vnd.ms-powerpoint.presentation.macroEnabled.12", "presentationml.presentation"),
        ("application/vnd.ms-powerpoint.slideshow.macroEnabled.12", "presentationml.presentation"),
    ],
)
@pytest.mark.parametrize("nosniff", [True, False])
def test_documents_with_macros(declared, expected, nosniff):
    folder = {"w": "word", "s": "xl", "p": "ppt"}[expected[0]]
    body = zipped("[Content_Types].xml", f"{folder}/document.xml")
    assert mime_type([declared], body, URL + "/a", nosniff=nosniff) == OFFICE + expected


def test_a_binary_sheet_is_no_document_of_xml():
    declared = "application/vnd.ms-excel.sheet.binary.macroEnabled.12"
    assert mime_type([declared], b"PK\3\4", URL, nosniff=True) == declared.lower()


def test_nosniff():
    assert mime_type(["application/octet-stream"], b"%PDF-1.7\0", URL, nosniff=True) == "application/octet-stream"
    assert mime_type(["application/msword"], b"{\\rtf1", URL, nosniff=True) == "application/msword"
    assert mime_type([], b"<p>", URL + "/a.html", nosniff=True) == "text/plain"
    assert mime_type([], b"%PDF-1.7", URL, nosniff=True) == "application/pdf"  # nothing was said that could hold


FAMILIES = [
    ("text/html", b"", HTML),
    ("application/xhtml+xml", b"", HTML),
    ("application/xml", b"<?xml version='1.0'?><html>", HTML),
    ("application/rss+xml", b"<rss>", FEED),
    ("text/xml", b"\xef\xbb\xbf\n<?xml version='1.0'?><!-- <rss> --><!DOCTYPE x [<!ENTITY a 'b'>]>\n<a:feed>", FEED),
    ("application/atom+xml", "\ufeff<feed>".encode("utf-16-le"), FEED),
    ("application/rdf+xml", b"<rdf:RDF>", FEED),
    ("text/xml", b"<urlset>", SITEMAP),
    ("text/xml", b"<sitemapindex>", SITEMAP),
    ("text/xml", b"<svg:svg>", IMAGE),
    ("image/svg+xml", b"", IMAGE),
    ("text/xml", b"<book>", XML),
    ("text/xml", b"", XML),
    ("image/png", b"", IMAGE),
    ("application/pdf", b"", DOCUMENT),
    (OFFICE + "wordprocessingml.document", b"", DOCUMENT),
    (OPEN + "text", b"", DOCUMENT),
    ("text/rtf", b"", DOCUMENT),
    ("text/plain", b"", TEXT),
    ("text/markdown", b"", TEXT),
    ("text/css", b"", STYLESHEET),
    ("application/json", b"", OTHER),
    ("application/zip", b"", OTHER),
    ("", b"", OTHER),
]


@pytest.mark.parametrize(("mime", "body", "expected"), FAMILIES)
def test_family(mime, body, expected):
    assert family(mime, body) == expected


def test_family_of_what_was_met_as_a_sitemap():
    for mime in ("text/plain", "text/xml", "application/x-gzip", "application/octet-stream"):
        assert family(mime, b"http://a.test/", sitemap=True) == SITEMAP
    for mime in ("text/html", "image/png", "application/pdf"):
        assert family(mime, b"", sitemap=True) != SITEMAP


@pytest.mark.parametrize("junk", ["<!--" * 9999, "<!DOCTYPE [" * 3000, "<?" * 9999, "<" * 9999, " " * 9999])
def test_no_root_element(junk):
    assert root(junk.encode()) == ""


PDF, DOCX = "application/pdf", OFFICE + "wordprocessingml.document"


@pytest.mark.parametrize(
    ("declared", "name", "kind"),
    [
        ([PDF], "x", PDF),
        (["Application/PDF; name=a"], "x.doc", PDF),
        (["text/html"], "x.pdf", "text/html"),
        ([], "x.pdf", PDF),
        ([], "x", ""),
        ([], "x.html", ""),
        (["text/plain"], "x.PDF?y=1", PDF),
        (["text/plain"], "x.txt", "text/plain"),
        (["application/octet-stream"], "x.docx", DOCX),
        (["application/force-download"], "x%2Edocx", DOCX),
        (["application/octet-stream"], "x.bin", "application/octet-stream"),
        (["application/zip"], "x.docx", DOCX),
        (["application/zip"], "x.zip", "application/zip"),
        (["application/vnd.ms-word.document.macroenabled.12"], "x.docm", DOCX),
        (["nonsense"], "x", ""),
    ],
)
def test_the_type_of_a_body_that_was_not_received(declared, name, kind):
    assert stated_type(declared, f"http://a.test/{name}") == kind


FILES = [PDF, DOCX, "application/msword", "text/rtf", "application/x-tex", "image/png", "image/svg+xml", "video/mp4"]
FILES += ["application/zip", "application/octet-stream", "font/woff2", "application/wasm"]
NO_FILES = ["text/html", "application/xhtml+xml", "text/plain", "text/css", "text/csv", "text/javascript", ""]
NO_FILES += ["application/xml", "application/atom+xml", "application/json", "application/feed+json"]
NO_FILES += ["application/ld+json", "application/javascript", "application/x-javascript", "unknown/unknown"]


@pytest.mark.parametrize("kind", [*FILES, *NO_FILES])
def test_files(kind):
    assert is_file(kind) is (kind in FILES)
