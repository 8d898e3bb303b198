"""Run the notebooks over the demo's crawl and keep them with their outputs: `make notebooks`.

What depends on the machine or the moment (times of execution, versions) is left out, so that a run changes only what
is another result.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

DIRECTORY = Path(__file__).parent
LANGUAGE = {"name": "python"}


def main() -> None:
    for path in sorted(DIRECTORY.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(
            notebook, timeout=600, resources={"metadata": {"path": str(DIRECTORY)}}, record_timing=False
        ).execute()
        notebook.metadata["language_info"] = LANGUAGE  # without the version
        for cell in notebook.cells:
            cell.metadata.clear()
        nbformat.write(notebook, path)
        print(path.name)


if __name__ == "__main__":
    main()
