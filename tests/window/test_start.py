"""The start page, and the pages of what cannot be shown."""

import pytest

from tests.library.sample_crawl import make
from tests.support.window import window


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
