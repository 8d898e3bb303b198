"""A listing as an HTML page: then its links are read, followed, recorded and searched as on any page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from urllib.parse import quote

from ttcrawl.web.ftp.listing import Entry

TYPE = "text/html; charset=utf-8"

#: Characters besides letters and digits that the path of a canonical URL may have as they are.
PLAIN = "!$&'()*+,;=:@~"

#: At the end of a URL it would be the mode of a transfer (RFC 1738 section 3.2.2).
_MODE = re.compile(r";(?=type=[aidAID]$)")

_END = b"</table></main></body></html>\n"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def html(url: str, entries: Iterable[Entry], most: int) -> tuple[bytes, bool]:
    """(Page of at most `most` bytes, whether all entries are on it); `url`: of the directory, with its last slash."""
    title = f"Index of {escape(url)}"
    rows = [
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{title}</title></head><body><main><h1>{title}</h1>'
        "\n<table>\n<tr><th>Name</th><th>Bytes</th><th>Modified</th></tr>\n".encode()
    ]
    size = len(rows[0]) + len(_END)
    for entry in entries:
        row = _row(entry)
        size += len(row)
        if size > most:
            return b"".join(rows)[:most], False
        rows.append(row)
    return b"".join([*rows, _END])[:most], True


def _row(entry: Entry) -> bytes:
    slash = "/" if entry.is_directory else ""
    path = quote(entry.name, safe=PLAIN) + slash
    href = escape(f"./{_MODE.sub('%3B', path)}")  # ./ because a name may have a colon
    name = escape(_CONTROL.sub("\ufffd", _text(entry.name)))
    size = "" if entry.size is None else entry.size
    return (
        f'<tr><td><a href="{href}">{name}{slash}</a></td><td>{size}</td><td>{escape(entry.modified)}</td></tr>\n'
    ).encode()


def _text(name: bytes) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("latin-1")
