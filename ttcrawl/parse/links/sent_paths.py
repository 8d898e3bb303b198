"""Which paths to a URL a parse process has sent: those that no other one covers."""

from __future__ import annotations

from ttcrawl.parse.links.follow import MAX_SENT

_BITS = 15, 31, 63
_GUARD = sum(1 << bit for bit in _BITS)


def packed(depth: int, off_topic: int, lost: int) -> int:
    """Return a path as a number. `lost`: what its score lacks to the best one, at most 2 ** 15 - 1."""
    return depth << 32 | min(off_topic, 0x7FFF) << 16 | lost


def covers(path: int, other: int) -> bool:
    """Whether no number of a path is larger than that of another one.

    >>> covers(packed(1, 2, 3), packed(1, 2, 4)), covers(packed(1, 2, 3), packed(9, 1, 9))
    (True, False)
    """
    return ((other | _GUARD) - path) & _GUARD == _GUARD  # a larger number borrows the bit above the other one


class SentPaths:
    """Paths by the key of their URL, packed."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        self._others: dict[int, list[int]] = {}  # of the few URLs with several

    def is_better(self, key: int, path: int) -> bool:
        """Whether a path to a URL is better in some way than every one that was sent; if so, it counts as sent."""
        before = self._first.get(key)
        if before is None:
            if len(self._first) >= MAX_SENT:  # sending one again is harmless
                self._first.clear()
                self._others.clear()
            self._first[key] = path
            return True
        others = self._others.get(key, ())
        if covers(before, path) or any(covers(each, path) for each in others):
            return False
        self._first[key], *rest = [path, *(each for each in (before, *others) if not covers(path, each))]
        if rest:
            self._others[key] = rest
        else:
            self._others.pop(key, None)
        return True
