"""What must be true of a crawl in the lab, whatever has failed in it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

#: Requests that may be made twice where the processes of a ring die: in flight, or not yet committed.
FLIGHT = 30


def judged(found: dict[str, Any], *, again: int, robots: int, by: Collection[int]) -> dict[str, Any]:
    """Return what is left of the verdict on a crawl that has found everything and kept its delays.

    `again`, `robots`: most requests for pages and robots.txt beyond the first; `by`: the rings that may make them.
    """
    assert found.pop("ended") == "done"
    for name in ("missing", "other", "unrequested", "damaged"):
        assert (value := found.pop(name)) == [], f"{name}: {value}"
    assert found.pop("short") == {}
    assert found.pop("again") <= again
    assert set(found.pop("again by")) <= set(by)
    assert found.pop("robots again") <= robots
    return found


def lost_disk(found: dict[str, Any], *, flight: int = 0, by: Collection[int]) -> dict[str, Any]:
    """The same, where a disk is lost: at most its pages are requested again, and what was in flight elsewhere."""
    assert 0 < found["again"] + found["robots again"] <= found.pop("lost") + flight
    return judged(found, again=found["again"], robots=found["robots again"], by=by)
