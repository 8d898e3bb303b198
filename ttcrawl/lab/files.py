"""The files of an experiment: curves as CSV and JSON, and figures."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.errors import installed
from ttcrawl.lab import table
from ttcrawl.lab.curves import rows
from ttcrawl.lab.experiment import Experiment
from ttcrawl.lab.figures import figures
from ttcrawl.output.json_form import json_form
from ttcrawl.store.replaced import make_directory, replaced


def csv_text(experiment: Experiment) -> str:
    """Return the points of all curves, without a line feed at the end."""
    return table.csv_rows(rows(experiment.curves))


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


def write(experiment: Experiment, directory: Path) -> list[Path]:
    """Write all files; without matplotlib, no figures. Raises OSError."""
    make_directory(directory)
    texts = {"curves.csv": csv_text(experiment), "lab.json": json_text(experiment)}
    for name, text in texts.items():
        with replaced(directory / name) as path:
            path.write_text(f"{text}\n", encoding="utf-8")
    drawn = figures(experiment, directory) if installed("matplotlib") else []
    return [*(directory / name for name in texts), *drawn]
