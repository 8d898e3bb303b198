"""One answer read as a parse process reads it."""

import shutil
from pathlib import Path

import xxhash

from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.parse.read import Reader
from ttcrawl.ring.messages import PAGE, Fetched, Head, Page, Request
from ttcrawl.ring.position import Position

HTML = ("Content-Type", "text/html; charset=utf-8")


def read(archive: Path, url: str, body: bytes, config: Config | None = None, headers=(HTML,)) -> Page:
    """By a reader that has read nothing before; its archive is begun anew."""
    config = config or Config()
    shutil.rmtree(archive, ignore_errors=True)
    archive.mkdir(parents=True)
    reader = Reader(config, compile_scope(config.scope, [url]), archive, Position(series=0, number=0))
    head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=tuple(headers), address="")
    request = Request(token=1, kind=PAGE, url=url, depth=0, not_before=0)
    answer = Fetched(
        **{"token": 1, "status": 200, "address": "", "started": 0.0, "ended": 0.0},
        **{"head_size": 0, "body_size": len(body), "refused": "", "digest": xxhash.xxh3_128_digest(body)},
    )
    try:
        page = reader.read(request, answer, head, body)
    finally:
        reader.close()
    assert isinstance(page, Page)
    return page
