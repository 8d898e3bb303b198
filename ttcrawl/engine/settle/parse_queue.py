"""Fetched answers before they are parsed: of identical bodies, one at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ttcrawl.ring.messages import Fetched, IdenticalBody
from ttcrawl.web.storable import replace


class ParseQueue:
    """Sends answers to be parsed. One with a body that is being parsed waits for that outcome.

    Then it has an original, or is parsed itself if the other one failed. A waiting answer is in flight, in a slot of
    its own. The answer it waits for is with a parse process, which has a time limit. `find` looks for a page with the
    same body, `read` sends a response to be parsed. Without `exact`, answers are neither compared nor made to wait.
    With `parse_all`, identical bodies are archived once, and parsed every time.
    """

    def __init__(
        self,
        find: Callable[[Fetched], IdenticalBody | None],
        read: Callable[[int, IdenticalBody | None], None],
        *,
        exact: bool,
        parse_all: bool = False,
    ) -> None:
        self._exact, self._parse_all = exact, parse_all
        self._find = find
        self._read = read
        self._first: dict[int, bytes] = {}  # token of the first answer with its body that is being parsed -> its digest
        self._behind: dict[bytes, deque[Fetched]] = {}  # that digest -> the answers that wait

    def add(self, fetched: Fetched) -> None:
        """Send an answer to be parsed, or let it wait."""
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
        elif self._parse_all:
            identical = replace(identical, same=False)
        self._read(fetched.token, identical)

    def ended(self, token: int) -> None:
        """Release the answers that waited for a request whose outcome is processed."""
        digest = self._first.pop(token, None)
        if digest is not None:
            for fetched in self._behind.pop(digest):
                self.add(fetched)
