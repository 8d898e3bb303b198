"""What the page says: figures and texts, without HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.inspect.check.folder.served import mount_in
from ttcrawl.inspect.check.health import Health
from ttcrawl.inspect.check.overview.areas import AREAS, kinds_of
from ttcrawl.inspect.check.overview.pages import PageProblems, by_page, heaviest, pages_with
from ttcrawl.inspect.check.overview.pictures import pictures
from ttcrawl.inspect.check.overview.scores import Score, score
from ttcrawl.inspect.check.overview.steps import Step, first_steps, mended
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.snapshot.snapshot import View, view

if TYPE_CHECKING:
    from ttcrawl.browser.thumbnails import Thumbnail

#: Pages that are shown with a picture.
WORST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstPage:
    """`picture` is None where the archive or the browser has none."""

    problems: PageProblems
    title: str
    picture: Thumbnail | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The score of an area is None if no kind of it was looked for."""

    seeds: tuple[str, ...]  # of a folder: the URL that it will have
    started: float  # seconds since the epoch, 0: unknown
    all: Score
    areas: dict[str, Score | None]
    steps: tuple[Step, ...]
    bad: int  # pages with an error or a warning
    mended: int  # those of them that have none after the steps
    worst: tuple[WorstPage, ...]
    no_pictures: str  # why there are no pictures, and what to do


def findings_of(health: Health, rules: Rules) -> Findings:
    """Raises NotACrawl."""
    mount = mount_in(Path(health.directory))
    with view(Path(health.directory)) as db:
        pages = pages_with(db, health.problems, mount)
        problems = by_page(health.problems, pages)
        steps = first_steps(health.problems, pages, rules)
        bad, good = mended(steps, problems, rules)
        worst, no_pictures = _worst(db, heaviest(problems, rules, WORST), pages)
        return Findings(
            seeds=(mount.shown,) if mount else tuple(db.seeds),
            started=float(db.settings.get("started") or 0),
            all=score(health.pages, problems, rules.kinds, rules),
            areas={area: _score(health, problems, area, rules) for area in AREAS if kinds_of(area)},
            steps=tuple(steps),
            bad=bad,
            mended=good,
            worst=worst,
            no_pictures=no_pictures,
        )


def _score(health: Health, problems: dict[str, PageProblems], area: str, rules: Rules) -> Score | None:
    kinds = kinds_of(area) & rules.kinds
    return score(health.pages, problems, kinds, rules) if kinds else None


def _worst(db: View, worst: Sequence[PageProblems], urls: Mapping[str, str]) -> tuple[tuple[WorstPage, ...], str]:
    """The pages with titles and pictures, and why there are no pictures. `urls`: of the pages in the crawl."""
    shots, why_none = pictures(db, [urls[each.url] for each in worst]) if worst else ({}, "")
    return tuple(
        WorstPage(problems=each, title=_title(db, urls[each.url]), picture=shots.get(urls[each.url])) for each in worst
    ), why_none


def _title(db: View, url: str) -> str:
    row = db.execute("SELECT title FROM page WHERE url = ?", (db.url_id(url),)).fetchone()
    return (row[0] or "").strip() if row else ""
