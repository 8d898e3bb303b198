"""Links that stand on duplicates alone are followed, or are not, and then they are when they stand elsewhere too."""

import pytest

from tests.engine.duplicates.near import HOST, ONE, SITE
from tests.inspect.why.predicted import predicted
from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web, page

PATH = "substr(url.url, instr(substr(url.url, 8), '/') + 7)"
STATES = f"SELECT {PATH}, state, reason, depth FROM url ORDER BY 1"


@pytest.mark.parametrize("follow", ["yes", "no"])
def test_links_of_duplicates(tmp_path, follow):
    with Web(SITE) as web:
        done = crawl(web, web.url(HOST, "/"), tmp_path / "c", *ONE, "--set", f"duplicates.follow={follow}")
    assert done.query("SELECT url, near_duplicate_of, similarity > 0.9 FROM duplicate") == [(3, 2, 1)]
    states = {path: tuple(rest) for path, *rest in done.query(STATES)}
    fetched = {path: ("fetched", "http 200", depth) for path, depth in {"/": 0, "/a": 1, "/b": 1, "/c": 1}.items()}
    fetched |= {path: ("fetched", "http 200", 2) for path in ("/of-a", "/of-b", "/shared")}
    regions = "SELECT DISTINCT region FROM link WHERE source = 3"
    if follow == "yes":
        assert states == fetched and done.query(regions) == [("c",)]
    else:
        assert states == fetched | {"/of-b": ("refused", "duplicate", None)} and done.query(regions) == [("d",)]
        rule = "SELECT rule.text FROM url JOIN rule ON rule.id = rule WHERE reason = 'duplicate'"
        assert done.query(rule) == [("[duplicates] follow = no",)]
    assert verified(done.directory) == ""
    for rules in (["crawl.max_depth=9"], ["links.nofollow=no"]):  # what would have been the same is said to be so
        assert predicted(done.directory, rules) == done.states()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "marks"),
    [
        ((), {("/copy", "bytes"), ("/b", "near")}),
        (("duplicates.near=no",), {("/copy", "bytes")}),
        (("duplicates.exact=no",), {("/copy", "near"), ("/b", "near")}),
        (("duplicates.exact=no", "duplicates.near=no"), set()),
    ],
    ids=["both", "exact", "near", "none"],
)
def test_each_part_can_be_switched_off(tmp_path, options, marks):
    site = SITE | {(HOST, "/"): Answer(body=page("/a", "/b", "/copy")), (HOST, "/copy"): SITE[HOST, "/a"]}
    told = f"SELECT {PATH}, same FROM duplicate JOIN url ON url.id = duplicate.url"
    with Web(site) as web:
        settings = [part for option in options for part in ("--set", option)]
        done = crawl(web, web.url(HOST, "/"), tmp_path / "c", *ONE, *settings)
    assert set(done.query(told)) == marks and verified(done.directory) == ""
