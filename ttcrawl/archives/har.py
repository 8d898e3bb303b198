"""HAR files, which browsers write (http://www.softwareishard.com/blog/har-12-spec/): requests with their answers."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from ttcrawl.archives.packer import MALFORMED, Packer, head_of
from ttcrawl.archives.streams import Wrong

#: Headers of the body as it was sent; the file has it without codings.
_OF_CODING = frozenset(("content-encoding", "content-length", "transfer-encoding"))


def _log(path: Path) -> Mapping[str, Any]:
    """Raises OSError, and ValueError."""
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        log = json.load(file)["log"]
    if not isinstance(log, Mapping):
        raise ValueError("no log")
    return log


def pack_har(path: Path, packer: Packer, wrong: Wrong) -> None:
    """Pack the answers of a HAR file. Raises OSError."""
    try:
        log = _log(path)
        entries = list(log["entries"])
        packer.information(path.stat().st_mtime, _information(log))
    except (*MALFORMED, RecursionError):
        wrong(0, "no HAR file")
        return
    for number, entry in enumerate(entries):
        try:
            _pack(entry, packer)
        except MALFORMED:
            wrong(number, "no answer in an entry")


def pages(path: Path) -> Iterator[str]:
    """Yield the URLs of pages: documents, or the first request of each page."""
    try:
        entries = _log(path)["entries"]
        seen = set[str]()
        for entry in entries:
            page = str(entry.get("pageref", ""))
            if entry.get("_resourceType") == "document" or (page and page not in seen):
                seen.add(page)
                yield str(entry["request"]["url"])
    except (OSError, *MALFORMED, RecursionError):
        return


def _information(log: Mapping[str, Any]) -> str:
    programs = [(key, about) for key in ("creator", "browser") if isinstance(about := log.get(key), Mapping)]
    return "".join(f"{key}: {about.get('name', '')} {about.get('version', '')}\r\n" for key, about in programs)


def _pack(entry: Mapping[str, Any], packer: Packer) -> None:
    request, answer = entry["request"], entry["response"]
    if request.get("method", "GET") != "GET" or not answer.get("status"):
        return
    at = datetime.fromisoformat(entry["startedDateTime"]).timestamp()
    content = answer.get("content") or {}
    text = content.get("text") or ""
    body = base64.b64decode(text) if content.get("encoding") == "base64" else text.encode("utf-8", "surrogatepass")
    headers = [(str(each["name"]), str(each["value"])) for each in answer.get("headers", ())]
    if not any(name.lower() == "content-type" for name, _ in headers) and content.get("mimeType"):
        headers.append(("Content-Type", str(content["mimeType"])))
    fields = [(name, value) for name, value in headers if name.lower() not in _OF_CODING and not name.startswith(":")]
    sent = [(str(each["name"]), str(each["value"])) for each in request.get("headers", ())]
    head = head_of(f"HTTP/1.1 {int(answer['status'])} {answer.get('statusText') or ''}", fields)
    packer.request(request["url"], at, head_of(f"GET {request['url']} HTTP/1.1", sent))
    packer.response(request["url"], at, head, body, str(entry.get("serverIPAddress") or ""))
