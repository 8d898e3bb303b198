"""--apply does what --as-if shows: a crawl that goes on under other rules ends as one that began with them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.inspect.why.predicted import predicted
from tests.inspect.why.ruled_web import HOSTS, OPTIONS, differing, options_of, web
from tests.support.crawls.crawling import Crawled, crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, at, page
from ttcrawl.config import read
from ttcrawl.vocabulary.reason import BY_PATH

NARROW = ("--max-depth", "3")


@pytest.fixture(scope="module")
def running():
    with web() as served:
        yield served


@pytest.fixture(scope="module")
def narrow(running, tmp_path_factory) -> Crawled:
    directory = tmp_path_factory.mktemp("narrow") / "c"
    return crawl(running, running.url(HOSTS[0], "/"), directory, *OPTIONS, *NARROW)


def applied(directory: Path, rules: list[str]) -> dict[str, int]:
    """The numbers that --apply tells."""
    options = [part for rule in rules for part in ("--as-if", rule)]
    done = run("why", directory, *options, "--apply", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert verified(directory) == ""
    return json.loads(done.stdout)["applied"]


WIDER = [["crawl.max_depth=6"], ["scope.extensions="], ["links.nofollow=no"], ["traps.repeats=9"], ["scope.scope=any"]]


@pytest.mark.slow
@pytest.mark.parametrize("rules", [pytest.param(each, id=each[0]) for each in WIDER])
def test_wider_rules(running, narrow: Crawled, tmp_path: Path, rules: list[str]) -> None:
    limit = () if "max_depth" in rules[0] else NARROW
    wide = crawl(running, running.url(HOSTS[0], "/"), tmp_path / "w", *OPTIONS, *limit, *options_of(rules))
    done = crawl(running, running.url(HOSTS[0], "/"), tmp_path / "n", *OPTIONS, *NARROW)
    before, shown = done.states(), predicted(done.directory, rules)
    told = applied(done.directory, rules)
    queued = {url for url, (state, _) in done.states().items() if state == "queued"}
    assert queued == {url for url, after in shown.items() if after == ("queued", "")} and len(queued) == told["queued"]
    seen = Counter((hit.host, hit.path) for hit in running.log())
    assert run("resume", done.directory, "--progress", "none", "--inline").returncode == 0
    assert verified(done.directory) == ""
    asked = Counter((hit.host, hit.path) for hit in running.log()) - seen
    assert max(asked.values()) == 1
    # a link on a page that was read under the narrow rules may be seen on no other
    missing = {url for url in differing(done.states(), wide.states()) if before.get(url, ("", ""))[1] not in BY_PATH}
    assert missing == set()


@pytest.mark.slow
def test_narrower_rules(running, tmp_path: Path) -> None:
    rules = ["exclude=path:/e/", "crawl.max_depth=4"]
    done = crawl(running, running.url(HOSTS[0], "/"), tmp_path / "c", *OPTIONS, "--max-pages", "30")
    assert done.status == 3
    told = applied(done.directory, rules)
    assert told["refused"] > 0 and told["queued"] == 0
    config = read(done.directory / "config.ini")
    assert config.crawl.max_depth == 4 and "exclude path:/e/" in str(config.scope.rules)
    seen = len(running.log())
    assert run("resume", done.directory, "--progress", "none", "--inline", "--max-pages", "0").returncode == 0
    assert verified(done.directory) == ""
    asked = [hit.path for hit in running.log()[seen:]]
    assert len(asked) > 5 and not any("/e/" in path for path in asked)
    again = applied(done.directory, ["links.nofollow=page"])  # the rule that holds already
    assert (again["queued"], again["refused"]) == (0, 0)


@pytest.mark.slow
def test_a_seed_that_a_page_had_linked_to(tmp_path: Path) -> None:
    """Its pages are as far from the seeds as in a crawl that began with it."""
    pages = {("a.test", "/"): Answer(body=page(at("b.test", "/")))}
    pages |= {("b.test", f"/{n or ''}"): Answer(body=page(f"/{n + 1}")) for n in range(4)}
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--max-depth", "1")
        assert run("resume", done.directory, web.url("b.test", "/"), "--progress", "none").returncode == 0
        assert done.states()[web.url("b.test", "/2")] == ("refused", "depth")
        assert applied(done.directory, ["crawl.max_depth=3"])["queued"] == 1
        assert run("resume", done.directory, "--progress", "none").returncode == 0
        assert verified(done.directory) == ""
        depths = done.query("SELECT url, depth FROM url WHERE url LIKE '%b.test%'")
        assert dict(depths) == {web.url("b.test", f"/{n or ''}"): n for n in range(5)}
        told = run("why", done.directory, web.url("b.test", "/")).stdout
    assert "a seed, added when the crawl continued" in told and "queued" not in told
    sites = json.loads(run("report", done.directory, "--format", "json").stdout)["sites"]["seeds"]
    assert sites["sites"] == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--apply",), "give one of these: URLs, --summary, or --as-if"),
        (("--summary", "--apply"), "--apply needs rules: --as-if RULE --apply"),
        (("--as-if", "fetch.retries=1", "--apply"), "its effect is unknown without requests"),
    ],
)
def test_what_cannot_be_applied(narrow: Crawled, options: tuple[str, ...], said: str) -> None:
    before = (narrow.directory / "config.ini").read_text()
    done = run("why", narrow.directory, *options)
    assert done.returncode == 2 and said in done.stderr
    assert (narrow.directory / "config.ini").read_text() == before
