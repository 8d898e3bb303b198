"""A crawl in one process keeps what a crawl with processes promises, over each transport."""

import os

import pytest

from tests.fetch.resolver import RESOLVER
from tests.fetch.transports import TRANSPORTS
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, page

INLINE = ("--inline", "--no-obey-delay", "--set=fetch.retries=0")


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_an_answer_that_never_ends_is_ended(tmp_path, transport):
    """Each byte comes in time, and there is always another one."""
    pages = {
        ("a.test", "/"): Answer(body=page("/endless", "/after")),
        ("a.test", "/endless"): Answer(body=b"<p>", more=b"x", times=-1, drip=0.05),
        ("a.test", "/after"): Answer(body=page()),
    }
    options = ("--set=fetch.total_timeout=1", "--set=fetch.read_timeout=60", f"--set=fetch.transport={transport}")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *INLINE, *options)
        states = {path: done.states()[web.url("a.test", path)] for path in ("/", "/endless", "/after")}
    assert states == {
        "/": ("fetched", "http 200"),
        "/endless": ("failed", "timeout: total"),
        "/after": ("fetched", "http 200"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_look_up_that_never_ends_is_ended(tmp_path, monkeypatch, transport):
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "sitecustomize.py").write_text(RESOLVER)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'python'}:{os.environ.get('PYTHONPATH', '')}")
    dead = "http://www.name.dead/"
    options = ("--set=fetch.dns_timeout=1", "--scope=any", f"--set=fetch.transport={transport}")
    with Web({("a.test", "/"): Answer(body=page(dead))}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *INLINE, *options)
    assert done.states()[dead] == ("failed", "dns: timeout"), done.err
