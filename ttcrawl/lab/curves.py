"""What a trial collected, as curves over requests, seconds and bytes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct, structs

from ttcrawl.config import Traps
from ttcrawl.config.compiled import compile_traps
from ttcrawl.lab.record import RecordedWeb
from ttcrawl.lab.trial import ERROR, MISSING, PAGE, Trial

#: Points of a curve, and the first and last visit.
POINTS = 200

#: The year up to which no calendar is a trap is counted from this one.
_YEAR = 2026


class Point(Struct, frozen=True, kw_only=True):
    """The totals after a visit. Of a URL that the record lacks nothing is known: each of `missing` requests may have
    brought a page, and what it links to."""

    requests: int = 0  # for pages, robots.txt and probes, with retries
    seconds: float = 0.0
    bytes: int = 0
    pages: int = 0  # with status 2xx
    distinct: int = 0  # of `pages`: whose content no page before them had
    in_links: float = 0.0  # share of all links between pages of the record that lead to `pages`, 0 to 1
    relevant: int = 0  # pages
    discovered: int = 0  # URLs
    waiting: float = 0.0  # seconds without a request in flight: every host with work waits for its delay
    duplicates: int = 0  # of `pages`: the others
    traps: int = 0  # URLs that [traps] refuses by default
    errors: int = 0  # requests for pages without an answer, or with a status from 400
    missing: int = 0  # requests for URLs that the record lacks

    @property
    def harvest(self) -> float:
        """The share of relevant pages (Chakrabarti, van den Berg and Dom, 1999)."""
        return self.relevant / self.pages if self.pages else 0.0


#: What can stand on the horizontal axis.
AXES = ("requests", "seconds", "bytes")


class Curves(Struct, frozen=True, kw_only=True):
    """The points of one trial, by rising requests."""

    name: str
    trial: int
    points: Sequence[Point]
    complete: bool  # everything was visited

    @property
    def last(self) -> Point:
        return self.points[-1]

    def at(self, x: float, axis: str = "requests") -> Point:
        """Return the last point up to a value of an axis."""
        return self.points[max(0, bisect_right(self.points, x, key=lambda point: getattr(point, axis)) - 1)]


class Measure:
    """What is known of a recorded web, for all trials on it."""

    def __init__(self, web: RecordedWeb) -> None:
        self._web = web
        self._traps = compile_traps(Traps(), _YEAR)
        self._all_links = sum(web.in_links[each.key] for each in web.urls.values() if each.id in web.pages)

    def curves(self, trial: Trial) -> Curves:
        """Return the curves of a trial."""
        web, last = self._web, len(trial.visits) - 1
        wanted = {0, last, *(number * last // POINTS for number in range(POINTS))}
        points = [Point()]
        pages = links = relevant = traps = errors = missing = 0
        seen, contents = set[int](), set[int]()
        for position, visit in enumerate(trial.visits):
            url = web.urls.get(visit.key)
            traps += bool(self._traps.refusal(visit.url))
            errors += visit.outcome == ERROR
            missing += visit.outcome == MISSING
            if visit.outcome == PAGE and url is not None and url.id in web.pages and url.id not in seen:
                seen.add(url.id)
                pages += 1
                links += web.in_links[url.key]
                relevant += url.id in web.relevant
                contents.add(web.content.get(url.id, url.id))
            if position in wanted:
                points.append(
                    Point(
                        requests=visit.requests,
                        seconds=visit.seconds,
                        bytes=visit.received,
                        pages=pages,
                        distinct=len(contents),
                        in_links=links / self._all_links if self._all_links else 0.0,
                        relevant=relevant,
                        discovered=visit.discovered,
                        waiting=visit.idle,
                        duplicates=pages - len(contents),
                        traps=traps,
                        errors=errors,
                        missing=missing,
                    )
                )
        return Curves(name=trial.name, trial=trial.seed, points=points, complete=not trial.queued)


#: The figures of a curve, without its axes.
FIGURES = tuple(name for name in Point.__struct_fields__ if name not in AXES)


class Band(Struct, frozen=True, kw_only=True):
    """The smallest, the middle and the largest value among the trials of a policy, at one value of an axis."""

    x: float
    low: float
    middle: float
    high: float


def band(curves: Sequence[Curves], figure: str, axis: str = "requests") -> list[Band]:
    """Return a figure over an axis, up to where the longest trial ends."""
    end = max(getattr(each.last, axis) for each in curves)
    bands = []
    for number in range(POINTS + 1):
        x = end * number / POINTS
        values = sorted(getattr(each.at(x, axis), figure) for each in curves)
        bands.append(Band(x=x, low=values[0], middle=values[len(values) // 2], high=values[-1]))
    return bands


def rows(curves: Sequence[Curves]) -> list[dict[str, object]]:
    """Return the points of all trials as rows of a table."""
    return [
        {"policy": each.name, "trial": each.trial, **structs.asdict(point)} for each in curves for point in each.points
    ]
