"""Scrapy's HTTP cache on the file system: a directory for each response (scrapy.extensions.httpcache).

Its `pickled_meta` is not read, because a pickle can run programs: `meta` beside it says the same as text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from ttcrawl.archives.packer import Packer
from ttcrawl.archives.sources import SCRAPY
from ttcrawl.archives.streams import Wrong


def directories(path: Path) -> Iterator[Path]:
    """Yield the directory of each response."""
    return (each.parent for each in sorted(path.rglob(SCRAPY)))


def pack_cache(path: Path, packer: Packer, wrong: Wrong) -> None:
    for number, each in enumerate(directories(path)):
        try:
            _pack(each, packer)
        except OSError as error:
            wrong(number, f"{error.strerror or error}")
        except (ValueError, SyntaxError, KeyError, TypeError):
            wrong(number, "no metadata of a response")


def _pack(directory: Path, packer: Packer) -> None:
    meta = ast.literal_eval((directory / "meta").read_text("utf-8"))
    url, status, time = str(meta["response_url"] or meta["url"]), int(meta["status"]), float(meta["timestamp"])
    headers, body = (directory / "response_headers").read_bytes(), (directory / "response_body").read_bytes()
    sent = (directory / "request_headers").read_bytes() if (directory / "request_headers").exists() else b""
    if str(meta.get("method", "GET")).upper() != "GET":
        return
    if sent:
        packer.request(url, time, f"GET {url} HTTP/1.1\r\n".encode() + sent.rstrip() + b"\r\n\r\n")
    lines = (f"HTTP/1.1 {status}".encode(), headers.rstrip())
    packer.response(url, time, b"".join(line + b"\r\n" for line in lines if line) + b"\r\n", body)
