"""Old Office files: the streams of a compound file ([MS-CFB]) with links and metadata."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from ttcrawl.read.documents.extract import Extract

#: The class identifier of URL monikers: [MS-OSHARED] section 2.3.7.6. After it: length in bytes, URL, NUL.
URL_MONIKER = bytes.fromhex("e0c9ea79f9bace118c8200aa004ba90b")
HLINK = 0x01B8  # [MS-XLS] section 2.4.140
LINK_CONTAINER, STRING = 0x0FD7, 0x0FBA  # [MS-PPT] sections 2.10.16 and 2.10.18 to 2.10.20
WORDS, TARGET = 0, 1  # meaning of a string in that container
MAX_LINK = 1 << 16
#: Code pages that Python does not name cpNUMBER.
CODE_PAGES = {0: "windows-1252", 1200: "utf-16-le", 10000: "mac-roman", 65000: "utf-7", 65001: "utf-8"}


def describe(path: Path, extract: Extract) -> None:
    """Fill in missing metadata from the property set of the file ([MS-OLEPS]); nothing if it is broken."""
    import olefile

    try:
        with olefile.OleFileIO(str(path)) as ole:
            metadata = ole.get_metadata()
        page = (metadata.codepage or 0) & 0xFFFF  # stored as a signed number
        charset = CODE_PAGES.get(page, f"cp{page}")
        extract.title = extract.title or _words(metadata.title, charset)
        extract.author = extract.author or _words(metadata.author, charset)
        extract.created = extract.created or _moment(metadata.create_time)
        extract.modified = extract.modified or _moment(metadata.last_saved_time)
    except Exception:  # the library may raise any error for broken data; the text of the document still counts
        return


def _words(value: Any, charset: str) -> str:
    text = value.decode(charset, "replace") if isinstance(value, bytes) else str(value or "")
    return text.partition("\0")[0].strip()


def _moment(value: Any) -> str:
    """UTC, counted from 1601; the start means that no date was set."""
    return f"{value.isoformat()}Z" if isinstance(value, datetime) and value.year > 1601 else ""


def links(path: Path) -> list[tuple[str, str]]:
    """Links of the workbook or presentation in this file. Raises OSError if it is not a compound file."""
    import olefile

    with olefile.OleFileIO(str(path)) as ole:
        if ole.exists("Workbook"):
            return list(excel(ole.openstream("Workbook").read()))
        if ole.exists("PowerPoint Document"):
            return list(powerpoint(ole.openstream("PowerPoint Document").read()))
    return []


def excel(stream: bytes) -> Iterator[tuple[str, str]]:
    """Links in the stream of a workbook, whatever it has in it."""
    position = 0
    while position + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, position)
        body = stream[position + 4 : position + 4 + length]
        position += 4 + length
        begin = body.find(URL_MONIKER) + len(URL_MONIKER) if kind == HLINK else 0
        if begin >= len(URL_MONIKER) and begin + 4 <= len(body):
            (size,) = struct.unpack_from("<I", body, begin)
            yield body[begin + 4 : begin + 4 + size].decode("utf-16-le", "replace").partition("\0")[0], ""


def _records(stream: memoryview) -> Iterator[tuple[int, int, memoryview]]:
    """(instance, type, contents) of every record: also inside containers, but not inside strings."""
    position = 0
    while position + 8 <= len(stream):
        head, kind, length = struct.unpack_from("<HHI", stream, position)
        position += 8
        yield head >> 4, kind, stream[position : position + length]
        if head & 0xF != 0xF:
            position += length


def powerpoint(stream: bytes) -> Iterator[tuple[str, str]]:
    """Links with their words in the stream of a presentation, whatever it has in it."""
    for _, kind, contents in _records(memoryview(stream)):
        if kind == LINK_CONTAINER and len(contents) <= MAX_LINK:
            strings = {
                instance: bytes(text).decode("utf-16-le", "replace")
                for instance, inner, text in _records(contents)
                if inner == STRING
            }
            url, words = strings.get(TARGET, ""), strings.get(WORDS, "")
            yield url, "" if words == url else words
