"""Archives as other programs write them, made by warcio and by hand."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.support.crawls.preforked import run

HOST = "http://a.test"


def page(*links: str, title: str = "a title") -> bytes:
    anchors = "".join(f"<p>Words about a thing that is there: <a href='{each}'>a link</a></p>" for each in links)
    return f"<!doctype html><title>{title}</title><main>{anchors}</main>".encode()


class Warc:
    """The records of a WARC file, in the order in which they are added; a minute passes between two."""

    def __init__(self, path: Path, *, packed: bool = True, version: str = "1.0") -> None:
        self.path, self._file = path, io.BytesIO()
        self._writer = WARCWriter(self._file, gzip=packed, warc_version=version)
        self._minute = 0
        self.offsets: list[int] = []

    def date(self) -> str:
        self._minute += 1
        return f"2020-01-02T{self._minute // 60:02}:{self._minute % 60:02}:00Z"

    def add(
        self,
        url: str,
        body: bytes = b"",
        *,
        status: str = "200 OK",
        headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/html"),),
        kind: str = "response",
        more: dict[str, str] | None = None,
        date: str = "",
    ) -> str:
        """Return the date of the record."""
        date = date or self.date()
        head = StatusAndHeaders(status, list(headers), protocol="HTTP/1.1")
        named = {"WARC-Date": date, **(more or {})}
        record = self._writer.create_warc_record(
            url, kind, payload=io.BytesIO(body), http_headers=head, warc_headers_dict=named
        )
        self.offsets.append(self._file.tell())
        self._writer.write_record(record)
        return date

    def block(self, kind: str, url: str, block: bytes, content_type: str, **more: str) -> None:
        """Add a record with any block; in names of fields, - is written as _. Its file is packed."""
        named = {name.replace("_", "-"): value for name, value in more.items()}
        fields = {"WARC-Type": kind, "WARC-Record-ID": f"<urn:uuid:{len(self.offsets)}>", "WARC-Date": self.date()}
        fields |= {"WARC-Target-URI": url, "Content-Type": content_type, "Content-Length": str(len(block)), **named}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.offsets.append(self._file.tell())
        self._file.write(gzip.compress(f"WARC/1.0\r\n{head}\r\n".encode() + block + b"\r\n\r\n"))

    def information(self, **fields: str) -> None:
        self._writer.write_record(self._writer.create_warcinfo_record(self.path.name, fields))

    def write(self) -> Path:
        self.path.write_bytes(self.bytes())
        return self.path

    def bytes(self) -> bytes:
        return self._file.getvalue()


def three_pages(path: Path, *, packed: bool = True, version: str = "1.0") -> Warc:
    """Two pages, a redirect, a robots.txt and an image; one of their links leads out of the archive."""
    warc = Warc(path, packed=packed, version=version)
    warc.information(software="a crawler/1.0")
    warc.add(f"{HOST}/robots.txt", b"User-agent: *\nDisallow: /private\n", headers=(("Content-Type", "text/plain"),))
    warc.add(f"{HOST}/", page("/two", "/old", "/missing", title="One"))
    warc.add(f"{HOST}/two", page("/", title="Two"))
    warc.add(f"{HOST}/old", status="301 Moved", headers=(("Location", "/two"),))
    warc.add(f"{HOST}/icon.png", b"\x89PNG\r\n\x1a\n" + bytes(40), headers=(("Content-Type", "image/png"),))
    return warc


#: What becomes of these records.
STATES = {
    f"{HOST}/": ("fetched", "http 200"),
    f"{HOST}/two": ("fetched", "http 200"),
    f"{HOST}/old": ("moved", "http 301"),
    f"{HOST}/icon.png": ("fetched", "http 200"),
    f"{HOST}/missing": ("refused", "not in archive"),
}


def import_(directory: Path, *words: object, status: int = 0) -> str:
    """`ttcrawl import`; return what it prints."""
    done = run("import", *words, "-d", directory, "--parsers", "1", cwd=directory.parent, timeout=120)
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def packed_as_a_whole(data: bytes) -> bytes:
    return gzip.compress(data)
