"""The records of a WARC file of gzip members: where each is, what it is about, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from ttcrawl.archives.header import EARLIEST, LATEST, LONGEST, Digest, Header, header_of, moment
from ttcrawl.archives.members import DamagedMemberError, Members
from ttcrawl.store.archive_index import (
    INFORMATION,
    METADATA,
    REQUEST,
    RESOURCE,
    RESPONSE,
    REVISIT,
    Damage,
    Entry,
)

#: Bytes of a block in memory: the head of a response, or the text of a warcinfo record.
BEGINNING = 1 << 16

_HEAD_END = b"\r\n\r\n"

_METHOD = re.compile(rb"([A-Z]{3,20}) ")

#: The page that led to a URL, as Heritrix writes it (WARC 1.1 section 6.5), then its hops; a seed has none.
_VIA, _HOPS = re.compile(rb"^via: ?(\S+)\r?$", re.MULTILINE), re.compile(rb"^hopsFromSeed: ?\w", re.MULTILINE)


def records(path: Path, progress: Callable[[int], None]) -> Iterator[Entry | Damage]:
    """Yield all records in the order of the file, and what is damaged. `progress` is called with the bytes so far.

    A record with damage is only yielded as damage. Raises OSError.
    """
    with open(path, "rb") as file:
        members = Members(file)
        while not members.at_end():
            start = members.position
            try:
                found = _record(members, start)
            except DamagedMemberError as error:
                yield Damage(offset=start, what=f"gzip: {error}")
                members.resume_behind(start)
                continue
            yield found
            progress(members.position)


def _record(members: Members, start: int) -> Entry | Damage:
    """Read a member. Raises DamagedMemberError."""
    pieces = members.pieces()
    data, parsed = b"", None
    for piece in pieces:
        data += piece
        if (parsed := header_of(data)) is not None or len(data) > LONGEST or not b"WARC/".startswith(data[:5]):
            break
    if parsed is None:
        for _ in pieces:
            pass
        return Damage(offset=start, what="no WARC record")
    header, begin = parsed
    block = _Block(header, data[begin:])
    for piece in pieces:
        block.add(piece)
    return _entry(header, block, start, members.position - start)


class _Block:
    """The block of a record as its pieces come: how long it is, its beginning, and its digests."""

    def __init__(self, header: Header, first: bytes) -> None:
        self.length = header.length
        self.seen = 0  # bytes of the member behind the header
        self.beginning = b""
        self._digest = Digest(header.get("warc-block-digest"))
        self._payload: Digest | None = None  # since the head of the response has ended
        if self._digest.expected is None and header.get("warc-type") == RESPONSE and not header.get("warc-truncated"):
            self._payload = Digest(header.get("warc-payload-digest"))
        self._body = -1  # where it begins in the block; -1: unknown yet
        self.add(first)

    def add(self, piece: bytes) -> None:
        left = (self.length or 0) - self.seen
        self.seen += len(piece)
        if left <= 0:
            return
        part = piece if len(piece) <= left else piece[:left]
        self._digest.update(part)
        if len(self.beginning) < BEGINNING:
            self.beginning += part[: BEGINNING - len(self.beginning)]
        if self._payload is not None:
            self._add_payload(part, self.seen - len(piece))

    def _add_payload(self, part: bytes, before: int) -> None:
        """`before`: bytes of the block in front of this part."""
        assert self._payload is not None
        if self._body < 0 and (end := self.beginning.find(_HEAD_END)) >= 0:
            self._body = end + len(_HEAD_END)
        if self._body >= 0:
            self._payload.update(part[max(0, self._body - before) :])

    @property
    def wrong(self) -> bool:
        """Whether a digest is wrong. One of a payload may be of the body with or without its transfer coding."""
        if self._payload is None or self._body < 0 or b"chunked" in self.beginning[: self._body].lower():
            return self._digest.wrong
        return self._digest.wrong or self._payload.wrong


def _entry(header: Header, block: _Block, start: int, length: int) -> Entry | Damage:
    kind, time = header.get("warc-type").lower(), header.time
    if (what := _wrong(header, block, kind, time)) or time is None:
        return Damage(offset=start, what=what)
    return Entry(
        offset=start,
        length=length,
        type=kind,
        id=header.get("warc-record-id"),
        url=header.url,
        time=time,
        size=block.length or 0,
        payload=header.get("warc-payload-digest"),
        refers_id=header.get("warc-refers-to"),
        refers_url=header.get("warc-refers-to-target-uri").strip("<>"),
        refers_time=moment(header.get("warc-refers-to-date")),
        profile=header.get("warc-profile").rpartition("/")[2],
        concurrent=header.get("warc-concurrent-to"),
        resource_type=header.get("warc-resource-type"),
        address=header.get("warc-ip-address"),
        truncated=header.get("warc-truncated"),
        text=_text(kind, block.beginning),
    )


def _text(kind: str, beginning: bytes) -> str:
    """Return what the index keeps of a block: see Entry."""
    if kind == INFORMATION:
        return beginning.decode("utf-8", "replace")
    found = _METHOD.match(beginning) if kind == REQUEST else _via(beginning) if kind == METADATA else None
    return found[1].decode("utf-8", "replace") if found else ""


def _via(beginning: bytes) -> re.Match[bytes] | None:
    via = _VIA.search(beginning)
    return via if via and _HOPS.search(beginning, via.end()) else None


def _wrong(header: Header, block: _Block, kind: str, time: float | None) -> str:
    """Return what is wrong with a record, "" if nothing is."""
    if not kind:
        return "no type"
    if block.length is None:
        return "no length"
    if block.seen < block.length:
        return "shorter than its length"
    if block.seen > block.length + 4:
        return "longer than its length"
    if time is None:
        return "no date"
    if kind in (RESPONSE, REVISIT, RESOURCE) and not EARLIEST <= time < LATEST:
        return "a clock before 1980" if time < EARLIEST else "a clock after 2099"
    return "wrong digest" if block.wrong else ""
