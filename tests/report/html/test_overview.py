"""What the overview says of crawls of every kind."""

from dataclasses import replace

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.html.overview import overview
from ttcrawl.report.study import study
from ttcrawl.store.mailbox import CLUSTER


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    place = tmp_path_factory.mktemp("overview")
    done = study(crawl_of(place, {"http://a.test/": ["http://a.test/1"], "http://a.test/1": []}))
    summary = replace(
        done.summary, finished="done", queued=0, pages=2, statuses={200: 2}, fetch_errors={}, failed={}, refused={}
    )
    politeness = replace(done.politeness, delayed=1, broken=0)
    return replace(done, summary=replace(summary, obey_delay=True, started=1.7e9), politeness=politeness)


def facts_of(crawl):
    return {label: " | ".join(lines) for label, lines in overview("x", crawl).facts}


CASES = [
    ({}, []),
    ({"finished": "", "queued": 3}, ["The crawl is running, or was killed"]),
    ({"finished": "user", "queued": 1}, ["Stopped (user) with 1 URL queued; ttcrawl resume x continues."]),
    (
        {"finished": "max_pages", "queued": 1},
        ["Stopped (max_pages) with 1 URL queued; ttcrawl resume x --max-pages N continues (N pages in all"],
    ),
    ({"pages": 0}, ["No page was fetched."]),
    (
        {"statuses": {200: 1, 404: 3, 500: 1}, "fetch_errors": {"http 404": 3, "http 500": 1, "dns": 9}},
        ["4 pages answered with an error (most often http 404)."],
    ),
    ({"failed": {"dns": 1}}, ["1 URL failed (dns)."]),
    ({"robots_unreachable": 2}, ["The robots.txt of 2 sites had no usable response."]),
    ({"parse_errors": 1}, ["1 page could not be parsed."]),
    ({"unread": 5}, ["5 pages are not read yet (ttcrawl read x)."]),
]


@pytest.mark.parametrize("changed, problems", CASES)
def test_what_is_wrong(crawl, changed, problems):
    result = overview("x", replace(crawl, summary=replace(crawl.summary, **changed))).problems
    assert len(result) == len(problems)
    assert all(text.startswith(start) for text, start in zip(result, problems, strict=True))


@pytest.mark.parametrize(
    ("finished", "start"), [("", "The crawl is running, or was killed"), ("user", "Stopped (user)")]
)
def test_the_command_that_continues_a_cluster(crawl, tmp_path, finished, start):
    (tmp_path / "my rings").mkdir()
    (tmp_path / "my rings" / CLUSTER).touch()
    stopped = replace(crawl, summary=replace(crawl.summary, finished=finished, queued=1))
    (problem,) = overview(str(tmp_path / "my rings"), stopped).problems
    assert problem.startswith(start) and f"ttcrawl cluster resume '{tmp_path}/my rings' continues" in problem


def test_broken_delays_are_wrong(crawl):
    rude = replace(crawl, politeness=replace(crawl.politeness, delayed=9, broken=2))
    assert overview("x", rude).problems == ("2 gaps too short: see ttcrawl report x --politeness.",)
    assert facts_of(rude)["How polite"].startswith("2 of 9 gaps between requests too short")


def test_soft_404s_are_wrong(crawl):
    soft = replace(crawl, soft_404=replace(crawl.soft_404, pages=1))
    assert overview("x", soft).problems == ("1 soft 404: error pages with a status of success.",)


@pytest.mark.parametrize(
    "changed, label, text",
    [
        ({"seeds": tuple(f"http://{n}.test/" for n in range(9))}, "What", "http://2.test/ | and 6 more seeds | scope"),
        ({}, "When", "2023-11-14 22:13 UTC"),
        ({"started": 0.0}, "When", "not started"),
        ({"pages_per_second": None, "requests": 1}, "How fast", "1 request"),
        ({}, "How polite", "0 of 1 gap between requests too short"),
        ({"pages_per_second": 0.0, "pages": 0, "requests": 2}, "How fast", "2 requests"),
        ({"started": 1.7e9, "finished": "failed: no page"}, "When", "of crawling, failed: no page"),
        ({"obey_delay": False}, "How polite", "delays were switched off"),
        ({"refused": {"robots.txt": 7, "kind": 2}}, "How polite", "7 URLs forbidden and not requested"),
    ],
)
def test_facts(crawl, changed, label, text):
    fact = facts_of(replace(crawl, summary=replace(crawl.summary, **changed)))[label]
    assert text in fact and (label != "How fast" or text == fact)
