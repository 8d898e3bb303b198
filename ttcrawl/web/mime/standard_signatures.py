"""The signatures of the MIME Sniffing standard, sections 6 and 7.1 (https://mimesniff.spec.whatwg.org/)."""

from __future__ import annotations

import re

HTML, XML, PDF, PLAIN, BINARY = "text/html", "text/xml", "application/pdf", "text/plain", "application/octet-stream"

#: Bytes that do not occur in text (section 3).
BINARY_DATA = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
UTF16_BOMS = (b"\xfe\xff", b"\xff\xfe")
UTF8_BOM = b"\xef\xbb\xbf"

_TAGS = rb"!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|body|br|b|p|!--"
_SCRIPTABLE = re.compile(rb"[\t\n\f\r ]*+(?:(<(?:%b)[ >])|(<\?xml)|(%%PDF-))" % _TAGS, re.IGNORECASE)
_XML_OR_PDF = re.compile(rb"[\t\n\f\r ]*+<\?xml|%PDF-")

_IMAGES = (
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"\x00\x00\x02\x00", "image/x-icon"),
    (b"BM", "image/bmp"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
)
_MEDIA = (
    (b"ID3", "audio/mpeg"),
    (b"OggS\x00", "application/ogg"),
    (b"MThd\x00\x00\x00\x06", "audio/midi"),
)
_ARCHIVES = (
    (b"\x1f\x8b\x08", "application/x-gzip"),
    (b"PK\x03\x04", "application/zip"),
    (b"Rar!\x1a\x07\x00", "application/x-rar-compressed"),
)
_RIFF = {b"AVI ": "video/avi", b"WAVE": "audio/wave"}
_WEBM = re.compile(rb"\x42\x82")
_PADDED_WEBM = re.compile(rb"\x00*+webm")

# ISO/IEC 11172-3 section 2.4.2.3 and 13818-3: kbit/s by index, of layer III
_RATES = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_LOW_RATES = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_SAMPLES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}


def scriptable(head: bytes) -> str:
    """Types in which a browser runs scripts: HTML, XML or PDF; "" if none of them."""
    match = _SCRIPTABLE.match(head)
    if match is None:
        return ""
    if match[1]:
        return HTML
    # XML and PDF patterns are case-sensitive, and PDF allows no leading white space
    exact = _XML_OR_PDF.match(head)
    return "" if exact is None else PDF if head[:1] == b"%" else XML


def image(head: bytes) -> str:
    if head[:4] == b"RIFF" and head[8:14] == b"WEBPVP":
        return "image/webp"
    return _first(_IMAGES, head)


def media(head: bytes) -> str:
    """Audio and video."""
    if head[:4] == b"FORM" and head[8:12] == b"AIFF":
        return "audio/aiff"
    if head[:4] == b"RIFF" and head[8:12] in _RIFF:
        return _RIFF[head[8:12]]
    return _first(_MEDIA, head) or ("video/mp4" if _mp4(head) else "") or _webm(head) or _mp3(head)


def archive(head: bytes) -> str:
    return _first(_ARCHIVES, head)


def _first(table: tuple[tuple[bytes, str], ...], head: bytes) -> str:
    return next((mime for signature, mime in table if head.startswith(signature)), "")


def _mp4(head: bytes) -> bool:
    """Section 6.2.1."""
    size = int.from_bytes(head[:4])
    if len(head) < 12 or size > len(head) or size % 4 or head[4:8] != b"ftyp":
        return False
    return any(head[start : start + 3] == b"mp4" for start in (8, *range(16, size, 4)))


def _webm(head: bytes) -> str:
    """Section 6.2.2: whether the document type of a Matroska file is webm."""
    if not head.startswith(b"\x1a\x45\xdf\xa3"):
        return ""
    for match in _WEBM.finditer(head, 4, 40):
        position = match.end()
        if position < len(head) and _PADDED_WEBM.match(head, position + 9 - max(1, head[position].bit_length())):
            return "video/webm"
    return ""


def _mp3(head: bytes) -> str:
    """Section 6.2.3, MP3 without ID3: the header of a frame, and another one at the end of that frame.

    The bit rates are from the MPEG standards; the section swaps the rates of the two versions.
    """
    size = _frame(head[:4])
    return "audio/mpeg" if size >= 4 and _frame(head[size : size + 4]) else ""


def _frame(header: bytes) -> int:
    """Bytes of the layer III frame with this header, 0 if invalid."""
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE6 != 0xE2:
        return 0
    version, rate, sample = header[1] >> 3 & 3, header[2] >> 4, header[2] >> 2 & 3
    if version == 1 or rate == 15 or sample == 3:
        return 0
    kilobits = (_RATES if version == 3 else _LOW_RATES)[rate]
    return kilobits * 1000 * (144 if version == 3 else 72) // _SAMPLES[version][sample] + (header[2] >> 1 & 1)
