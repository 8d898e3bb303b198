"""The records of answers over FTP (WARC 1.1 section 6.4): a file or a listing is a resource, any other reply metadata.

A resource has no head, so two named fields keep what is needed to read it again: FTP-Reply, the last reply, and
Last-Modified. The other fields, and the type of metadata, are those that Heritrix writes.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from ttcrawl.ring.messages import FTP, Head, IdenticalBody
from ttcrawl.store.warc_records import Fields, as_line, identical_to, labelled_sha1, named, record
from ttcrawl.web.ftp.replies import status

#: Replies, as text.
CONVERSATION = "text/x-ftp-control-conversation"

#: In every record of an answer over FTP, and in no other.
REPLY = "FTP-Reply"
MODIFIED = "Last-Modified"


def answer(
    url: str, head: Head, body: bytes, about: Fields, id: str, truncated: str, identical: IdenticalBody | None
) -> bytes:
    """Return the record of an answer over FTP. Parameters are as in `ttcrawl.store.warc_records`."""
    headers = dict(head.headers)
    reply = as_line(head.phrase)
    ftp_fields = [(REPLY, reply), *((MODIFIED, headers[MODIFIED]) for _ in range(MODIFIED in headers))]
    content_type = headers.get("Content-Type", "")
    if identical is not None:
        return record((*about, *identical_to(url, body, id, identical), *ftp_fields), content_type, b"")
    if not 200 <= head.status < 300:
        return record((*about, *named("metadata", url, id), *ftp_fields), CONVERSATION, f"{reply}\r\n".encode())
    cut = [("WARC-Truncated", truncated)] if truncated else []
    fields = (*about, *cut, *named("resource", url, id), ("WARC-Payload-Digest", labelled_sha1(body)), *ftp_fields)
    return record(fields, content_type, body)


def read(field: Callable[[str], str | None], block: bytes) -> tuple[Head, bytes] | None:
    """Return head (without the address) and body of an answer over FTP; None: it is another record.

    `field`: returns the value of a field, whose name is in lower case. Raises ValueError if the reply is none.
    """
    if not (reply := field(REPLY.lower())):
        return None
    code = int(reply[:3])
    if field("warc-type") != "metadata":
        headers = tuple((name, value) for name in ("Content-Type", MODIFIED) if (value := field(name.lower())))
        return Head(status=HTTPStatus.OK, phrase=reply, version=FTP, headers=headers, address=""), block
    if code >= 400:
        return Head(status=status(code, reply), phrase=reply, version=FTP, headers=(), address=""), b""
    location = f"{field('warc-target-uri')}/"  # the only redirect: from a directory without its slash
    moved = HTTPStatus.MOVED_PERMANENTLY
    return Head(status=moved, phrase=reply, version=FTP, headers=(("Location", location),), address=""), b""
