"""The example of the manual, run over the made crawl."""

import doctest
from pathlib import Path

from tests.library.sample_crawl import make

SECTION = (Path(__file__).parents[2] / "docs" / "library.md").read_text()


def test_the_example(tmp_path, monkeypatch):
    make(tmp_path / "crawl-a.test")
    monkeypatch.chdir(tmp_path)
    example = SECTION.split("```python\n")[2].split("```")[0]
    test = doctest.DocTestParser().get_doctest(example, {}, "library", "library.md", 0)
    said = []
    result = doctest.DocTestRunner().run(test, out=said.append)
    assert result.attempted >= 8 and not result.failed, "".join(said)
