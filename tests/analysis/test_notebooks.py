"""The notebooks run from top to bottom over a real crawl."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.crawling import crawl
from tests.mesh import mesh
from tests.site import Web

ANALYSIS = Path(__file__).parents[2] / "analysis"


@pytest.mark.parametrize("path", sorted(ANALYSIS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_notebook_runs(tmp_path, monkeypatch, path):
    with Web(mesh(["a.test", "b.test"], 40, seed=1)) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--scope", "any")
        assert done.status == 0, done.err
    monkeypatch.setenv("TTCRAWL_CRAWL", str(done.directory))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ANALYSIS)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs)


@pytest.mark.parametrize("path", sorted(ANALYSIS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_notebook_can_be_read_without_running(path):
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells) and any(cell.outputs for cell in cells)
