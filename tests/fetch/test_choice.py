"""Where pycurl cannot be imported, urllib3 fetches, and one line says so."""

import os

import pytest

from tests.crawling import crawl
from tests.site import Answer, Web, page

NO_PYCURL = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "pycurl":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
"""


@pytest.mark.parametrize(("transport", "lines"), [("curl", 1), ("urllib3", 0)])
def test_a_crawl_without_pycurl(tmp_path, monkeypatch, transport, lines):
    (tmp_path / "sitecustomize.py").write_text(NO_PYCURL)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    pages = {("a.test", "/"): Answer(body=page("/x")), ("a.test", "/x"): Answer(body=page())}
    with Web(pages) as web:
        done = crawl(
            web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", f"--set=fetch.transport={transport}"
        )
    assert done.status == 0 and set(done.states().values()) == {("fetched", "http 200")}
    assert sum("pycurl cannot be imported" in line for line in done.err.splitlines()) == lines
