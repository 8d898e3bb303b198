"""Findings: what commands compute, shown with the pages beside it."""

import json
import shutil
import time
from contextlib import closing

import pytest

from tests.library.sample_crawl import HOME, OTHER, PICTURE, make
from tests.support.window import window
from ttcrawl.inspect.check.kinds import BROKEN, DEFAULT, Problem
from ttcrawl.inspect.check.results.history import compare
from ttcrawl.store.check_db import NAME, open_check


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    directory = tmp_path_factory.mktemp("findings") / "a"
    make(directory)
    return directory


@pytest.fixture(scope="module")
def shown(crawl):
    with window(crawl) as each:
        yield each


def computed(each, path):
    """The page of a command once it has run."""
    while 'http-equiv="refresh"' in (answer := each.get(path)).text:
        assert "It began" not in answer.text or " is being computed. It began " in answer.text
        time.sleep(0.1)
    assert answer.status == 200
    return answer.text


def test_duplicates_and_what_differs(shown):
    page = shown.get("/a/findings/duplicates").text
    assert "2 duplicates" in page and "nearly the same" in page and "0.9250" in page
    group = shown.get(f"/a/findings/duplicates?u={OTHER}").text
    assert "same bytes" in group and f" {OTHER}</code>" in group
    beside = shown.get(f"/a/findings/duplicates?u={HOME}&with={HOME}").text
    assert "The main texts are the same" in beside
    missing = shown.get(f"/a/findings/duplicates?u={HOME}&with={PICTURE}")
    assert missing.status == 404 and "has no text" in missing.text
    assert shown.get(f"/a/findings/duplicates?u={HOME}x").status == 404


def test_sites_are_sorted_by_any_column(shown):
    for sort in ("host", "-host", "-requested", "robots_status", "delay"):
        page = shown.get(f"/a/findings/sites?sort={sort}")
        assert page.status == 200 and f'aria-sort="{"de" if sort[0] == "-" else "a"}scending"' in page.text
        assert "a.test" in page.text
    assert shown.get("/a/findings/sites?sort=rowid;").status == 400
    assert shown.get("/a/findings/sites?from=100").status == 200


def test_a_check_is_offered_with_its_cost_and_never_begun_undemanded(shown):
    for _ in range(2):
        page = shown.get("/a/findings/check")
        assert page.status == 200 and "takes about 2." in page.text and "http-equiv" not in page.text
    assert '<form method="post">' in page.text and "Compute it" in page.text


@pytest.mark.parametrize("path", ["check", "graph?open=7", "politeness", ""])
def test_a_command_is_begun_by_a_form_of_the_window_alone(shown, path):
    """It writes files beside the crawl."""
    assert shown.post(f"/a/findings/{path}".rstrip("/"), {"form_token": "guessed"}).status == 403
    assert shown.post("/a/findings/sites", {}).status == 405


def test_problems_by_kind(crawl, tmp_path):
    shutil.copytree(crawl, tmp_path / "b")
    evil = "<script>alert(1)</script>\x1b"
    with closing(open_check(tmp_path / "b" / NAME)) as db:
        links = [{"url": f"http://a.test/{n}", "line": 4, "column": 9 * n} for n in (1, 2, 3)]
        problems = [Problem(kind=BROKEN, source=HOME, text=evil, **each) for each in links]
        compare(db, problems, DEFAULT, 1_700_000_000.0)
    with window(tmp_path / "b") as each:
        page = each.get("/b/findings/check").text
        assert "Broken links (3, error)" in page and "2023-11-14 22:13" in page
        assert "line 4:9<" in page and "line 4:27<" in page
        assert "<script>alert" not in page and "&lt;script&gt;alert(1)&lt;/script&gt;\\x1b" in page
        assert "--only broken-link --all</code>" in page
        assert each.get("/b/findings/check?kind=long-title").status == 200
        assert each.get("/b/findings/check?kind=no").status == 200
        beside = each.get(f"/b/findings/check?kind={BROKEN}&page={HOME}").text
        assert "/b/url?u=http%3A%2F%2Fa.test%2F" in beside and "<iframe" in beside


def test_a_topic_is_named_only_where_there_is_one(crawl, shown, tmp_path):
    assert ">Topic<" not in shown.get("/a/findings/sites").text
    shutil.copytree(crawl, tmp_path / "c")
    (tmp_path / "c" / "topic").mkdir()
    with window(tmp_path / "c") as each:
        assert ">Topic<" in each.get("/c/findings/sites").text


@pytest.mark.parametrize("path", ["page", "page?of=politeness", "graph.json", "graph.json?by=site"])
def test_what_is_not_computed_says_so(shown, path):
    answer = shown.get(f"/a/findings/{path}")
    assert answer.status == 400 and "not computed yet" in answer.text


@pytest.mark.parametrize("query", ["by=x", "links=x"])
def test_a_graph_that_is_none(shown, query):
    assert shown.get(f"/a/findings/graph?{query}").status == 400


@pytest.mark.slow
def test_the_report_and_its_parts(shown):
    for path, of in (("", ""), ("/politeness", "?of=politeness"), ("/topic", "?of=topic")):
        text = computed(shown, f"/a/findings{path}")
        assert f'src="/a/findings/page{of}"' in text and "ttcrawl report" in text
        framed = shown.get(f"/a/findings/page{of}")
        policy = framed.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'self'" in policy
        assert 'rel="noreferrer"' not in framed.text
    assert 'href="/a/url?u=http%3A%2F%2Fa.test%2F' in shown.get("/a/findings/page").text


@pytest.mark.slow
def test_a_command_that_fails_says_why_and_can_run_again(shown):
    page = computed(shown, "/a/findings/graph?open=77")
    assert "could not be computed: no community opens at 77" in page and "Again</button>" in page
    again = shown.post("/a/findings/graph?open=77", {})
    assert (again.status, again.headers["location"]) == (303, "/a/findings/graph?open=77")


@pytest.mark.slow
def test_the_graph(shown):
    page = computed(shown, "/a/findings/graph?by=url&links=all")
    assert "--map --all --links all</code>" in page and 'src="/static/graph.js"' in page
    data = json.loads(shown.get("/a/findings/graph.json?by=url&links=all").text)
    assert {each["attributes"]["label"] for each in data["nodes"]} >= {HOME, OTHER}


@pytest.mark.slow
def test_a_check_that_is_demanded_is_kept(crawl, tmp_path):
    shutil.copytree(crawl, tmp_path / "d")
    with window(tmp_path / "d") as each:
        assert each.post("/d/findings/check", {}).status == 303
        page = computed(each, "/d/findings/check")
        assert "What the last check found" in page
    assert (tmp_path / "d" / NAME).is_file()
