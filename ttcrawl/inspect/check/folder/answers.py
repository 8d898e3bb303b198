"""What a server answers for a mounted folder: files, directories with an index, clean URLs, and the 404 page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from mimetypes import MimeTypes
from pathlib import Path

from ttcrawl.inspect.check.folder.mount import MISSING, Mount, OutsideError

#: What the table of Python 3.11 does not have, or has otherwise. The table of the system is not read: it differs.
TYPES = MimeTypes()
for _type, _end in (
    ("text/javascript", ".js"),
    ("text/javascript", ".mjs"),
    ("application/manifest+json", ".webmanifest"),
    ("image/webp", ".webp"),
    ("image/avif", ".avif"),
    ("font/woff", ".woff"),
    ("font/woff2", ".woff2"),
    ("application/wasm", ".wasm"),
    ("text/markdown", ".md"),
):
    TYPES.add_type(_type, _end)

#: Bytes of a file that are read: a crawl keeps less of it.
MOST = 64 << 20

PLAIN = {"Content-Type": "text/plain; charset=utf-8"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderAnswers:
    """Called with the host and the path of a request; returns status, headers and body."""

    mount: Mount

    def __call__(self, host: str, path: str) -> tuple[int, Mapping[str, str], bytes]:
        if host != self.mount.host:
            return 404, PLAIN, b"This host is not the site.\n"
        address = path.partition("?")[0]
        if address + "/" == self.mount.path:
            return _moved(self.mount.path)
        try:
            file = self.mount.find(address)
        except OutsideError:
            return 403, PLAIN, b"This path leads out of the folder.\n"
        if file is None:
            missing = self.mount.folder / MISSING
            if missing.is_file():
                return 404, {"Content-Type": "text/html"}, _content(missing)
            return 404, PLAIN, b"There is no such file.\n"
        if file.is_dir():
            return _moved(f"/{address.strip('/')}/")  # "//a/" would be another host
        mime, coding = TYPES.guess_type(file.name)
        if coding is not None:
            mime = f"application/{coding}"
        try:
            return 200, {"Content-Type": mime or "application/octet-stream"}, _content(file)
        except OSError:
            return 403, PLAIN, b"This file cannot be read.\n"


def _moved(path: str) -> tuple[int, Mapping[str, str], bytes]:
    return 301, {**PLAIN, "Location": path}, b""


def _content(file: Path) -> bytes:
    with open(file, "rb") as opened:
        return opened.read(MOST)
