"""Header values of a response."""

from __future__ import annotations

from ttcrawl.recrawl.expiry import fresh_until
from ttcrawl.ring.messages import Fetched, Head
from ttcrawl.web.fields import content_length, transfer_codings
from ttcrawl.web.storable import LARGEST

#: RFC 9112 section 7; compress is not read.
_TRANSFER_CODINGS = frozenset(("gzip", "x-gzip", "deflate"))


def values(head: Head, name: str) -> list[str]:
    """All values of a header; `name` is in lower case."""
    return [value for each, value in head.headers if each.lower() == name]


def first_values(head: Head) -> dict[str, str]:
    """The first value of each header, by its name in lower case."""
    return {name.lower(): value for name, value in reversed(head.headers)}


def content_types(head: Head, headers: dict[str, str]) -> list[str]:
    """All values of Content-Type; `headers`: `first_values`."""
    if len(headers) < len(head.headers):  # a name is there twice
        return values(head, "content-type")
    return [headers["content-type"]] if "content-type" in headers else []


def is_nosniff(headers: dict[str, str]) -> bool:
    """Whether the type is to be taken as stated: Fetch standard, "determine nosniff"; `headers`: `first_values`."""
    return headers.get("x-content-type-options", "").partition(",")[0].strip().lower() == "nosniff"


def may_be_coded(headers: dict[str, str]) -> bool:
    """Whether `coding` has to look at all headers; `headers`: `first_values`."""
    return "encoding" in ",".join(headers)


def coding(head: Head) -> str:
    """Several headers form one list (RFC 9110 section 5.3). Transfer codings were applied last."""
    codings, transferred = list[str](), list[str]()
    for name, value in head.headers:
        name = name.lower()
        if name == "content-encoding":
            codings.append(value)
        elif name.endswith("transfer-encoding"):  # in the archive there is something before it
            transferred += [each for each in value.split(",") if each.strip().lower() in _TRANSFER_CODINGS]
    return ",".join(codings + transferred)


def declared_length(head: Head) -> int | None:
    """The bytes of the body by Content-Length; None: it is not stated, or does not apply (RFC 9112 section 6.3). More
    than SQLite can store become the most that it can."""
    coded = transfer_codings(values(head, "transfer-encoding"))
    length = None if coded else content_length(", ".join(values(head, "content-length")))
    return None if length is None else min(length, LARGEST)


def expiry(head: Head, headers: dict[str, str], fetched: Fetched) -> float | None:
    """Until when the server calls the response fresh, seconds since the epoch; None: it does not say."""
    if "cache-control" not in headers and "expires" not in headers:  # most pages
        return None
    names = ("cache-control", "expires", "date", "age")
    return fresh_until(*(values(head, name) for name in names), sent=fetched.started, received=fetched.ended)
