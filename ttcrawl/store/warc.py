"""The archive: every answer as a record of ISO 28500 (WARC 1.1), each in a gzip member of its own.

If the body is in the archive already, the answer becomes a revisit record (section 6.7): its head, and the position of
the body. So does a 304 to a conditional request, without its head. Any other answer becomes a response record. The
request is a record in front of it, so the end of an answer is also the end of what belongs to it.

isal compresses the records (a tenth of zlib's time), warcio reads them. Each parse process has its own series of files
(`ttcrawl.ring.position`), so no process waits for another.
"""

from __future__ import annotations

import fcntl
import io
import os
import re
import time
import zlib
from pathlib import Path
from typing import BinaryIO

from isal import isal_zlib

from ttcrawl.ring.messages import FTP, Archived, Fetched, Head, IdenticalBody, LookUp
from ttcrawl.ring.position import Position
from ttcrawl.ring.rendering import Rendering, Resource
from ttcrawl.store.ftp_records import answer as ftp_answer
from ttcrawl.store.private import mode_of_new
from ttcrawl.store.regular import is_regular, open_regular
from ttcrawl.store.warc_records import (
    DOCUMENT,
    Fields,
    addresses,
    conversion,
    date,
    exchange,
    information,
    new_id,
    not_modified,
    request,
    response,
    revisit,
)
from ttcrawl.vocabulary.reason import BODY_RETRIED, TIMEOUT_READ, TIMEOUT_TOTAL

#: isal's level 2: 1.5 µs/KB at a ratio of 0.19; zlib's level 6: 12 µs/KB at 0.16.
LEVEL = 2
#: The format of zlib's `wbits`: a gzip member with a window of 32 KB.
GZIP = 31

#: Answers whose records are remembered, so that pages that share them do not write them again.
SHARED = 10_000

#: The field of a file's first record that names the run that made it (section 6.2: the terms of Dublin Core), and the
#: bytes within which it is found.
RUN = "isPartOf"
INFORMATION = 4096
ID = re.compile(rb"\r\nWARC-Record-ID: (\S+)\r\n")


class Archive:
    """One series of WARC files, written by one process. `daily`: a file ends at midnight (UTC), too."""

    def __init__(self, directory: Path, position: Position, max_size: int, *, daily: bool = False) -> None:
        self._directory = directory
        self._max_size, self._daily = max_size, daily
        # of the last answer with a rendering: the answers to its scripts, its document, and its pictures
        self.resources: tuple[Archived, ...] = ()
        self._shared: dict[tuple[str, float], Archived] = {}  # URL and moment of an answer -> its record
        self._open(position)

    def append(
        self,
        url: str,
        head: Head,
        body: bytes,
        at: float,
        *,
        truncated: str = "",
        identical: IdenticalBody | None = None,
        look_up: LookUp | None = None,
        rendering: Rendering | None = None,
    ) -> Archived:
        """Write the records of one answer; `at` is when it was requested, in seconds since the epoch.

        The position of the answer is where its response or revisit record stands.

        `truncated`: why the body is incomplete, as in WARC-Truncated; "": it is complete. `identical`: an earlier page
        with the same body. `look_up`: of its host, to be written too. `rendering`: what a browser made of it, in
        records before it.
        """
        self._continue(at)
        about, id = exchange(head, at, self._information_id), new_id()
        before = self._before(url, head, about, id, look_up, rendering)
        if head.version == FTP:
            return self._write(before, _member(ftp_answer(url, head, body, about, id, truncated, identical)))
        if identical is not None:
            return self._write(before, _member(revisit(url, head, body, about, id, identical)))
        return self._write(before, _member(response(url, head, body, about, id, truncated)))

    def append_not_modified(
        self, url: str, head: Head, at: float, refers_to: Fields, look_up: LookUp | None = None
    ) -> Archived:
        """Write the records of a 304 to a conditional request; `refers_to`: as in `not_modified`."""
        self._continue(at)
        about, id = exchange(head, at, self._information_id), new_id()
        before = self._before(url, head, about, id, look_up, None)
        return self._write(before, _member(not_modified(url, about, id, refers_to)))

    def _before(
        self, url: str, head: Head, about: Fields, id: str, look_up: LookUp | None, rendering: Rendering | None
    ) -> bytes:
        """Return the records before the one of an answer, which has this id."""
        before = _member(addresses(look_up, new_id(), self._information_id)) if look_up else b""
        before += self._rendered(url, rendering, id, len(before)) if rendering else b""
        return before + (_member(request(url, head.request, about, new_id(), id)) if head.request else b"")

    def _continue(self, at: float) -> None:
        """Begin a new file if an answer of this moment needs one."""
        if next_position := self._next(at):
            self._file.close()
            self._open(next_position)

    def _next(self, at: float) -> Position | None:
        """Return where a new file begins before this answer; None: it goes into the file that is open."""
        if self._daily and (next_day := self._position.next_day(at)):
            return next_day
        return self._position.next_file() if self._end >= self._max_size else None

    def _rendered(self, url: str, rendering: Rendering, response_id: str, before: int) -> bytes:
        """Return the records of a page's requests, and of its document and pictures, which refer to its response.

        They will be written `before` bytes behind the end of the file; `resources` says where.
        """
        members, resources, end = list[bytes](), list[Archived](), self._end + before

        def add(record: bytes) -> Archived:
            nonlocal end
            members.append(_member(record))
            end += len(members[-1])
            return Archived(file=self._name, offset=end - len(members[-1]), length=len(members[-1]))

        for each in rendering.resources:
            if (known := self._shared.get((each.url, each.started))) is not None:
                resources.append(known)
                continue
            about, id, request_id = exchange(each.head, each.started, self._information_id), new_id(), new_id()
            if each.head.request:
                add(request(each.url, each.head.request, about, request_id, id))
            if each.head.request.startswith(b"POST "):
                about = (*about, ("WARC-Concurrent-To", request_id))  # so pywb knows what was asked
            resources.append(add(_resource(each, about, id)))
            if each.shared:
                self._remember(each, resources[-1])
        converted = [(DOCUMENT, rendering.dom), *((picture.type, picture.data) for picture in rendering.pictures)]
        for content_type, data in converted:
            moment, information_id = rendering.moment, self._information_id
            resources.append(add(conversion(url, data, moment, new_id(), response_id, information_id, content_type)))
        self.resources = tuple(resources)
        return b"".join(members)

    def _remember(self, resource: Resource, where: Archived) -> None:
        """Remember the record of an answer that other pages come with, for the latest SHARED of them."""
        if len(self._shared) == SHARED:
            del self._shared[next(iter(self._shared))]
        self._shared[resource.url, resource.started] = where

    def _open(self, position: Position) -> None:
        while (file := self._opened(position)) is None:
            position = position.next_file()
        self._position = position
        self._file = file
        self._name = position.file
        self._file.truncate(position.end)
        self._file.seek(position.end)
        self._end = position.end  # to ask the system for it takes longer
        if position.end == 0:
            self._information_id = new_id()
            about = [(RUN, position.run.id), *position.run.information]
            self._write(b"", _member(information(position.file, time.time(), self._information_id, about)))
        else:
            self._information_id = _first_id(self._file)

    def _opened(self, position: Position) -> BinaryIO | None:
        """Return the file of a position; None: it must be a new file, and a foreign file has its name."""
        path, begun = self._directory / position.file, position.end > 0
        try:
            mode = mode_of_new(self._directory.parent)
            number = open_regular(path, os.O_RDWR if begun else os.O_RDWR | os.O_CREAT, mode)
        except OSError:
            if begun or not os.path.lexists(path) or is_regular(path):
                raise
            return None
        file = open(number, "r+b", buffering=0)  # noqa: SIM115
        # a parse process that outlived its killed crawl process may still be writing: it has the lock until it ends
        fcntl.flock(file, fcntl.LOCK_EX)
        if begun or made_by(file, position.file, position.run.id):  # by an earlier process that died
            return file
        file.close()
        return None

    def _write(self, before: bytes, member: bytes) -> Archived:
        """Write two members at once; return the position of the second."""
        start, data = self._end, before + member
        try:
            self._end += self._file.write(data)
            while (written := self._end - start) < len(data):  # a full disk takes a part first and raises then
                self._end += self._file.write(data[written:])
        except OSError as error:
            error.filename = str(self._directory / self._name)
            raise
        archived: Archived = Archived.sound(file=self._name, offset=start + len(before), length=len(member))
        return archived

    def close(self) -> None:
        self._file.close()


def truncated(fetched: Fetched) -> str:
    """Return why a body is incomplete, or may be, in the words of the field WARC-Truncated; "" if it is complete."""
    if fetched.refused or fetched.method != "GET":
        return "length"
    if not fetched.incomplete:
        return "disconnect" if fetched.unclosed else ""
    if fetched.incomplete in (TIMEOUT_READ, TIMEOUT_TOTAL):
        return "time"
    return "disconnect" if fetched.incomplete in BODY_RETRIED else "unspecified"


def _resource(each: Resource, about: Fields, id: str) -> bytes:
    if not each.confirms:
        return response(each.url, each.head, each.body, about, id, each.truncated)
    refers_to = (("WARC-Refers-To-Target-URI", each.url), ("WARC-Refers-To-Date", date(each.confirms)))
    return not_modified(each.url, about, id, refers_to)


def _member(record: bytes) -> bytes:
    member: bytes = isal_zlib.compress(record, LEVEL, GZIP)
    return member


def _first_id(file: BinaryIO) -> str:
    """Return the id of the first record of a file that this run has begun; "": it cannot be read."""
    try:
        match = ID.search(_beginning(file))
    except zlib.error:
        return ""
    return match[1].decode() if match else ""


def _beginning(file: BinaryIO) -> bytes:
    """Return the beginning of the first record. Raises zlib.error."""
    return zlib.decompressobj(GZIP).decompress(os.pread(file.fileno(), INFORMATION, 0))


def made_by(file: BinaryIO, name: str, run: str) -> bool:
    """Whether a WARC file was begun under this name in this run, by its first record; also True for an empty file."""
    try:
        text = _beginning(file)
    except zlib.error:
        return False
    additions = (f"\r\nWARC-Filename: {name}\r\n", f"\r\n{RUN}: {run}\r\n")
    return os.fstat(file.fileno()).st_size == 0 or (bool(run) and all(line.encode() in text for line in additions))


def read(directory: Path, archived: Archived) -> bytes:
    """Return the body of an archived answer, byte for byte as the server sent it (still in its content coding)."""
    from warcio.archiveiterator import ArchiveIterator  # parse processes write archives, and need it not

    with open(directory / archived.file, "rb") as file:
        file.seek(archived.offset)
        record = next(ArchiveIterator(io.BytesIO(file.read(archived.length)), no_record_parse=False))
        body: bytes = record.raw_stream.read()
        return body
