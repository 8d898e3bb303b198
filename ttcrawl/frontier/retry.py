"""When a URL without an answer is requested again: a pure table."""

from __future__ import annotations

from ttcrawl.vocabulary.reason import PARDONED, RETRIED, Code

#: Extra attempts for reasons that are probably not the fault of the URL.
PARDONS = 3


def again_after(reason: Code, attempts: int, *, retries: int, wait: float) -> float | None:
    """Return seconds until the next attempt, None for never; the last of `attempts` requests ended with `reason`.

    >>> [again_after("reset", n, retries=2, wait=2.0) for n in (1, 2, 3)]
    [2.0, 8.0, None]
    """
    if reason in PARDONED:
        return wait if attempts <= retries + PARDONS else None
    if reason not in RETRIED or attempts > retries:
        return None
    return float(wait * 4 ** (attempts - 1))
