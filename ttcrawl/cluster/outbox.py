"""Batches for other rings that are stored and not acknowledged: which of them are sent now, and together.

A batch is stored with the pages that lead to its URLs, so most have one or two. A message has a price of its own,
whatever is in it, so batches wait for others: at most GATHER seconds after the last message to the same ring, and not
at all if the crawl has nothing else to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

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
    sent: dict[int, int] = field(default_factory=dict)
    moments: dict[int, float] = field(default_factory=dict)  # when they were sent last
    last: float = float("-inf")  # when the last message left with batches that had waited


class Outbox:
    """What is to be sent, by ring and number. The batches themselves are in the database."""

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}

    def __bool__(self) -> bool:
        return any(line.waiting or line.sent for line in self._lines.values())

    def add(self, ring: int, number: int, size: int) -> None:
        """Take a batch of `size` bytes that is stored."""
        self._lines.setdefault(ring, _Line()).waiting[number] = size

    def acknowledged(self, ring: int, number: int) -> bool:
        """Forget a batch that was received; return whether it was here."""
        line = self._lines.get(ring)
        if line is None:
            return False
        line.moments.pop(number, None)
        return line.sent.pop(number, None) is not None or line.waiting.pop(number, None) is not None

    def due(self, now: float, *, at_once: bool) -> Iterator[tuple[int, list[int]]]:
        """Yield the ring and the batches of each message that leaves now. `at_once`: nothing waits for others."""
        for ring, line in self._lines.items():
            again = [number for number, moment in line.moments.items() if now - moment >= AGAIN]
            yield from ((ring, message) for message in _messages(again, line.sent, WINDOW))
            line.moments.update(dict.fromkeys(again, now))
            if not line.waiting:
                continue
            if at_once or now - line.last >= GATHER or sum(line.waiting.values()) >= ENOUGH:
                for message in _messages(list(line.waiting), line.waiting, WINDOW - sum(line.sent.values())):
                    for number in message:
                        line.sent[number], line.moments[number] = line.waiting.pop(number), now
                    line.last = now
                    yield ring, message


def _messages(numbers: list[int], sizes: dict[int, int], room: int) -> Iterator[list[int]]:
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
