"""When a URL is asked for again after it did not bring an answer: a pure table."""

from __future__ import annotations

#: Reasons that may be gone a moment later. All others (an unknown host, a bad certificate, a protocol error) stay.
PASSING = frozenset(
    {
        "dns: temporary",
        "dns: timeout",
        "connection refused",
        "unreachable",
        "reset",
        "disconnected",
        "network",
        "proxy",
        "truncated",
        "timeout: connect",
        "timeout: read",
        "timeout: total",
        "http 429",
        "http 500",
        "http 502",
        "http 503",
        "http 504",
    }
)


#: Not the fault of the URL, as far as one knows: such an attempt is not counted, unless it happens again and again.
OURS = frozenset({"fetch process died", "fetch process stuck"})
PARDONED = 3


def again_after(reason: str, attempts: int, *, retries: int, wait: float) -> float | None:
    """Seconds until the next attempt after `attempts` exchanges, the last of which ended with `reason`; None: never.

    >>> [again_after("reset", n, retries=2, wait=2.0) for n in (1, 2, 3)]
    [2.0, 8.0, None]
    """
    if reason in OURS:
        return wait if attempts <= retries + PARDONED else None
    if reason not in PASSING or attempts > retries:
        return None
    return float(wait * 4 ** (attempts - 1))
