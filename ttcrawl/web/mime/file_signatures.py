"""Signatures of files that are not in the MIME Sniffing standard, and the types of zip and OLE2 files."""

from __future__ import annotations

import re
import struct

#: Bytes of a zip file that are searched: at its start for entries, at its end for its directory.
WINDOW = 1 << 16

_SIGNATURES = (
    (b"%PDF-", "application/pdf"),
    (b"%!TEX", "application/x-tex"),  # a directive for editors: "%!TEX program = lualatex"
    (b"%!TeX", "application/x-tex"),
    (b"%!", "application/postscript"),
    (b"\x04%!", "application/postscript"),
    (b"\xc5\xd0\xd3\xc6", "application/postscript"),  # with a DOS preview
    (b"{\\rtf", "application/rtf"),
    (b"\xf7\x02\x01\x83\x92\xc0\x1c\x3b", "application/x-dvi"),
    (b"AT&TFORM", "image/vnd.djvu"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x00\x00\x00\x0cJXL \r\n\x87\n", "image/jxl"),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", "image/jp2"),
    (b"fLaC", "audio/flac"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"Rar!\x1a\x07\x01\x00", "application/x-rar-compressed"),
    (b"!<arch>\ndebian", "application/vnd.debian.binary-package"),
    (b"\x7fELF", "application/x-executable"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
)
_BRANDS = {b"avif": "image/avif", b"avis": "image/avif", b"heic": "image/heic", b"heix": "image/heic"}
_BRANDS |= {b"mif1": "image/heif", b"M4A ": "audio/mp4", b"qt  ": "video/quicktime"}

ZIP, OLE = "application/zip", "application/x-ole-storage"
_OFFICE = "application/vnd.openxmlformats-officedocument."
_OOXML = {
    b"word/": _OFFICE + "wordprocessingml.document",
    b"xl/": _OFFICE + "spreadsheetml.sheet",
    b"ppt/": _OFFICE + "presentationml.presentation",
}
#: A local entry (name after 30 bytes) or an entry of the central directory (after 46 bytes); APPNOTE 4.3.7, 4.3.12.
_ENTRY = rb"PK(?:\x03\x04.{26}|\x01\x02.{42})"
_OOXML_PART = re.compile(_ENTRY + rb"(word/|xl/|ppt/)", re.DOTALL)
_CONTENT_TYPES = re.compile(_ENTRY + rb"\[Content_Types\]\.xml", re.DOTALL)
_MANIFEST = re.compile(_ENTRY + rb"META-INF/MANIFEST\.MF", re.DOTALL)
#: OpenDocument (part 2, 3.3) and EPUB: the first entry is uncompressed and contains the MIME type.
_MIMETYPE = re.compile(rb"PK\x03\x04.{22}\x08\x00.{2}mimetype.{0,200}?(application/[a-z0-9.+-]{1,80})", re.DOTALL)

_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STREAMS = (
    ("WordDocument", "application/msword"),
    ("Workbook", "application/vnd.ms-excel"),
    ("Book", "application/vnd.ms-excel"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"),
)


def file_type(body: bytes) -> str:
    """The MIME type of a file by its first bytes, "" if unknown."""
    if body.startswith(b"PK\x03\x04"):
        return zipped(body)
    if body.startswith(_OLE_MAGIC):
        return ole(body)
    if body[4:8] == b"ftyp":
        return _BRANDS.get(body[8:12], "")
    if body[257:262] == b"ustar":
        return "application/x-tar"
    return next((mime for signature, mime in _SIGNATURES if body.startswith(signature)), "")


def zipped(body: bytes) -> str:
    """The type of a zip file by the names of its entries."""
    mimetype = _MIMETYPE.match(body)
    if mimetype:
        return mimetype[1].decode()
    ends = body[:WINDOW], body[-WINDOW:]
    if any(map(_CONTENT_TYPES.search, ends)):
        match = next(filter(None, map(_OOXML_PART.search, ends)), None)
        if match:
            return _OOXML[match[1]]
    return "application/java-archive" if _MANIFEST.match(body[:WINDOW]) else ZIP


def ole(body: bytes) -> str:
    """The type of an OLE2 compound file by the names of its streams ([MS-CFB] 2.6.1)."""
    shift, sector = struct.unpack_from("<H16xI", body, 30) if len(body) >= 52 else (9, 0)
    start = (sector + 1) << shift if shift in (9, 12) else 0
    first = body[start : start + WINDOW]  # the directory; if it is fragmented, the complete file is searched
    for text in (first, body):
        for name, mime in _STREAMS:
            if (name + "\0").encode("utf-16-le") in text:
                return mime
    return OLE
