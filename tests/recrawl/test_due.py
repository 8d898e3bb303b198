"""`ttcrawl requeue --visits`: a whole crawl, or a part of it, is visited again now."""

import pytest

from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import BEGIN, DAY, Scripted
from tests.support.crawls.crawling import query, verified
from ttcrawl.cli import main

#: A page, one that is a redirect to /there (an error), one that is missing at the second visit.
SCRIPTS = {
    "a.test": ((0, 200, "page"),),
    "b.test": ((0, 301, "/there"),),
    "c.test": ((0, 200, "another page"), (0.5, 404, "not found")),
}

#: No visit is due in the days of the tests.
FIXED = {"revisit.interval": 10 * DAY}
BUDGET = {"revisit.policy": "uniform", "revisit.budget": 10, "revisit.shortest": 10 * DAY}


def requests(directory):
    """Host -> number of requests for pages."""
    rows = query(
        directory, "SELECT host, count(*) FROM visit JOIN site ON site.id = site WHERE kind = 'page' GROUP BY 1"
    )
    return {host.partition(":")[0]: count for host, count in rows}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "policy", "number", "more"),
    [
        ((), FIXED, 4, [1, 2, 1]),
        (("--host", "A.test:*"), FIXED, 1, [1, 0, 0]),
        (("--url", "*/there", "--state", "fetched"), BUDGET, 1, [0, 1, 0]),
        (("--reason", "http 301"), FIXED, 1, [0, 1, 0]),
        ((), BUDGET, 4, [1, 2, 1]),
    ],
)
def test_what_is_named_is_visited_now(tmp_path, capsys, options, policy, number, more):
    directory, clock = tmp_path / "c", Clock()
    with served({host: Scripted(script=script) for host, script in SCRIPTS.items()}, clock) as port:
        recrawl(directory, SCRIPTS, port, clock, DAY, policy, once=True)
        before = requests(directory)
        assert main(["requeue", str(directory), "--visits", *options]) == 0
        assert capsys.readouterr().out.startswith("1 URL is due" if number == 1 else f"{number} URLs are due")
        assert verified(directory) == ""
        # the first run has slept until the next visit; a minute after its beginning none is due
        recrawl(directory, SCRIPTS, port, Clock(BEGIN + 60), DAY, policy, once=True)
    assert verified(directory) == ""
    after = requests(directory)
    assert [after[host] - before[host] for host in SCRIPTS] == more


@pytest.mark.slow
def test_a_page_that_is_missing_keeps_its_next_visit(tmp_path, capsys):
    directory, clock = tmp_path / "c", Clock()
    with served({"c.test": Scripted(script=SCRIPTS["c.test"])}, clock) as port:
        recrawl(directory, ["c.test"], port, clock, 1.01 * DAY)
    before = query(directory, "SELECT next, missing FROM revisit")
    assert [missing for _, missing in before] == [1]
    assert main(["requeue", str(directory), "--visits"]) == 0
    assert query(directory, "SELECT next, missing FROM revisit") == before
    assert capsys.readouterr().out == "0 URLs are due\n"


@pytest.mark.parametrize("options", [("--rule", "x"), ("--state", "refused"), ("--state", "deleted")])
def test_what_is_not_visited_is_refused(tmp_path, capsys, options):
    assert main(["requeue", str(tmp_path), "--visits", *options]) == 2
    assert "requeue them without --visits" in capsys.readouterr().err
