"""Real things of every kind that a crawl reads: documentation of this machine, files of the tests, images, codings."""

from __future__ import annotations

import gzip
import io
import os
import random
import zlib
from functools import cache, partial
from pathlib import Path

import brotli

from tests.fuzz.soak import hostile

DOCUMENTS = Path(__file__).parents[2] / "read" / "documents" / "files"

#: Where packages leave pages and texts.
SHELVES = ("/usr/share/doc", "/usr/share/javadoc", "/usr/share/qt5/doc", "/usr/share/info")
#: What is taken from there, by extension.
TYPES = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), "text/html"),
    **dict.fromkeys((".txt", ".md", ".rst"), "text/plain"),
    **{
        ".css": "text/css",
        ".svg": "image/svg+xml",
        ".xml": "text/xml",
        ".js": "text/javascript",
        ".pdf": "application/pdf",
    },
    **{
        ".png": "image/png",
        ".gif": "image/gif",
        ".jpg": "image/jpeg",
        ".json": "application/json",
        ".tex": "text/x-tex",
    },
}
OFFICE = {
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odp": "application/vnd.oasis.opendocument.presentation",
    **{".doc": "application/msword", ".xls": "application/vnd.ms-excel", ".rtf": "application/rtf"},
    **{".tex": "application/x-tex", ".pdf": "application/pdf", ".ps": "application/postscript"},
}
#: Bytes of a file that is taken, and files looked at in each shelf.
LARGEST, MOST = 200_000, 40_000

#: A page as the tests have it, where the machine has none.
PAGE = (
    b"<!DOCTYPE html><html lang=en><head><title>A page</title><body><h1>Lime</h1><p>Trees are <a href=x>here</a>.</p>"
)


@cache
def shelf() -> tuple[tuple[str, str], ...]:
    """(path, type) of the pages and texts of this machine, in an order that is always the same."""
    found = []
    for top in SHELVES:
        count = 0
        for place, folders, names in os.walk(top):
            folders.sort()
            for name in sorted(names):
                mime = TYPES.get(Path(name).suffix.lower())
                if mime:
                    found.append((os.path.join(place, name), mime))
                    count += 1
            if count > MOST:
                break
    return tuple(found)


def any_file(chance: random.Random) -> tuple[bytes, str]:
    """(bytes, type) of a file of this machine."""
    kinds = sorted({mime for _, mime in shelf()})
    kind = chance.choice(kinds) if kinds and chance.random() < 0.3 else "text/html"
    paths = [path for path, mime in shelf() if mime == kind]
    for _ in range(5):
        path = Path(chance.choice(paths)) if paths else None
        try:
            if path and path.stat().st_size <= LARGEST:
                return path.read_bytes(), kind
        except OSError:
            continue
    return PAGE, "text/html"


def document(chance: random.Random) -> tuple[bytes, str]:
    path = chance.choice([each for each in sorted(DOCUMENTS.iterdir()) if each.suffix in OFFICE])
    return path.read_bytes(), OFFICE[path.suffix]


def image(chance: random.Random) -> tuple[bytes, str]:
    from PIL import Image

    name, mode = chance.choice(
        [
            ("PNG", "RGB"),
            ("PNG", "P"),
            ("JPEG", "RGB"),
            ("GIF", "P"),
            ("WEBP", "RGB"),
            ("TIFF", "RGB"),
            ("BMP", "RGB"),
            ("ICO", "RGBA"),
        ]
    )
    out = io.BytesIO()
    Image.new(mode, (chance.randint(1, 99), chance.randint(1, 99))).save(out, name)
    return out.getvalue(), f"image/{name.lower()}"


#: Content codings and what makes them.
CODINGS = {
    "gzip": partial(gzip.compress, mtime=0),
    "x-gzip": partial(gzip.compress, mtime=0),
    "deflate": zlib.compress,
    "br": brotli.compress,
    "deflate, gzip": lambda body: gzip.compress(zlib.compress(body), mtime=0),
}
CHARSETS = (
    *("utf-8", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1", "windows-1252", "shift_jis", "euc-jp", "iso-2022-jp"),
    *("big5", "gb18030", "gbk", "euc-kr", "koi8-r", "koi8-u", "windows-1251", "windows-1255", "macintosh", "ibm866"),
)


def recoded(body: bytes, chance: random.Random) -> tuple[bytes, str]:
    """A text in another charset, half of the time one that it does not have."""
    charset = chance.choice(CHARSETS)
    text = body.decode("utf-8", "replace") + hostile.text(chance)
    return text.encode(charset, chance.choice(("replace", "ignore"))), chance.choice((charset, chance.choice(CHARSETS)))
