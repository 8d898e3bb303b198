"""Run the notebooks over the demo's crawl: `make notebooks`. The results are in build/notebooks.

With --save they replace the notebooks here, and those of the students are made of the solutions. What depends on the
machine or the moment (times of execution, versions) is left out, so that this changes only what is another result.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from teaching.assignment import SOLUTIONS, released

DIRECTORY = Path(__file__).parent
RESULTS = DIRECTORY.parent / "build" / "notebooks"
LANGUAGE = {"name": "python"}


def run(path: Path, directory: Path) -> NotebookNode:
    """The notebook with its outputs, run in a directory."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=600, resources={"metadata": {"path": str(directory)}}, record_timing=False
    ).execute()
    notebook.metadata["language_info"] = LANGUAGE  # without the version
    for cell in notebook.cells:
        cell.metadata = {name: value for name, value in cell.metadata.items() if name == "nbgrader"}
    return notebook


def write(notebook: NotebookNode, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    print(path)


def main() -> None:
    out = DIRECTORY if "--save" in sys.argv[1:] else RESULTS
    for path in sorted(DIRECTORY.glob("*.ipynb")):
        write(run(path, DIRECTORY), out / path.name)
    for path in sorted(SOLUTIONS.glob("*.ipynb")):
        solution = run(path, SOLUTIONS.parent)
        write(solution, out / path.relative_to(DIRECTORY))
        write(released(solution), out / "teaching" / path.name)


if __name__ == "__main__":
    main()
