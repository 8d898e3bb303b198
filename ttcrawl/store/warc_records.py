"""The records of the archive as bytes (ISO 28500, WARC 1.1), in the form that warcio writes.

Written directly: warcio's writer takes four times as long. Its order of the fields is kept, and tests compare both.

`at` is when a response was requested, in seconds since the epoch. `about` has the fields that the records of an
exchange share (`exchange`), `id` is the id of a record (`new_id`).
"""

from __future__ import annotations

import base64
import hashlib
import math
import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from urllib.parse import quote

from ttcrawl import core
from ttcrawl.ring.messages import HTTP_2, Head, IdenticalBody, LookUp
from ttcrawl.ring.rendering import PDF, PNG

PRINTABLE = "".join(map(chr, range(32, 127)))
#: Characters besides letters and digits in a field name (RFC 9110 section 5.6.2: a token).
TOKEN = "!#$&'*+-.^_`|~"

#: The body is stored without the framing of the transfer, so the header that announces it must be renamed.
FRAMING = "transfer-encoding"

_FRAMED = re.compile(rb"(\n)(transfer-encoding:)", re.IGNORECASE)

PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_HTTP = "application/http; msgtype=response"
_HTTP_REQUEST = "application/http; msgtype=request"

#: The content type of a document after its scripts.
DOCUMENT = "text/html; charset=utf-8"

#: Content type of what was made from a page -> what its record has before the URL of the page.
URNS = {DOCUMENT: "urn:dom:", PNG: "urn:view:", PDF: "urn:pdf:"}

#: Named fields of a record, in their order.
Fields = tuple[tuple[str, str], ...]


def new_id() -> str:
    """Return a random UUID (RFC 9562 section 5.4: version 4), in a third of the time that the class UUID takes."""
    digits = os.urandom(16).hex()
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"<urn:uuid:{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}>"


def exchange(head: Head, at: float, information_id: str = "") -> Fields:
    """Return the fields that the records of a request and its response share.

    `information_id`: the id of the warcinfo record of the file.
    """
    fields = [("WARC-Date", date(at))]
    if head.address:
        fields.append(("WARC-IP-Address", head.address))
    # proposals for WARC, in wide use: iipc/warc-specifications issues 42 and 86
    if head.version == HTTP_2:
        fields.append(("WARC-Protocol", "h2"))
    if head.tls:
        fields.append(("WARC-Protocol", head.tls))
    if head.cipher:
        fields.append(("WARC-Cipher-Suite", head.cipher))
    if information_id:
        fields.append(("WARC-Warcinfo-ID", information_id))
    return tuple(fields)


def request(url: str, data: bytes, about: Fields, id: str, response_id: str) -> bytes:
    """Return the record of a request that was sent as `data` (section 6.4), beside the record of its response."""
    fields = (*about, ("WARC-Concurrent-To", response_id), *named("request", url, id))
    return record(fields, _HTTP_REQUEST, data)


def response(url: str, head: Head, body: bytes, about: Fields, id: str, truncated: str = "") -> bytes:
    """`truncated`: the value of WARC-Truncated, or ""."""
    fields = [*about]
    if truncated:
        fields.append(("WARC-Truncated", truncated))
    return record((*fields, *named("response", url, id)), _HTTP, _http(head), body, payload=True)


def revisit(url: str, head: Head, body: bytes, about: Fields, id: str, identical: IdenticalBody) -> bytes:
    """Return a record of the profile identical-payload-digest (section 6.7.2): the head alone.

    It requires WARC-Truncated if the body is left out.
    """
    return record((*about, *identical_to(url, body, id, identical)), _HTTP, _http(head))


def identical_to(url: str, body: bytes, id: str, identical: IdenticalBody) -> Fields:
    """Return the fields of a revisit record by which it refers to the record of the body."""
    return (
        ("WARC-Truncated", "length"),
        *named("revisit", url, id),
        ("WARC-Profile", PROFILE),
        ("WARC-Refers-To-Target-URI", identical.url),
        ("WARC-Refers-To-Date", date(identical.moment)),
        ("WARC-Payload-Digest", labelled_sha1(body)),
    )


def not_modified(url: str, about: Fields, id: str, refers_to: Fields) -> bytes:
    """Return a record of the profile server-not-modified (section 6.7.3), without a block, as Heritrix writes it.

    With the head of the 304, pywb would replay a 304 to a browser that has nothing. Without, it replays the response
    that is confirmed.

    `refers_to`: the fields WARC-Refers-To-... of the answer that is confirmed (`ttcrawl.store.archived.refers_to`).
    """
    fields = [*about, *named("revisit", url, id), ("WARC-Profile", NOT_MODIFIED), *refers_to]
    return record(fields, _HTTP, b"")


def addresses(look_up: LookUp, id: str, information_id: str) -> bytes:
    """Return the record of a look-up (section 6.4.4): a resource of type text/dns (RFC 4027).

    Its content is as Heritrix writes it: when, then a line for each address. The resolver of the system gives no TTL.
    """
    moment = datetime.fromtimestamp(look_up.moment, UTC).strftime("%Y%m%d%H%M%S")
    kinds = ((each, "AAAA" if ":" in each else "A") for each in look_up.addresses)
    lines = [moment, *(f"{look_up.host}.\tIN\t{kind}\t{each}" for each, kind in kinds)]
    body = "".join(f"{line}\n" for line in lines).encode()
    fields = (
        ("WARC-Date", date(look_up.moment)),
        ("WARC-Warcinfo-ID", information_id),
        *named("resource", f"dns:{look_up.host}", id),
        ("WARC-Payload-Digest", labelled_sha1(body)),
    )
    return record(fields, "text/dns", body)


def conversion(
    url: str, document: bytes, at: float, id: str, response_id: str, information_id: str, content_type: str = DOCUMENT
) -> bytes:
    """Return the record of a document after its scripts, or of a picture of it (section 6.8), made from a response.

    pywb takes every record with a URL for what is there, and would replay this one instead of the response. So it is
    named as Browsertrix names its screenshots: urn:view: before the URL.
    """
    fields = (
        ("WARC-Date", date(at)),
        ("WARC-Warcinfo-ID", information_id),
        ("WARC-Refers-To", response_id),
        *named("conversion", URNS[content_type] + url, id),
        ("WARC-Payload-Digest", labelled_sha1(document)),
    )
    return record(fields, content_type, document)


def information(file: str, at: float, id: str, about: Iterable[tuple[str, str]]) -> bytes:
    """Return the warcinfo record of a file begun `at` this moment; `about`: its fields (section 6.2)."""
    fields = [*named("warcinfo", "", id), ("WARC-Filename", file), ("WARC-Date", date(at))]
    return record(fields, "application/warc-fields", _lines(about))


def labelled_sha1(data: bytes) -> str:
    """Return the digest of a block or payload as the fields of a record have it (section 5.8)."""
    return _labelled(hashlib.sha1(data, usedforsecurity=False).digest())


def date(at: float) -> str:
    fraction, second = math.modf(at)
    microseconds = round(fraction * 1_000_000)
    if not 0 <= microseconds < 1_000_000:  # the moment is in another second
        return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return f"{_to_the_second(second)}.{microseconds:06}Z"


@lru_cache(maxsize=16)  # the answers of a process are of few seconds
def _to_the_second(second: float) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def record(
    fields: Iterable[tuple[str, str]], content_type: str, head: bytes, body: bytes = b"", *, payload: bool = False
) -> bytes:
    """A record whose block is `head` and `body`; `content_type`: "" if it is unknown (section 5.6). `payload`: the body
    has a digest of its own."""
    if _has_fast_sha1():
        return core.native.warc_record((*fields,), content_type, head, body, payload)
    if payload:
        fields = (*fields, ("WARC-Payload-Digest", labelled_sha1(body)))
    block = hashlib.sha1(head, usedforsecurity=False)
    block.update(body)
    digest, length = _labelled(block.digest()), str(len(head) + len(body))
    last = (("WARC-Block-Digest", digest), ("Content-Type", content_type), ("Content-Length", length))
    known = last if content_type else (last[0], last[2])
    return b"".join((b"WARC/1.1\r\n", _lines((*fields, *known)), b"\r\n", head, body, b"\r\n\r\n"))


def _has_fast_sha1() -> bool:
    """Whether the core writes records: it takes a third of the time, by instructions that not every processor has."""
    return core.native is not None and core.native.has_fast_sha1()


def named(kind: str, url: str, id: str) -> Fields:
    identity = ("WARC-Type", kind), ("WARC-Record-ID", id)
    return (*identity, ("WARC-Target-URI", url)) if url else identity


def _http(head: Head) -> bytes:
    if head.raw:
        framed = FRAMING.encode() in head.raw.lower()
        return _FRAMED.sub(rb"\1X-Archive-Orig-\2", head.raw) if framed else head.raw
    headers = [
        (f"X-Archive-Orig-{name}" if name.lower() == FRAMING else _name(name), as_line(value))
        for name, value in head.headers
    ]
    # application/http is HTTP/1.1 (RFC 9112 section 10.2): some readers reject other versions
    version = "HTTP/1.1" if head.version == HTTP_2 else head.version
    return b"".join((f"{version} {head.status} {as_line(head.phrase)}\r\n".encode("ascii"), _lines(headers), b"\r\n"))


def _lines(fields: Iterable[tuple[str, str]]) -> bytes:
    return "".join([f"{name}: {value}\r\n" for name, value in fields]).encode()


def _labelled(digest: bytes) -> str:
    return f"sha1:{_base32(digest)}"


def _base32(data: bytes) -> str:
    return core.native.base32(data) if core.native is not None else base64.b32encode(data).decode()


def _name(text: str) -> str:
    return text if text.replace("-", "").isalnum() and text.isascii() else quote(_bytes(text), safe=TOKEN) or "%"


def as_line(text: str) -> str:
    """Return a header or reason phrase from http.client (latin-1) as one line.

    All characters except tabs and printable ASCII are percent-encoded.
    """
    if text.isascii() and text.isprintable():
        return text
    return quote(_bytes(text), safe=PRINTABLE + "\t")


def _bytes(text: str) -> bytes:
    return text.encode("latin-1", "replace")
