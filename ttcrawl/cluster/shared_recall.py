"""How many of the held-back pages all rings have found: [topic] target_recall of the whole.

Each ring tells one of them, the one with the smallest number, what became of its pages. That one stops when the target
is reached, and the conductor stops the others. A message that is lost is followed by the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ttcrawl.cluster.messages import AnyMessage, HeldBack, Recall
from ttcrawl.engine.topic.recall import TargetRecall
from ttcrawl.ring.clock import Clock

#: Seconds after which the same is told again.
AGAIN = 10.0


class SharedRecall:
    """`recall`: of this ring; None: it limits nothing. `ring_of(url)`: its owner."""

    def __init__(
        self,
        recall: TargetRecall | None,
        send: Callable[[int, AnyMessage], None],
        ring_of: Callable[[str], int],
        clock: Clock,
    ) -> None:
        self._recall, self._send = recall, send
        self._ring_of, self._clock = ring_of, clock
        self._sent = (-1, -1)  # numbers of pages
        self._sent_at = float("-inf")

    def receive(self, message: Recall | HeldBack) -> None:
        """Take what another ring tells."""
        if self._recall is None:
            return
        if isinstance(message, Recall):
            self._recall.hear(message.found, message.excluded)
        else:
            self._recall.look_for(message.page, message.url)

    def turn(self, ring: int, rings: Sequence[int]) -> None:
        """Tell what is new, and now and then what is not. `ring`: this one, of these."""
        if self._recall is None:
            return
        found, excluded = self._recall.found, self._recall.excluded
        now, numbers = self._clock(), (len(found), len(excluded))
        if numbers == self._sent and now - self._sent_at < AGAIN:
            return
        self._sent, self._sent_at = numbers, now
        if ring != min(rings):
            self._send(min(rings), Recall(found=tuple(found), excluded=tuple(excluded)))
        for page, url in list(self._recall.redirected()):
            if (owner := self._ring_of(url)) != ring:
                self._send(owner, HeldBack(page=page, url=url))
