"""The files of the laboratory: curves as CSV and JSON, and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import asdict

from ttcrawl.errors import installed
from ttcrawl.lab import table
from ttcrawl.lab.curves import rows
from ttcrawl.lab.experiment import Experiment
from ttcrawl.lab.figures import figures, recrawl_figure
from ttcrawl.lab.recrawling import Recrawled
from ttcrawl.output.csv_form import csv_records
from ttcrawl.output.json_form import json_form
from ttcrawl.store.replaced import make_directory, replaced


def csv_text(experiment: Experiment) -> str:
    """Return the points of all curves, without a line feed at the end."""
    return csv_records(rows(experiment.curves))


def json_text(experiment: Experiment) -> str:
    """Return the table, what the record has, and the points of all curves."""
    return json_form(
        {
            "record": {
                "pages": experiment.pages,
                "relevant": experiment.relevant,
                "unanswered": experiment.unanswered,
            },
            "table": table.figures(experiment),
            "points": rows(experiment.curves),
        },
        indent=None,
    )


def recrawl_csv(done: Sequence[Recrawled]) -> str:
    """Return the points of the curves of policies for visits, without a line feed at the end."""
    rows = [{"policy": each.policy, "trial": each.trial, **asdict(point)} for each in done for point in each.points]
    return csv_records(rows)


def recrawl_json(done: Sequence[Recrawled]) -> str:
    """Return the totals and the points of policies for visits."""
    return json_form(to_builtins(done), indent=None)


def write(experiment: Experiment, directory: Path) -> list[Path]:
    """Write all files; without matplotlib, no figures. Raises OSError."""
    texts = {"curves.csv": csv_text(experiment), "lab.json": json_text(experiment)}
    return _written(directory, texts, lambda: figures(experiment, directory))


def write_recrawls(done: Sequence[Recrawled], directory: Path) -> list[Path]:
    """Write the files of policies for visits; without matplotlib, no figure. Raises OSError."""
    texts = {"recrawl.csv": recrawl_csv(done), "recrawl.json": recrawl_json(done)}
    return _written(directory, texts, lambda: recrawl_figure(done, directory))


def _written(directory: Path, texts: Mapping[str, str], draw: Callable[[], list[Path]]) -> list[Path]:
    make_directory(directory)
    for name, text in texts.items():
        with replaced(directory / name) as path:
            path.write_text(f"{text}\n", encoding="utf-8")
    return [*(directory / name for name in texts), *(draw() if installed("matplotlib") else [])]
