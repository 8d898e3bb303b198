"""A parse process: takes a response from its slot or from the archive, parses it, archives it, sends the outcome."""

from __future__ import annotations

import os
import socket
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import xxhash

from ttcrawl.config import NO_LINES, Config
from ttcrawl.parse.compared import Comparer
from ttcrawl.parse.extract.document import document_of
from ttcrawl.parse.failure import failed, unreadable
from ttcrawl.parse.hooks.call import CalledHooks
from ttcrawl.parse.hooks.load import HookError
from ttcrawl.parse.memory import FreeMemory
from ttcrawl.parse.read import Reader
from ttcrawl.parse.recall import Recaller
from ttcrawl.ring.channel import Channel, live_and_die_with_the_crawl
from ttcrawl.ring.garbage import rarely_collect
from ttcrawl.ring.limits import limit_memory
from ttcrawl.ring.messages import (
    HEAD_ROOM,
    HEADS,
    WORK,
    Broken,
    Converting,
    Ended,
    Extract,
    Extracted,
    Failed,
    Fetched,
    Head,
    Outcome,
    Page,
    Parse,
    Read,
    ReadPage,
    Ready,
    Recall,
)
from ttcrawl.ring.position import Position
from ttcrawl.ring.rendering import RENDERINGS
from ttcrawl.ring.slots import Slots
from ttcrawl.store.archived import DamagedRecordError, response
from ttcrawl.vocabulary.reason import TOO_LARGE
from ttcrawl.web import storable
from ttcrawl.web.scope import Scope

if TYPE_CHECKING:
    from ttcrawl.parse.extract.extractor import Extractors


def parse(reader: Reader, comparer: Comparer, work: Parse, slots: Slots) -> Outcome | Broken:
    """One response, one outcome, for any content."""
    request, fetched = work.request, work.fetched
    slot = slots.slot(request.slot)
    try:
        head = HEADS.decode(slot[: fetched.head_size])
        body = bytes(slot[HEAD_ROOM : HEAD_ROOM + fetched.body_size])
        end = HEAD_ROOM + fetched.body_size
        rendering = RENDERINGS.decode(slot[end : end + fetched.rendered]) if fetched.rendered else None
        outcome = reader.read(
            request, fetched, head, body, work.identical, without_hooks=work.without_hooks, rendering=rendering
        )
        if request.before is not None and rendering is None and isinstance(outcome, Page):
            return comparer.compared(outcome, request, request.before, head, body)
        return outcome
    except OSError as error:
        return Broken(message=f"cannot write {error.filename or 'the archive'}: {error.strerror or error}")
    except Exception as error:
        return failed(request.token, error)


def read_archived(reader: Reader, work: Read, archive: Path) -> ReadPage | Failed | Broken:
    """The second stage of a page: one archived response, one outcome, for any content."""
    token = work.request.token
    try:
        head, body, fetched = _response(work, archive)
        page = reader.read_archived(work.request, fetched, head, body)
    except OSError as error:
        return unreadable(archive, error)
    except Exception as error:
        return failed(token, error)
    return ReadPage(
        token=token,
        title=page.facts.title,
        parse_error=page.facts.parse_error,
        kinds=page.outlinks.kinds,
        landmarks=page.outlinks.landmarks,
        anchors=page.outlinks.anchors,
        reading=page.reading,
        uses_page_url=page.uses_page_url,
        reader=page.reader,
    )


def extract(reader: Reader, extractors: Extractors, work: Extract, archive: Path) -> Extracted | Failed | Broken:
    """The items of an archived page, for any content."""
    read = work.read
    try:
        head, body, fetched = _response(read, archive)
        document = document_of(archive, work)
        page = reader.hook_page(read.request, fetched, head, body, document)
        return Extracted(token=read.request.token, items=extractors.extract(page, work.wanted))
    except OSError as error:
        return unreadable(archive, error)
    except Exception as error:
        return failed(read.request.token, error)


def _response(work: Read, archive: Path) -> tuple[Head, bytes, Fetched]:
    """Return the head and the body of a response, and how it was fetched. Raises OSError, and DamagedRecordError."""
    own = response(archive, work.head)
    holder = own if work.payload is None else response(archive, work.payload)
    if own.url != work.request.url or xxhash.xxh3_128_digest(holder.body) != work.fetched.digest:
        raise DamagedRecordError("another response")
    # a body that was cut for any reason is read in the same way
    cut = holder.truncated
    return own.head, holder.body, storable.replace(work.fetched, refused=TOO_LARGE) if cut else work.fetched


def _extractors(hooks: CalledHooks, config: Config) -> Extractors:
    """Raises HookError."""
    from ttcrawl.parse.extract.extractor import Extractors  # no process of a crawl extracts items

    return Extractors(hooks, config.hooks.extractors)


def main(
    connection: socket.socket, slots: Slots, config: Config, scope: Scope, archive: Path, position: Position | None
) -> None:
    """Main loop of a parse process. It ends when the crawl process closes the connection."""
    live_and_die_with_the_crawl()
    channel = Channel(connection, WORK)
    slots.map()
    os.register_at_fork(after_in_child=connection.close)  # a process that a hook forks must not keep it open
    try:
        extracted = NO_LINES if position else config.hooks.extract  # a crawl leaves it to a process beside it
        hooks = CalledHooks(replace(config.hooks, outcome="", extract=extracted), limited=True)
        extractors = _extractors(hooks, config) if extracted else None
        reader = Reader(config, scope, archive, position, lambda token: channel.send(Converting(token=token)), hooks)
    except OSError as error:
        channel.send(Broken(message=f"cannot write {archive}: {error.strerror}"))
        os._exit(1)
    except HookError as error:  # it has changed since the crawl tried it
        channel.send(Broken(message=str(error)))
        os._exit(1)
    comparer, recaller = Comparer(config, archive), Recaller(reader, config, archive)
    limit_memory(config.links.max_memory)
    rarely_collect()
    memory = FreeMemory()
    channel.send(Ready())
    try:
        while True:
            work: Parse | Read | Extract | Recall = channel.receive()
            begun = time.monotonic()
            if isinstance(work, Extract):
                assert extractors is not None
                channel.send(extract(reader, extractors, work, archive))
            elif isinstance(work, Read):
                channel.send(read_archived(reader, work, archive))
            elif isinstance(work, Recall):
                channel.send(recaller.recalled(work))
            else:
                channel.send(parse(reader, comparer, work, slots))
            memory.release(time.monotonic() - begun)
            if hooks.exhausted:
                channel.send(Ended(message="a hook used more than [links] max_memory"))
                os._exit(1)
    except (EOFError, OSError):
        os._exit(0)  # the crawl process has ended
