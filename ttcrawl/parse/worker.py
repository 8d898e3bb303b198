"""A parse process: takes an answer out of its slot, reads and archives it, sends the outcome."""

from __future__ import annotations

import os
import pickle
import socket
from pathlib import Path

from ttcrawl.channel import Channel, live_and_die_with_the_crawl
from ttcrawl.config import Config
from ttcrawl.messages import Broken, Fetched, Head, Outcome, Parse, Ready, Request
from ttcrawl.parse.read import Reader
from ttcrawl.scope import Scope
from ttcrawl.slots import Slots
from ttcrawl.store.warc import Position


def parse(reader: Reader, request: Request, fetched: Fetched, slots: Slots) -> Outcome | Broken:
    """One answer, one outcome; the memory of its slot is free afterwards."""
    slot = slots.slot(request.slot)
    head: Head = pickle.loads(slot[: fetched.head_size])
    end = fetched.head_size + fetched.body_size
    body = bytes(slot[fetched.head_size : end])
    try:
        return reader.read(request, fetched, head, body)
    except OSError as error:
        return Broken(what=f"cannot write the archive: {error.strerror}")


def main(
    connection: socket.socket, slots: Slots, config: Config, scope: Scope, archive: Path, position: Position
) -> None:
    """The life of a parse process: it ends when the crawl process closes the connection."""
    live_and_die_with_the_crawl()
    channel = Channel(connection)
    try:
        reader = Reader(config, scope, archive, position)
    except OSError as error:
        channel.send(Broken(what=f"cannot write {archive}: {error.strerror}"))
        os._exit(1)
    channel.send(Ready())
    try:
        while True:
            work: Parse = channel.receive()
            channel.send(parse(reader, work.request, work.fetched, slots))
    except (EOFError, OSError):
        os._exit(0)  # the crawl process is gone
