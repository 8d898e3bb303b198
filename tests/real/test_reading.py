"""Real pages whose reading is put off end with the tables of a crawl that reads at once."""

import pytest

from benchmarks.docsites import DocSites
from tests.support.crawls.crawling import verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.preforked import run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def test_both_stages_are_one(sites: DocSites, tmp_path):
    resolve = [part for entry in sites.resolve for part in ("--resolve", entry)]
    for reading in ("now", "later"):
        options = ("--no-obey-delay", "--progress", "none", "--set", "scope.extensions=", "--reading", reading)
        done = run("crawl", *sites.seeds, "-d", tmp_path / reading, *resolve, *options, timeout=600)
        assert done.returncode == 0, done.stderr
    assert run("read", tmp_path / "later", timeout=600).returncode == 0
    now, later = everything(tmp_path / "now"), everything(tmp_path / "later")
    assert len(now["text"]) > 2000
    for name in now:
        assert later[name] == now[name], name
    assert verified(tmp_path / "later") == ""
