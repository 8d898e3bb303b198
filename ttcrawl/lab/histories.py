"""When the pages of a crawl became other ones, as far as its answers show, and how important each page is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from ttcrawl.engine.recrawl.pace import weight
from ttcrawl.errors import UsageError
from ttcrawl.lab.record import RecordedWeb
from ttcrawl.recrawl.prior import DAY
from ttcrawl.snapshot.snapshot import View

_ANSWERS = """
    SELECT url.id, key, depth, time, digest FROM answer JOIN url ON url.id = answer.url
    WHERE state = 'fetched' AND digest IS NOT NULL ORDER BY url.id, time"""

#: What makes a page important: the links from the seeds, as the crawl takes it; the pages that link to it; nothing.
WEIGHTS = ("depth", "in-links", "equal")


class History(Struct, frozen=True):
    """The moments at which a page became another one, the first answer included, and the number of its answers."""

    moments: Sequence[float]
    answers: int
    last: float
    weight: float = 1.0


def histories(view: View, weights: str = WEIGHTS[0]) -> list[History]:
    """Return the histories of all pages. Raises UsageError if no page has several answers."""
    weigh, found = _weigh(view, weights), []
    for (_, url_key, depth), of_url in groupby(view.execute(_ANSWERS), key=itemgetter(0, 1, 2)):
        answers = [(time, digest) for *_, time, digest in of_url]
        moments = [
            time for number, (time, digest) in enumerate(answers) if not number or digest != answers[number - 1][1]
        ]
        found.append(History(moments, len(answers), answers[-1][0], weigh(url_key, depth)))
    if not any(each.answers > 1 for each in found):
        raise UsageError(
            f"{view.directory} has one answer of each page: policies for visits are tried on a crawl that was crawled"
            " again (ttcrawl recrawl)"
        )
    return found


def _weigh(view: View, weights: str) -> Callable[[int, int | None], float]:
    """Return the weight of a page by its key and depth."""
    if weights == "in-links":
        in_links = RecordedWeb(view).in_links
        return lambda key, depth: 1.0 + in_links[key]
    return (lambda key, depth: weight(depth)) if weights == "depth" else lambda key, depth: 1.0


def recorded_budget(pages: Sequence[History]) -> float:
    """Return the visits in 24 hours that the record made, besides the first one of each page."""
    return sum(each.answers - 1 for each in pages) / span(pages)[1] * DAY


def span(pages: Sequence[History]) -> tuple[float, float]:
    """Return the begin and the length of the record, seconds."""
    begin = min(each.moments[0] for each in pages)
    return begin, max(1.0, max(each.last for each in pages) - begin)
