"""Where pycurl cannot be imported, urllib3 fetches, and one line says so."""

import os
import sys

import pytest

from tests.fetch.transports import MISSING
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, page
from ttcrawl import config
from ttcrawl.fetch.choice import NO_HTTP2, NO_PYCURL, UNUSABLE, warnings

CAUSE = "libcurl.so.4: failed to map segment from shared object: Cannot allocate memory"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (f"ImportError({CAUSE!r})", UNUSABLE.format(CAUSE)),
        ("MemoryError()", UNUSABLE.format("MemoryError")),
        ("ModuleNotFoundError('pycurl')", NO_PYCURL),
    ],
)
def test_the_line_says_why_pycurl_cannot_be_used(tmp_path, monkeypatch, error, line):
    """It names what to install only where that would help."""
    (tmp_path / "pycurl.py").write_text(f"raise {error}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pycurl", raising=False)
    assert warnings(config.Fetch(transport="curl")) == [line]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        ({"transport": "curl"}, [NO_PYCURL]),
        ({"transport": "urllib3"}, []),
        ({"http2": "yes"}, [NO_PYCURL, NO_HTTP2]),
        ({"transport": "urllib3", "http2": "yes"}, [NO_HTTP2]),
    ],
    ids=str,
)
def test_a_crawl_without_pycurl(tmp_path, monkeypatch, settings, lines):
    (tmp_path / "sitecustomize.py").write_text(MISSING)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    pages = {("a.test", "/"): Answer(body=page("/x")), ("a.test", "/x"): Answer(body=page())}
    with Web(pages) as web:
        options = [f"--set=fetch.{key}={value}" for key, value in settings.items()]
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options)
    assert done.status == 0 and set(done.states().values()) == {("fetched", "http 200")}
    assert [done.err.count(line) for line in (NO_PYCURL, NO_HTTP2)] == [line in lines for line in (NO_PYCURL, NO_HTTP2)]
