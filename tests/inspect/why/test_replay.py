"""What --as-if says is what a crawl under those rules does: the same web is crawled again, and every URL compared."""

import json

import pytest

from tests.inspect.why.predicted import predicted
from tests.inspect.why.ruled_web import HOSTS, OPTIONS, differing, options_of, web
from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from ttcrawl.inspect.why.as_if import as_if_rules
from ttcrawl.inspect.why.open_crawl import open_crawl
from ttcrawl.inspect.why.replay import NEVER, replay
from ttcrawl.vocabulary.reason import BY_PATH


@pytest.fixture(scope="module")
def running():
    with web() as served:
        yield served


@pytest.fixture(scope="module")
def first(running, tmp_path_factory):
    done = crawl(running, running.url(HOSTS[0], "/"), tmp_path_factory.mktemp("replay") / "c", *OPTIONS)
    assert done.status == 0, done.err
    states = {state for state, _ in done.states().values()}
    assert states == {"fetched", "moved", "refused"}, done.states()
    return done


@pytest.mark.slow
def test_the_rules_of_the_crawl_change_nothing(first):
    for rules in ([], ["scope.scope=domain"], ["links.nofollow=page"], ["crawl.max_depth=-1"]):
        assert predicted(first.directory, rules) == first.states()


NARROWER = [
    ["exclude=path:/e/"],
    ["links.nofollow=all"],
    ["exclude=depth:>3"],
    ["scope.max_redirects=2"],
    ["exclude=path:/d/", "allow=*.html", "crawl.max_depth=9"],
    ["exclude=*.html"],
    ["exclude=host:b.site.test"],
    ["crawl.max_depth=4"],
    ["crawl.max_depth=0"],
    ["scope.scope=host"],
    ["scope.max_url=120"],
    ["traps.max_parameters=1", "exclude=regex:/[dg]/[0-9]*[02468]", "crawl.max_depth=9"],
]
WIDER = [
    ["crawl.max_depth=6"],
    ["links.nofollow=no"],
    ["links.follow=all"],
    ["scope.extensions="],
    ["traps.repeats=9"],
    ["allow=*.png"],
    ["scope.scope=any"],
]


def some(cases, at_once):
    """Each costs a crawl or two: the others are slow."""
    marks = [()] * at_once + [pytest.mark.slow] * (len(cases) - at_once)
    return [pytest.param(rules, marks=mark, id=" ".join(rules)) for rules, mark in zip(cases, marks, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("rules", some(NARROWER, at_once=5))
def test_a_crawl_under_narrower_rules(running, first, tmp_path, rules):
    second = crawl(running, running.url(HOSTS[0], "/"), tmp_path / "c", *OPTIONS, *options_of(rules))
    assert second.status == 0, second.err
    expected = {url: would for url, would in predicted(first.directory, rules).items() if would != NEVER}
    assert differing(second.states(), expected) == {}
    assert expected and expected != first.states()
    # and from there the rules of the second crawl, which is the narrower one, change nothing
    assert predicted(tmp_path / "c", []) == second.states()


@pytest.mark.slow
@pytest.mark.parametrize("rules", some(WIDER, at_once=2))
def test_wider_rules_queue_what_a_wider_crawl_asks_for(running, tmp_path, rules):
    """A narrow crawl, as if it were wider: what is queued then is just what the wider crawl does not refuse either."""
    narrow = crawl(running, running.url(HOSTS[0], "/"), tmp_path / "n", *OPTIONS, "--max-depth", "3")
    limit = () if "max_depth" in rules[0] else ("--max-depth", "3")
    wide = crawl(running, running.url(HOSTS[0], "/"), tmp_path / "w", *OPTIONS, *limit, *options_of(rules)).states()
    gained = {url for url, would in predicted(tmp_path / "n", rules).items() if would == ("queued", "")}
    assert gained and {wide[url][0] for url in gained} <= {"fetched", "moved", "failed"}
    before = narrow.states()
    wanted = {url for url, (state, _) in wide.items() if state != "refused" and before.get(url, NEVER)[0] == "refused"}
    assert gained <= wanted
    # what is wanted beyond that was met only where the narrow crawl did not follow, or from pages it did not read
    assert all(before[url][1] in BY_PATH for url in wanted - gained)


def test_what_is_said(first):
    with open_crawl(first.directory) as crawl_:
        rules = ["exclude=path:/e/"]
        changes = replay(crawl_, rules, as_if_rules(crawl_, rules))
    said = run("why", first.directory, "--as-if", "exclude=path:/e/")
    told = run("why", first.directory, "--as-if", "exclude=path:/e/", "--format", "json")
    assert json.loads(told.stdout)["lost"] == changes.lost > 0
    assert f"{changes.refused:,} URLs that were requested or queued would be refused" in said.stdout
    assert sum(each.before for each in changes.reasons) == sum(each.after for each in changes.reasons) == changes.urls
    assert changes.fetched_before - changes.fetched_after == changes.refused + changes.lost
    assert all(each.examples and each.urls >= len(each.examples) for each in changes.changes)
