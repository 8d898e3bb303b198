"""A model of a subject from the documentation of packages that are not in the corpus."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.docsites import Missing
from benchmarks.topical.corpus import TRAINING, files
from benchmarks.topical.subject import Subject


def train(subject: Subject, directory: Path) -> Path:
    """Train by `ttcrawl topic train` on directories of links to the pages. Raises Missing."""
    if missing := [package for package, root in TRAINING.values() if not Path(root).is_dir()]:
        raise Missing(f"no documentation of {', '.join(missing)}: apt-get install {' '.join(missing)}")
    for host, (_, root) in TRAINING.items():
        for path in files(Path(root)):
            relevant = subject.relevant(f"http://{host}/{path}")
            link = directory / ("relevant" if relevant else "irrelevant") / host / path
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(Path(root, path))
    model = directory / f"{subject.name}.json"
    command = [sys.executable, "-m", "ttcrawl", "topic", "train", "-o", str(model)]
    command += ["--relevant", str(directory / "relevant"), "--irrelevant", str(directory / "irrelevant")]
    subprocess.run(command, check=True)
    return model
