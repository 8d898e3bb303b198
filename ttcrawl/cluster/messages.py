"""What rings and the conductor send to each other: data, decoded by type, so nothing that arrives is executed."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from ttcrawl.frontier.robots_relay import RobotsAnswer
from ttcrawl.output.counters import Snapshot
from ttcrawl.store.rows import UrlPath

#: Largest batch after unpacking, bytes: the limit against a batch that was damaged.
LARGEST = 64 << 20

#: A URL for its owner: the URL, its spelling on the page, the path to it.
Item: TypeAlias = tuple[str, str, UrlPath]

#: Columns of a row, name -> value.
Columns: TypeAlias = dict[str, str | int | float | None]


class Message(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The base of all."""


class Batches(Message, frozen=True, kw_only=True, tag=True):
    """URLs for their owner. They are sent again until they are acknowledged."""

    sender: int  # ring
    incarnation: str  # the crawl directory of the sender: a new disk has a new one, and counts from 1 again
    epoch: int  # of the members that the sender knows
    batches: dict[int, bytes]  # number -> URLs


class Ack(Message, frozen=True, kw_only=True, tag=True):
    """Batches were committed by their receiver."""

    sender: int  # the ring that received them
    incarnation: str  # the directory that sent them
    numbers: tuple[int, ...]


class Born(Message, frozen=True, kw_only=True, tag=True):
    """A ring begins or continues. With a new directory it has lost what others have sent to it."""

    sender: int
    incarnation: str


class Known(Message, frozen=True, kw_only=True, tag=True):
    """The answer: all foreign URLs for that directory were sent to it, or are in an outbox."""

    sender: int
    incarnation: str  # of the question


class Members(Message, frozen=True, kw_only=True, tag=True):
    """The rings of an epoch. The conductor repeats it until the status of each ring has the epoch."""

    epoch: int
    processes: tuple[int, ...]  # all rings that there are
    rings: tuple[int, ...]  # those that own hosts
    before: tuple[int, ...]  # those that owned hosts in the epoch before; (): there was none
    buckets: int
    splits: dict[str, int] = {}  # registrable domain whose hosts are divided among the rings -> since which epoch


class Poll(Message, frozen=True, kw_only=True, tag=True):
    """The conductor asks for the status of a ring, and says which rings share the addresses. See `cluster.presence`."""

    wave: int
    life: str = ""  # of the last status that was heard of this ring, "": none was
    heard: int = 0  # its wave
    term: int = 0
    present: tuple[int, ...] = ()  # the rings that may request anything in this term


class UrlCount(msgspec.Struct, frozen=True, kw_only=True):
    """URLs of a ring that are, or were, queued."""

    urls: int
    domains: dict[str, int]  # registrable domains with a large share of them, on several hosts -> their number


class Status(Message, frozen=True, kw_only=True, tag=True):
    """The status of a ring. Between two with equal `life` and `activity` it has sent and received nothing new."""

    ring: int
    wave: int  # of the question
    idle: bool  # nothing is queued, in flight, unacknowledged or uncommitted
    life: str  # directory and process
    activity: int  # batches posted and received
    epoch: int  # of the members: the last one whose adoptions are complete
    term: int = 0  # of its leases
    fetched: int  # what [crawl] max_pages limits
    bytes: int
    count: UrlCount | None = None  # None: many are not counted, or hosts move


class Finish(Message, frozen=True, kw_only=True, tag=True):
    """The crawl of the whole cluster has ended."""


class Stop(Message, frozen=True, kw_only=True, tag=True):
    """Stop with work left."""

    why: str


class Hello(Message, frozen=True, kw_only=True, tag=True):
    """A ring begins, or a term does: it does not know which of its IP addresses are lent. A new life holds none."""

    sender: int
    term: int
    life: int


class Welcome(Message, frozen=True, kw_only=True, tag=True):
    """The answer to it."""

    sender: int
    term: int
    sender_life: int
    life: int  # of the Hello
    leases: dict[str, int]  # addresses that the receiver lends in this term -> serial of the grant


class Want(Message, frozen=True, kw_only=True, tag=True):
    """A ring asks for an address."""

    sender: int
    term: int
    life: int
    address: str


class Grant(Message, frozen=True, kw_only=True, tag=True):
    """A lender lends an address."""

    sender: int
    term: int
    life: int
    holder_life: int  # of the Want
    address: str
    serial: int
    age: float  # seconds since the last request there ended


class Revoke(Message, frozen=True, kw_only=True, tag=True):
    """The lender wants an address back."""

    sender: int
    term: int
    address: str
    serial: int


class Return(Message, frozen=True, kw_only=True, tag=True):
    """A ring returns an address."""

    sender: int
    term: int
    address: str
    serial: int
    age: float  # seconds since its last request there ended


Lease: TypeAlias = Hello | Welcome | Want | Grant | Revoke | Return


class KeeperBegins(Message, frozen=True, kw_only=True, tag=True):
    """A ring begins to keep the clocks of its hosts for browsers: it does not know who has which. See `HostKeeper`."""

    sender: int
    serial: int


class HostsTaken(Message, frozen=True, kw_only=True, tag=True):
    """The answer: all hosts that the browsers of the sender have."""

    sender: int
    serial: int  # of the question
    hosts: dict[str, int]  # host -> number of the take


class TakeHost(Message, frozen=True, kw_only=True, tag=True):
    """A browser wants a host."""

    sender: int
    host: str
    number: int  # of no other take of any process of the sender
    delay: float  # seconds from a visit that is unknown to the next one


class HostAnswer(Message, frozen=True, kw_only=True, tag=True):
    """The answer, and a question: who does not have the host under this number gives it back."""

    sender: int
    host: str
    number: int
    wait: float  # seconds until it can be taken; 0: it is


class GiveHost(Message, frozen=True, kw_only=True, tag=True):
    """A host is given back."""

    sender: int
    host: str
    number: int
    wait: float | None  # seconds until it may be taken again; None: that is not known any more, so its delay


HostMessage: TypeAlias = KeeperBegins | HostsTaken | TakeHost | HostAnswer | GiveHost


class RobotsWanted(Message, frozen=True, kw_only=True, tag=True):
    """A robots.txt redirects to a host of the receiver, which requests it: the clock of the host is there."""

    sender: int
    asker: str  # the host whose robots.txt it is
    url: str
    source: str  # the URL that redirects


class RobotsFound(Message, frozen=True, kw_only=True, tag=True):
    """What came of it."""

    asker: str
    url: str  # of the question
    answer: RobotsAnswer


class Recall(Message, frozen=True, kw_only=True, tag=True):
    """What became of pages that are held back ([topic] held_back), as far as a ring knows. Positions in their list."""

    found: tuple[int, ...]
    excluded: tuple[int, ...]


class HeldBack(Message, frozen=True, kw_only=True, tag=True):
    """A page that is held back redirects to a host of the receiver."""

    page: int
    url: str


class Look(Message, frozen=True, kw_only=True, tag=True):
    """What a ring is doing, for those who watch."""

    snapshot: Snapshot


class Ended(Message, frozen=True, kw_only=True, tag=True):
    """The process of a ring ends, in order."""

    failed: bool
    why: str  # "done", a limit, "interrupted", or the error
    nothing: str = ""  # why it has fetched no page in all its runs; "": it has


class Said(Message, frozen=True, kw_only=True, tag=True):
    """What the process of a ring has written for the user: any part of lines."""

    text: bytes


class Renewed(Message, frozen=True, kw_only=True, tag=True):
    """The engine names the machine of a ring among those that live; from the actor that holds it."""

    asked: float  # when the engine was asked, time.monotonic() of this machine


AnyMessage: TypeAlias = (
    Batches
    | Ack
    | Born
    | Known
    | Members
    | Poll
    | Status
    | Finish
    | Stop
    | Lease
    | HostMessage
    | RobotsWanted
    | RobotsFound
    | Recall
    | HeldBack
    | Look
    | Ended
    | Said
    | Renewed
)


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A message and its receiver."""

    to: int  # ring
    message: AnyMessage


def posted(letters: Sequence[Letter]) -> bytes:
    """Return letters as bytes."""
    return msgspec.msgpack.encode(letters)


def letters_of(data: bytes) -> list[Letter]:
    """Return the letters in bytes. Raises ValueError if they are not of this version of ttcrawl."""
    return msgspec.msgpack.decode(data, type=list[Letter])


class HostState(msgspec.Struct, frozen=True, kw_only=True):
    """A host that goes to another ring: the columns of its row in table `site`, moments as seconds from now."""

    host: str
    columns: Columns


class AdoptedUrl(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A URL of such a host."""

    url: str
    path: UrlPath
    holder: int  # the ring that has processed it; 0: it is queued


class Adoption(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a batch by which hosts go to their new owner."""

    epoch: int
    number: int = 0  # of the last one from this ring to that one in this epoch, counted from 1 on; 0: not the last one
    hosts: list[HostState] = []
    urls: list[AdoptedUrl] = []


def packed(items: Sequence[Item] | Adoption) -> bytes:
    """Return the contents of a batch as bytes."""
    return zlib.compress(msgspec.msgpack.encode(items), 3)


def unpacked(data: bytes) -> list[Item] | Adoption:
    """Return the contents of a batch. Raises ValueError if it is damaged or too large."""
    try:
        plain = zlib.decompressobj()
        text = plain.decompress(data, LARGEST)
    except zlib.error as error:
        raise ValueError(f"a damaged batch: {error}") from error
    if not plain.eof:
        raise ValueError("a batch that is too large or not complete")
    return msgspec.msgpack.decode(text, type=list[Item] | Adoption)
