"""The notebooks run from top to bottom over a real crawl, and are kept so that they can be read without."""

import json
import re
import shutil
from pathlib import Path

import pytest

import ttcrawl
from tests.support.crawls.crawling import crawl
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web
from ttcrawl.report.cache import NAME

ANALYSIS = Path(__file__).parents[2] / "analysis"
NOTEBOOKS = sorted(ANALYSIS.glob("*.ipynb"))
NAMES = [path.stem for path in NOTEBOOKS]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    directory = tmp_path_factory.mktemp("notebooks")
    plain = {("a.test", "/plain"): Answer(body=b"no page", headers=(("Content-Type", "text/plain"),))}
    with Web(mesh(["a.test", "b.test"], 40, seed=1) | plain) as web:
        seeds = [web.url("a.test", "/"), web.url("a.test", "/plain")]
        done = crawl(web, seeds, directory / "c", "--no-obey-delay", "--scope", "any")
        assert done.status == 0, done.err
    return done


def read(path):
    import nbformat

    return nbformat.read(path, as_version=4)


def run(path):
    from nbclient import NotebookClient

    notebook = read(path)
    NotebookClient(notebook, timeout=200, resources={"metadata": {"path": str(ANALYSIS)}}).execute()
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def said(outputs):
    texts = [output.get("text", "") + "".join(output.get("data", {}).get("text/plain", "")) for output in outputs]
    return "\n".join(texts)


def test_there_are_three():
    assert NAMES == ["course_report", "crawl_growth", "policies"]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_the_notebook_runs(crawled, tmp_path, monkeypatch, path):
    before = {each.name for each in crawled.directory.iterdir()}
    other = shutil.copytree(crawled.directory, tmp_path / "another")
    monkeypatch.setenv("TTCRAWL_CRAWL", str(crawled.directory))
    monkeypatch.setenv("TTCRAWL_OTHER", str(other))
    outputs = run(path)
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2
    assert not [output for output in outputs if output.get("name") == "stderr" and "Error" in output["text"]]
    ((pages,),) = crawled.query("SELECT count(*) FROM url WHERE state = 'fetched'")
    if path.stem == "crawl_growth":
        ((met,),) = crawled.query("SELECT count(*) FROM url")
        assert f"{pages:,} pages" in said(outputs) and re.search(rf"URLs discovered +{met} +{met}\n", said(outputs))
    elif path.stem == "policies":
        query = "SELECT count(*) FROM page JOIN url ON url.id = page.url WHERE state = 'fetched' AND status < 300"
        ((fetched,),) = crawled.query(query)
        assert f"4 policies, {fetched:,} pages" in said(outputs)
    else:
        ((html,),) = crawled.query("SELECT count(*) FROM page WHERE type = 'text/html' AND status = 200")
        assert f"images on {html:,} HTML pages" in said(outputs)
        tables = "\n".join(output.get("data", {}).get("text/markdown", "") for output in outputs)
        assert re.search(rf"\| Pages crawled \| [0-9]+ \| {pages} \|", tables)
    assert {each.name for each in crawled.directory.iterdir()} <= before | {NAME}  # it only reads, and caches figures


@pytest.mark.slow
def test_without_another_crawl_nothing_is_compared(crawled, monkeypatch):
    monkeypatch.setenv("TTCRAWL_CRAWL", str(crawled.directory))
    monkeypatch.delenv("TTCRAWL_OTHER", raising=False)
    assert "nothing is compared" in said(run(ANALYSIS / "crawl_growth.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_without_a_crawl_it_says_what_to_do(tmp_path, monkeypatch, path):
    from nbclient.exceptions import CellExecutionError

    monkeypatch.setenv("TTCRAWL_CRAWL", str(tmp_path / "none"))
    with pytest.raises(CellExecutionError, match="run `make demo` first"):
        run(path)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_the_notebook_uses_the_public_names_alone(path):
    code = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "code")
    assert "import ttcrawl\n" in code and not re.search(r"ttcrawl\.\w+\.\w+ import|import ttcrawl\.|from ttcrawl", code)
    assert set(re.findall(r"\bttcrawl\.(\w+)", code)) <= set(ttcrawl.__all__)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_the_notebook_can_be_read_without_running(path):
    notebook = read(path)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert sum(bool(cell.outputs) for cell in cells) >= len(cells) - 2
    assert not any(output.output_type == "error" for cell in cells for output in cell.outputs)


def test_no_beta_above_one_is_called_heaps_law():
    """Wherever it is said, in the saved outputs too."""
    texts = "\n".join(path.read_text() for path in NOTEBOOKS)
    exponents = re.findall(r"Heaps' law, [0-9.,]+ n\^([0-9.]+)|Heaps' law[^.]*β = ([0-9.]+)", texts)
    betas = [float((stated or printed).rstrip(".")) for stated, printed in exponents]
    assert betas and max(betas) <= 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_the_notebook_tells_nothing_of_the_machine(path):
    notebook = json.loads(path.read_text())
    assert notebook["metadata"]["language_info"] == {"name": "python"}
    assert all(cell["metadata"] == {} for cell in notebook["cells"])
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop("image/png", None)
    assert not re.search(r"/(home|root|tmp|work|usr|Users)/|\b20\d\d-\d\d-\d\d\b|Warning", json.dumps(notebook))
    assert path.stat().st_size < 1 << 20
