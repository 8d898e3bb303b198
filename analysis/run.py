"""Run the notebooks over the demo's crawl: `make notebooks`. The results are in build/notebooks.

With --save they replace the notebooks here. What depends on the machine or the moment (times of execution, versions) is
left out, so that this changes only what is another result.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

DIRECTORY = Path(__file__).parent
RESULTS = DIRECTORY.parent / "build" / "notebooks"
LANGUAGE = {"name": "python"}


def main() -> None:
    out = DIRECTORY if "--save" in sys.argv[1:] else RESULTS
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(DIRECTORY.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(
            notebook, timeout=600, resources={"metadata": {"path": str(DIRECTORY)}}, record_timing=False
        ).execute()
        notebook.metadata["language_info"] = LANGUAGE  # without the version
        for cell in notebook.cells:
            cell.metadata.clear()
        nbformat.write(notebook, out / path.name)
        print(out / path.name)


if __name__ == "__main__":
    main()
