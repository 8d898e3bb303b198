"""Scrapy's HTTP cache (scrapy.extensions.httpcache): a directory for each response, or a database of all responses.

A directory has `pickled_meta`, which is not read, because a pickle can run programs: `meta` beside it says the same as
text. A database has pickles alone: their plain values are read, and nothing is called.
"""

from __future__ import annotations

import ast
import dbm
import zlib
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any, cast

from ttcrawl.archives.members import MAGIC
from ttcrawl.archives.packer import MALFORMED, Packer
from ttcrawl.archives.plain_pickle import Call, plain
from ttcrawl.archives.scrapy_database import DATA, TIME, database_name
from ttcrawl.archives.sources import SCRAPY
from ttcrawl.archives.streams import Wrong
from ttcrawl.store.warc import GZIP

#: Bytes of a file at most, unpacked.
MOST = 1 << 30


def directories(path: Path) -> Iterator[Path]:
    """Yield the directory of each response."""
    return (each.parent for each in sorted(path.rglob(SCRAPY)))


def pack_cache(path: Path, packer: Packer, wrong: Wrong) -> None:
    for number, each in enumerate(directories(path)):
        try:
            _pack(each, packer)
        except OSError as error:
            wrong(number, f"{error.strerror or error}")
        except (*MALFORMED, SyntaxError, RecursionError, MemoryError, zlib.error):
            wrong(number, "no metadata of a response")


def _pack(directory: Path, packer: Packer) -> None:
    meta = ast.literal_eval(_read(directory / "meta").decode("utf-8"))
    url, status, time = str(meta["response_url"] or meta["url"]), int(meta["status"]), float(meta["timestamp"])
    headers, body = _read(directory / "response_headers"), _read(directory / "response_body")
    sent = _read(directory / "request_headers") if (directory / "request_headers").exists() else b""
    if str(meta.get("method", "GET")).upper() != "GET":
        return
    if sent:
        packer.request(url, time, f"GET {url} HTTP/1.1\r\n".encode() + sent.rstrip() + b"\r\n\r\n")
    packer.response(url, time, _head(status, headers.rstrip()), body)


def _read(path: Path) -> bytes:
    """Read a file, which Scrapy may have packed (HTTPCACHE_GZIP). Raises OSError, zlib.error and ValueError."""
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        return data
    unpack = zlib.decompressobj(GZIP)
    unpacked = unpack.decompress(data, MOST)
    if not unpack.eof:
        raise ValueError("truncated, or too long")
    return unpacked


def _head(status: int, headers: bytes) -> bytes:
    lines = (f"HTTP/1.1 {status}".encode(), headers)
    return b"".join(line + b"\r\n" for line in lines if line) + b"\r\n"


# -- a database ---------------------------------------------------------------------------------------------------


def pack_database(path: Path, packer: Packer, wrong: Wrong) -> None:
    with dbm.open(database_name(path), "r") as database:
        keys = cast("list[bytes]", database.keys())
        names = sorted(key.removesuffix(DATA) for key in keys if key.endswith(DATA))
        for number, name in enumerate(names):
            try:
                data = plain(database[name + DATA])
                _pack_data(data, float(database[name + TIME]), packer)
            except MALFORMED:
                wrong(number, "no data of a response")


def _pack_data(data: Mapping[str, Any], time: float, packer: Packer) -> None:
    lines = [name + b": " + value for name, values in data["headers"].items() for value in values]
    head = _head(int(data["status"]), b"\r\n".join(lines))
    called, address = data.get("ip_address"), ""
    if isinstance(called, Call) and called.module == "ipaddress":
        address = str(ip_address(*called.arguments))
    packer.response(str(data["url"]), time, head, bytes(data["body"]), address)
