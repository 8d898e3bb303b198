"""Batches for other rings that are stored and not acknowledged: which of them are sent now, and together.

A batch is stored with the pages that lead to its URLs, so most have one or two. A message has a price of its own,
whatever is in it, so batches wait for others: at most GATHER seconds after the last message to the same ring, and not
at all if the crawl has nothing else to do.

A ring that is down for long has a million batches waiting: no turn may look at all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

#: Bytes of a message that wait for no others, and seconds from one message to the next that has fewer.
ENOUGH, GATHER = 50_000, 10.0

#: Seconds until a batch without an acknowledgement is sent again.
AGAIN = 3.0

#: Bytes under way to one ring: a ring that is down gets no flood when it is back.
WINDOW = 1 << 20


@dataclass(slots=True)
class _Line:
    """The batches for one ring: number -> bytes."""

    waiting: dict[int, int] = field(default_factory=dict)  # never sent by this process
    waiting_size: int = 0  # bytes
    sent: dict[int, int] = field(default_factory=dict)
    sent_size: int = 0  # bytes
    moments: dict[int, float] = field(default_factory=dict)  # when they were sent last, in this order
    last: float = float("-inf")  # when the last message left with batches that had waited

    def again(self, now: float) -> list[int]:
        """Return the batches that are sent once more."""
        numbers = list(takewhile(lambda number: now - self.moments[number] >= AGAIN, self.moments))
        for number in numbers:
            del self.moments[number]
            self.moments[number] = now
        return numbers

    def send(self, message: Iterable[int], now: float) -> None:
        """Note that batches that have waited leave together."""
        for number in message:
            size = self.sent[number] = self.waiting.pop(number)
            self.moments[number] = self.last = now
            self.waiting_size -= size
            self.sent_size += size


class Outbox:
    """What is to be sent, by ring and number. The batches themselves are in the database."""

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}

    def __bool__(self) -> bool:
        return any(line.waiting or line.sent for line in self._lines.values())

    def add(self, ring: int, number: int, size: int) -> None:
        """Take a batch of `size` bytes that is stored."""
        line = self._lines.setdefault(ring, _Line())
        line.waiting[number] = size
        line.waiting_size += size

    def acknowledged(self, ring: int, number: int) -> bool:
        """Forget a batch that was received; return whether it was here."""
        line = self._lines.get(ring, _Line())
        if (size := line.sent.pop(number, None)) is not None:
            del line.moments[number]
            line.sent_size -= size
        elif (size := line.waiting.pop(number, None)) is not None:  # sent by an earlier process
            line.waiting_size -= size
        return size is not None

    def due(self, now: float, *, at_once: bool) -> Iterator[tuple[int, list[int]]]:
        """Yield the ring and the batches of each message that leaves now. `at_once`: nothing waits for others."""
        for ring, line in self._lines.items():
            yield from ((ring, message) for message in _messages(line.again(now), line.sent, WINDOW))
            if at_once or now - line.last >= GATHER or line.waiting_size >= ENOUGH:
                for message in list(_messages(line.waiting, line.waiting, WINDOW - line.sent_size)):
                    line.send(message, now)
                    yield ring, message


def _messages(numbers: Iterable[int], sizes: Mapping[int, int], room: int) -> Iterator[list[int]]:
    """Yield the batches of one message after the other, as long as there is room."""
    message, size = list[int](), 0
    for number in numbers:
        if room <= 0:
            break
        message.append(number)
        size += sizes[number]
        room -= sizes[number]
        if size >= ENOUGH:
            yield message
            message, size = [], 0
    if message:
        yield message
