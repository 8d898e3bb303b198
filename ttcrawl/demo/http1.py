"""The part of HTTP/1.1 (RFC 9112) that a server of GET and HEAD needs: reading request heads, writing responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus

HEAD_LIMIT = 65_536  # bytes of a request head; a longer one is refused


@dataclass(frozen=True, slots=True)
class RequestHead:
    """The head of a request. Its fields are positional for speed: there is one for every request."""

    method: str
    host: str  # as in the Host header (or the absolute-form target), with the port
    path: str  # with the query
    keep: bool  # whether the connection stays open afterwards


class BadRequest(ValueError):
    """The bytes are not a request that can be answered; str() is the reason, `status` the status of the response."""

    def __init__(self, why: str, status: int = 400) -> None:
        super().__init__(why)
        self.status = status


def read_head(head: bytes) -> RequestHead:
    """Read a request head without its empty line. Raises BadRequest."""
    first, *lines = head.decode("latin-1").split("\r\n")
    try:
        method, target, version = first.split(" ")
    except ValueError:
        raise BadRequest("this is not a request line") from None
    if version not in ("HTTP/1.1", "HTTP/1.0"):
        raise BadRequest("only HTTP/1.1 and HTTP/1.0 are spoken here", 505 if version.startswith("HTTP/") else 400)
    host, keep = None, version == "HTTP/1.1"
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name[-1] in " \t":
            raise BadRequest("this is not a header line")
        name = name.lower()
        if name == "host":
            if host is not None:
                raise BadRequest("more than one Host header")
            host = value.strip()
        elif name == "connection":
            options = value.lower()
            keep = "close" not in options if keep else "keep-alive" in options
        elif name == "transfer-encoding" or (name == "content-length" and value.strip() != "0"):
            raise BadRequest("requests with a body are not read")
    if target.startswith("http://"):  # absolute-form, RFC 9112 section 3.2.2
        host, slash, path = target[7:].partition("/")
        target = slash + path or "/"
    if host is None and version == "HTTP/1.1":
        raise BadRequest("HTTP/1.1 needs a Host header")
    if method not in ("GET", "HEAD"):
        raise BadRequest("only GET and HEAD are answered", 405)
    if not target.startswith("/"):
        raise BadRequest("the target must begin with a slash")
    return RequestHead(method, host or "", target, keep)


def write_answer(
    status: int, headers: Mapping[str, str], body: bytes, *, now: float, keep: bool, with_body: bool = True
) -> bytes:
    """The complete response. `now` is in seconds since the epoch. HEAD gets the length of the body without the body."""
    fields = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
    connection = "keep-alive" if keep else "close"
    head = (
        f"{_status_line(status)}\r\nDate: {_date(int(now))}\r\n{fields}"
        f"Content-Length: {len(body)}\r\nConnection: {connection}\r\n\r\n"
    ).encode("latin-1")
    return head + body if with_body else head


@lru_cache
def _status_line(status: int) -> str:
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
    return f"HTTP/1.1 {status} {phrase}"


@lru_cache(maxsize=2)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)
