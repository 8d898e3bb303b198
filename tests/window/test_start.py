"""The start page, and the pages of what cannot be shown."""

import pytest

from tests.library.sample_crawl import make
from tests.support.window import window
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.plan import Plan, fresh
from ttcrawl.cluster.route import table
from ttcrawl.config import Config


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    directory = tmp_path_factory.mktemp("window") / "crawl-a.test"
    make(directory)
    return directory


def test_one_crawl_is_shown_at_once_and_several_have_a_row_each(crawl, tmp_path):
    make(tmp_path / "other & more")
    with window(crawl) as one:
        assert (one.get("/").status, one.get("/").headers["location"]) == (307, "/crawl-a.test/")
        assert "<h1>Now</h1>" in one.get("/crawl-a.test/").text
    with window(crawl, tmp_path / "other & more") as two:
        assert 'href="/other-more/"' in two.get("/").text


def test_what_cannot_be_shown_is_a_page_with_the_reason(crawl, tmp_path):
    (tmp_path / "empty").mkdir()
    with window(crawl, tmp_path / "empty") as two:
        answer = two.get("/empty/")
        assert answer.status == 503 and "it contains no crawl.db" in answer.text
        assert "it contains no crawl.db" in two.get("/").text
        assert two.get("/no/").status == 404 and "There is no such crawl" in two.get("/no/").text
        assert two.get("/crawl-a.test/no").status == 404
        assert two.request("DELETE", "/").status == 405


@pytest.fixture
def cluster(tmp_path):
    """A cluster of two rings that has stopped; one of them has crawled."""
    plan = Plan(members=founding(table((1, 2), 3)), seeds=("http://a.test/",), allowed=(), finished="interrupted")
    with fresh(tmp_path / "c", plan, Config()):
        make(tmp_path / "c" / "ring-1")
    return tmp_path / "c"


def test_a_cluster_has_a_page_with_its_rings(cluster, crawl):
    with window(cluster, crawl, control=True) as each:
        start = each.get("/").text
        assert 'href="/c/"' in start and 'href="/c-ring-1/"' in start and "interrupted" in start
        page = each.get("/c/").text
        assert "ttcrawl cluster status" in page and "<dt>Rings</dt><dd>2</dd>" in page
        assert 'href="/c-ring-1/">ring 1</a>' in page and 'href="/c-ring-2/">ring 2</a>' in page
        assert "Go on</button>" in page and "Stop</button>" not in page
        ring = each.get("/c-ring-1/").text
        assert '<a href="/c/">c</a> / ' in ring and "Go on</button>" not in ring  # the cluster goes on
        assert each.get("/c-ring-1/urls?state=failed").status == 200
        assert each.get("/c-ring-2/").status == 503
        stopped = each.post("/c/do/stop", {})
        assert stopped.status == 400 and "is not being crawled" in stopped.text
        assert each.get("/crawl-a.test/diff?with=c").status == 404
