"""The curves of an experiment as a frame, for programs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.config import overrides_of
from ttcrawl.lab.bench import tried_of
from ttcrawl.lab.candidates import Score
from ttcrawl.lab.curves import rows
from ttcrawl.lab.experiment import experiment
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
    tried = [tried_of(each) for each in policies or ("breadth", "random")]
    with view(Path(directory)) as crawl:
        done = experiment(crawl, tried, trials=trials, settings=overrides_of(settings))
    frame: DataFrame = pandas.DataFrame(rows(done.curves))
    return frame
