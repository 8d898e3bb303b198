"""The curves and the visits of trials as frames, for programs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.config import overrides_of
from ttcrawl.errors import UsageError
from ttcrawl.lab.bench import Bench, Tried, tried_of
from ttcrawl.lab.candidates import Score
from ttcrawl.lab.curves import rows
from ttcrawl.lab.experiment import experiment, require_scores
from ttcrawl.snapshot.frames import frame_libraries
from ttcrawl.snapshot.snapshot import view

if TYPE_CHECKING:
    from pandas import DataFrame


def curve_frame(
    directory: str | os.PathLike[str], policies: Sequence[str | Score], trials: int, settings: Mapping[str, object]
) -> DataFrame:
    """Return a row for each point of each trial: policy, trial, and the fields of ttcrawl.lab.curves.Point.

    Raises NotACrawl, and UsageError as `experiment`, or without pandas.
    """
    pandas, _ = frame_libraries()
    with view(Path(directory)) as crawl:
        done = experiment(crawl, _tried(policies), trials=trials, settings=overrides_of(settings))
    frame: DataFrame = pandas.DataFrame(rows(done.curves))
    return frame


def visit_frame(
    directory: str | os.PathLike[str], policies: Sequence[str | Score], trials: int, settings: Mapping[str, object]
) -> DataFrame:
    """Return a row for each visit of each trial, in their order: policy, trial, url, outcome (page, moved, error or not
    recorded), and the seconds, requests and bytes of the trial up to it.

    Raises NotACrawl, and UsageError as `experiment`, or without pandas.
    """
    pandas, _ = frame_libraries()
    found = []
    with view(Path(directory)) as crawl:
        bench = Bench(crawl, overrides_of(settings))
        for tried in _tried(policies):
            require_scores(tried, bench.web, crawl)
            for number in range(trials):
                found += [
                    (tried.name, number, each.url, each.outcome, each.seconds, each.requests, each.received)
                    for each in bench.trial(tried, number).visits
                ]
    columns = ["policy", "trial", "url", "outcome", "seconds", "requests", "bytes"]
    frame: DataFrame = pandas.DataFrame(found, columns=columns)
    return frame


def _tried(policies: Sequence[str | Score]) -> list[Tried]:
    """Raises UsageError, also if two have one name, by which their rows are told apart."""
    tried = [tried_of(each) for each in policies or ("breadth", "random")]
    for name, number in Counter(each.name for each in tried).items():
        if number > 1:
            raise UsageError(f"{number} policies are named {name!r}: give each once, and each function its own name")
    return tried
