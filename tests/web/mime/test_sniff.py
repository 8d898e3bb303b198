"""The cases of web-platform-tests (mimesniff/mime-type-sniffing) and of the standard's own steps."""

from __future__ import annotations

import pytest

from ttcrawl.web.mime.sniff import HEAD, computed

# bytes of a response without Content-Type (hexadecimal), and what they are: unknown-mime-types.json
UNKNOWN = [
    ("00 00 01 00", "image/x-icon"),
    ("00 00 02 00", "image/x-icon"),
    ("42 4D", "image/bmp"),
    ("47 49 46 38 37 61", "image/gif"),
    ("47 49 46 38 39 61", "image/gif"),
    ("52 49 46 46 00 00 00 00 57 45 42 50 56 50", "image/webp"),
    ("52 49 46 46 00 00 00 00 57 45 42 50", "application/octet-stream"),
    ("89 50 4E 47 0D 0A 1A 0A", "image/png"),
    ("FF D8 FF", "image/jpeg"),
    ("2E 73 6E 64", "text/plain"),
    ("46 4F 52 4D 00 00 00 00 41 49 46 46", "audio/aiff"),
    ("49 44 33", "audio/mpeg"),
    ("4F 67 67 53 00", "application/ogg"),
    ("4F 67 67 53", "text/plain"),
    ("4D 54 68 64 00 00 00 06", "audio/midi"),
    ("52 49 46 46 00 00 00 00 41 56 49 20", "video/avi"),
    ("52 49 46 46 00 00 00 00 57 41 56 45", "audio/wave"),
    ("00 00 00 10 66 74 79 70 6D 70 34 00 00 00 00 00", "video/mp4"),
    ("00 00 00 18 66 74 79 70 00 00 00 00 00 00 00 00 6D 70 34 00 00 00 00 00", "video/mp4"),
    ("00 00 00 10 66 74 79 70 6D 70 34 32 00 00 00 00", "video/mp4"),
    ("00 00 00 18 66 74 79 70 00 00 00 00 00 00 00 00 6D 70 34 32 00 00 00 00", "video/mp4"),
    ("1A 45 DF A3 81 42 82 84 77 65 62 6D", "video/webm"),
    (
        "1A 45 DF A3 01 FF FF FF FF FF FF FF 42 86 81 01 42 F7 81 01 42 F2 81 04 42 F3 81 08 42 87 81 01 42 85 81 01"
        " 42 82 84 77 65 62 6D",
        "video/webm",
    ),
    ("1F 8B 08", "application/x-gzip"),
    ("50 4B 03 04", "application/zip"),
    ("52 61 72 21 1A 07 00", "application/x-rar-compressed"),
    ("00 01 02 03 04 05 06 07 08 0B 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1C 1D 1E 1F", "application/octet-stream"),
    (bytes(range(0x20, 0x80)).hex(" "), "text/plain"),
    (bytes(range(0x80, 0x100)).hex(" "), "text/plain"),
    ("2E 52 4D 46", "text/plain"),
    ("30 26 B2 75 8E 66 CF 11 A6 D9 00 AA 00 62 CE 6C", "application/octet-stream"),
    ("4D 4D 00 2A", "application/octet-stream"),
    ("49 49 2A 00", "application/octet-stream"),
    ("49 20 49", "text/plain"),
    ("49 49 2A", "text/plain"),
    ("D7 CD C6 9A", "text/plain"),
    ("FF D8 FF E0 00 00 4A 46 49 46 00", "image/jpeg"),
    ("4A 47 03 0E 00", "application/octet-stream"),
    ("FF 0A", "text/plain"),
    ("00 00 00 0C 4A 58 4C 20 0D 0A 87 0A", "application/octet-stream"),
    ("52 49 46 46 00 00 00 00 57 41 56 45 00 00 00 00 00 00 00 00 55 00", "audio/wave"),
    ("66 4C 61 43", "text/plain"),
    ("23 45 58 54 4D 33 55", "text/plain"),
    ("00 00 00 10 66 74 79 70 61 76 63 31 00 00 00 00", "application/octet-stream"),
    ("00 00 00 18 66 74 79 70 00 00 00 00 00 00 00 00 61 76 63 31 00 00 00 00", "application/octet-stream"),
    ("00 00 00 10 66 74 79 70 71 74 20 20 00 00 00 00", "application/octet-stream"),
    ("00 00 00 10 66 74 79 70 69 73 6F 6D 00 00 00 00", "application/octet-stream"),
    ("00 00 00 10 66 74 79 70 61 76 69 66 00 00 00 00", "application/octet-stream"),
    ("", "text/plain"),
]


@pytest.mark.parametrize(("payload", "expected"), UNKNOWN)
def test_of_nothing_but_bytes(payload, expected):
    assert computed([], bytes.fromhex(payload)) == expected
    assert computed(["unknown/unknown"], bytes.fromhex(payload), nosniff=True) == expected


# scriptable-mime-types.json is made of these: each after white space too, whole, in another case and with nosniff
TAGS = [
    "<!DOCTYPE HTML",
    "<HTML",
    "<HEAD",
    "<SCRIPT",
    "<IFRAME",
    "<H1",
    "<DIV",
    "<FONT",
    "<TABLE",
    "<A",
    "<STYLE",
    "<TITLE",
    "<B",
    "<BODY",
    "<BR",
    "<P",
    "<!--",
]


@pytest.mark.parametrize("space", [b"", b"\t\n\x0c\r ", b"\t\t\t\t\t", b"     ", b"\n"])
@pytest.mark.parametrize("tag", TAGS)
def test_html_by_its_first_tag(tag, space):
    for name in (tag.encode(), tag.lower().encode()):
        assert computed([], space + name) == "text/plain"
        assert computed([], space + name + b"x") == "text/plain"
        for end in (b" ", b">"):
            assert computed([], space + name + end) == "text/html"
            assert computed([], space + name + end, nosniff=True) == "text/plain"


SCRIPTABLE = [
    (b"<?xml", "text/xml"),
    (b" \n<?xml", "text/xml"),
    (b"<?XML", "text/plain"),
    (b"%PDF-", "application/pdf"),
    (b" %PDF-", "text/plain"),
    (b"%pdf-", "text/plain"),
    (b"<ul><li>", "text/plain"),
    (b"x<html>", "text/plain"),
]


@pytest.mark.parametrize(("body", "expected"), SCRIPTABLE)
def test_xml_and_pdf(body, expected):
    assert computed([], body) == expected
    assert computed([], body, nosniff=True) == "text/plain"


MPEG1 = b"\xff\xfb\x90\x00"  # layer III, 128 kbit/s, 44.1 kHz: a frame of 417 bytes
MPEG2 = b"\xff\xf3\x80\x00"  # layer III, 64 kbit/s, 22.05 kHz: of 208
SAID = [
    # Content-Type, body, expected
    (["text/html"], b"anything", "text/html"),
    (["TEXT/HTML; charset=x"], b"\x00\x01", "text/html"),
    (["text/html"], b"<rss version=2.0>", "application/rss+xml"),
    (["text/html"], b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- x --><feed xmlns=", "application/atom+xml"),
    (["text/html"], b"<!DOCTYPE html><html><rss>", "text/html"),
    (
        ["text/html"],
        b"<rdf:RDF xmlns='http://purl.org/rss/1.0/' xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>",
        "application/rss+xml",
    ),
    (["text/html"], b"<rdf:RDF xmlns='http://purl.org/rss/1.0/'>", "text/html"),
    (["application/xhtml+xml"], b"<rss>", "application/xhtml+xml"),
    (["image/svg+xml"], b"\x89PNG\r\n\x1a\n", "image/svg+xml"),
    (["text/plain"], b"text", "text/plain"),
    (["text/plain"], b"\x89PNG\r\n\x1a\n\0", "application/octet-stream"),
    (["text/plain; charset=ISO-8859-1"], b"a\0", "application/octet-stream"),
    (["text/plain; charset=UTF-8"], b"\xef\xbb\xbfa\0", "text/plain"),
    (["text/plain; charset=utf-8"], b"a\0", "text/plain"),  # Apache never wrote it so
    (["text/plain"], b"<html>", "text/plain"),
    (["image/png"], b"GIF89a", "image/gif"),
    (["image/png"], b"<html>", "image/png"),
    (["audio/x"], b"ID3", "audio/mpeg"),
    (["video/mp4"], b"ID3", "audio/mpeg"),
    (["application/pdf"], b"GIF89a", "application/pdf"),
    (["application/octet-stream"], b"GIF89a", "application/octet-stream"),
    ([], MPEG1.ljust(417, b"\1") + MPEG1, "audio/mpeg"),
    ([], MPEG2.ljust(208, b"\1") + MPEG2, "audio/mpeg"),
    ([], MPEG1.ljust(418, b"\1") + MPEG1, "application/octet-stream"),
    ([], b"a" * HEAD + b"\0", "text/plain"),
    ([], b"a" * (HEAD - 1) + b"\0", "application/octet-stream"),
    ([], b"%!PS-Adobe-3.0", "application/postscript"),
    ([], b"\xfe\xff\0a", "text/plain"),
    ([], b"\xff\xfea\0", "text/plain"),
    ([], b"\xff\xfe\0", "application/octet-stream"),
    (["*/*"], b"<html>", "text/html"),
    (["no type"], b"<html>", "text/html"),
]


@pytest.mark.parametrize(("values", "body", "expected"), SAID)
def test_of_what_the_header_says(values, body, expected):
    assert computed(values, body) == expected
