"""What must be true of a crawl in the lab, whatever has failed in it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

#: Seconds in which a ring surely requests something that has found a URL of its own, on a busy machine too.
QUIET = 5.0

#: Requests that may be made twice where the processes of a ring die: in flight, or not yet committed.
FLIGHT = 30


def judged(
    found: dict[str, Any], *, again: int, robots: int, by: Collection[int], healthy: Collection[int] = ()
) -> dict[str, Any]:
    """Return what is left of the verdict on a crawl that has found everything and kept its delays.

    `again`, `robots`: most requests for pages and robots.txt beyond the first; `by`: the rings that may make them.
    `healthy`: rings that always request something.
    """
    assert found.pop("ended") == "done"
    for name in ("missing", "other", "unrequested", "damaged"):
        assert (value := found.pop(name)) == [], f"{name}: {value}"
    assert found.pop("short") == {}
    quiet = {int(ring): seconds for ring, seconds in found.pop("quiet").items()}
    assert all(quiet[ring] < QUIET for ring in healthy), quiet
    assert found.pop("again") <= again
    assert set(found.pop("again by")) <= set(by)
    assert found.pop("robots again") <= robots
    return found


def lost_disk(found: dict[str, Any], *, flight: int = 0, by: Collection[int]) -> dict[str, Any]:
    """The same, where a disk is lost: at most its pages are requested again, and what was in flight elsewhere."""
    assert 0 < found["again"] + found["robots again"] <= found.pop("lost") + flight
    return judged(found, again=found["again"], robots=found["robots again"], by=by)
