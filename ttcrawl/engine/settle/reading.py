"""What was fetched on its way to be read: of equal bytes, one answer at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ttcrawl.ring.messages import Fetched, IdenticalBody


class Reading:
    """Lets answers be read. One whose bytes are being read at this moment waits until it is known what came of that:
    then it has an original, or, should the other one have come to nothing, it is read itself.

    What waits is in flight, in a slot of its own; what it waits for is with a parse process, and none takes for ever.
    `find` looks for a page with the same body, `read` lets a response be read. Without `exact` nothing is looked for,
    and nothing waits.
    """

    def __init__(
        self,
        find: Callable[[Fetched], IdenticalBody | None],
        read: Callable[[int, IdenticalBody | None], None],
        *,
        exact: bool,
    ) -> None:
        self._exact = exact
        self._find = find
        self._read = read
        self._first: dict[int, bytes] = {}  # token of what is being read, the first with its body -> its digest
        self._behind: dict[bytes, deque[Fetched]] = {}  # digest of it -> those that wait

    def came(self, fetched: Fetched) -> None:
        """An answer is there."""
        if not (fetched.digest and self._exact):
            self._read(fetched.token, None)
            return
        waiting = self._behind.get(fetched.digest)
        if waiting is not None:
            waiting.append(fetched)
            return
        identical = self._find(fetched)
        if identical is None:
            self._first[fetched.token] = fetched.digest
            self._behind[fetched.digest] = deque()
        self._read(fetched.token, identical)

    def ended(self, token: int) -> None:
        """What came of a request is known and settled."""
        digest = self._first.pop(token, None)
        if digest is not None:
            for fetched in self._behind.pop(digest):
                self.came(fetched)
