"""Policies on a recorded web: what they visit, in which order, and what is counted."""

from itertools import pairwise

import pytest

from tests.lab.recorded import HOSTS, PAGES, model, record, recorded, tried
from ttcrawl.errors import UsageError
from ttcrawl.lab.bench import tried_of
from ttcrawl.lab.candidates import Candidates
from ttcrawl.lab.experiment import experiment, limits_of
from ttcrawl.lab.pagerank import pagerank, rank_mass
from ttcrawl.lab.policies import POLICIES
from ttcrawl.lab.record import Answer, RecordedUrl
from ttcrawl.lab.trial import MISSING, PAGE
from ttcrawl.web.url import host

#: The policies that a record without scores permits.
PLAIN = [name for name in POLICIES if name not in ("relevant", "topic")]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    return record(tmp_path_factory.mktemp("record"), model())


def urls(done):
    return [each.url for each in done.visits]


@pytest.mark.parametrize("name", PLAIN)
def test_every_policy_visits_every_page_once_and_the_same_again(crawl, name):
    done, curves = tried(crawl, name)
    again, _ = tried(crawl, name)
    assert done.visits == again.visits
    assert len({*urls(done)}) == len(done.visits) == curves.last.pages
    assert curves.complete and curves.last.in_links == pytest.approx(1)
    with recorded(crawl) as (_, web):
        assert {*urls(done)} == {each.url for each in web.urls.values()}


def test_policies_differ(crawl):
    names = ("breadth", "random", "in-links", "pagerank")
    assert len({tuple(urls(tried(crawl, name)[0])) for name in names}) == len(names)


def test_larger_sites_come_first_where_hosts_compete(crawl):
    """With one request in flight, several hosts are due."""
    one = ",crawl.fetchers=1,crawl.threads=1,politeness.delay=0.01"
    orders = [urls(tried(crawl, f"{name}{one}")[0]) for name in ("breadth", "larger-sites")]
    assert sorted(orders[0]) == sorted(orders[1]) and orders[0] != orders[1]


def test_no_host_is_asked_before_its_delay(crawl):
    done, _ = tried(crawl, "in-links", ("politeness.delay", "3"))
    for name in {host(each) for each in urls(done)}:
        moments = [each.seconds for each in done.visits if host(each.url) == name]
        assert all(after - before >= 3 for before, after in pairwise(moments))


def test_linked_pages_come_first_by_in_links(crawl):
    early = {name: tried(crawl, name)[1].at(40).in_links for name in ("in-links", "random")}
    assert early["in-links"] > early["random"]


def test_another_seed_draws_other_times(crawl):
    ends = {tried(crawl, "breadth", seed=seed)[0].visits[-1].seconds for seed in range(4)}
    assert len(ends) > 1


def test_seeds_give_a_range_in_which_the_recorded_times_lie(crawl):
    with recorded(crawl) as (view, _):
        done = experiment(view, [tried_of("breadth"), tried_of("random")], trials=3)
    assert [(each.name, each.trial) for each in done.curves] == [
        (name, seed) for name in ("breadth", "random") for seed in range(3)
    ]
    assert limits_of(done) == []


def test_processes_change_no_result(crawl, tmp_path):
    (tmp_path / "mine.py").write_text("def score(candidate):\n    return candidate.in_links\n")
    names = ("breadth", "random", f"{tmp_path}/mine.py:score", lambda candidate: candidate.depth)
    with recorded(crawl) as (view, _):
        one, two = (experiment(view, [tried_of(name) for name in names], trials=2, processes=each) for each in (1, 2))
    assert one == two and len(two.curves) == 2 * len(names)


def test_an_error_in_another_process_is_told(crawl, tmp_path):
    (tmp_path / "mine.py").write_text("def score(candidate):\n    return 1 / 0\n")
    with recorded(crawl) as (view, _), pytest.raises(UsageError, match="fails for http://h"):
        experiment(view, [tried_of("breadth"), tried_of(f"{tmp_path}/mine.py:score")], processes=2)


def test_what_the_record_lacks_is_counted(tmp_path):
    cut = record(tmp_path, model(), {"crawl.max_pages": "60"})
    done, curves = tried(cut, "random")
    missing = [each for each in done.visits if each.outcome == MISSING]
    assert curves.last.missing == len(missing) > 0
    assert curves.last.pages == len([each for each in done.visits if each.outcome == PAGE]) <= 60
    with recorded(cut) as (view, web):
        assert web.unanswered >= len(missing)
        (line,) = limits_of(experiment(view, [tried_of("random")]))
    assert f"requested up to {len(missing)} of them" in line


def test_equal_bodies_count_as_one_content(tmp_path):
    _, curves = tried(record(tmp_path, model(bodies=5)), "breadth")
    assert (curves.last.distinct, curves.last.duplicates) == (5, curves.last.pages - 5)


def test_fewer_requests_in_flight_take_longer(crawl):
    ends = [tried(crawl, f"breadth,crawl.fetchers=1,crawl.threads={each}")[1].last.seconds for each in (1, HOSTS)]
    assert ends[0] > ends[1]


def test_a_policy_of_ones_own(crawl, tmp_path):
    (tmp_path / "mine.py").write_text("def score(candidate):\n    return -int(candidate.url.rpartition('/')[2])\n")
    done, _ = tried(crawl, f"{tmp_path}/mine.py:score")
    for name in {host(each) for each in urls(done)}:
        numbers = [int(each.rpartition("/")[2]) for each in urls(done) if host(each) == name]
        assert numbers.index(PAGES - 1) > PAGES // 2  # the last ones last, as far as they are known


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("width", "there is no policy 'width'"),
        ("breadth,delay=5", "'delay=5' is neither SECTION.KEY=VALUE nor traps=off"),
        ("nowhere.py:score", "cannot be read: No such file or directory"),
        ("{tmp}/mine.py:other", "has no function other"),
        ("{tmp}/broken.py:score", "the file fails: SyntaxError"),
    ],
)
def test_a_policy_that_cannot_be_used_is_named(tmp_path, text, line):
    (tmp_path / "mine.py").write_text("def score(candidate):\n    return 1\n")
    (tmp_path / "broken.py").write_text("def\n")
    with pytest.raises(UsageError, match=line.replace("(", r"\(")):
        tried_of(text.format(tmp=tmp_path))


@pytest.mark.parametrize(
    ("body", "line"), [("1 / 0", "fails for http://h"), ("float('nan')", "returns no number for http://h")]
)
def test_a_policy_that_fails_ends_the_trial_with_its_url(crawl, tmp_path, body, line):
    (tmp_path / "mine.py").write_text(f"def score(candidate):\n    return {body}\n")
    with pytest.raises(UsageError, match=line):
        tried(crawl, f"{tmp_path}/mine.py:score")


def test_relevant_needs_scores(crawl):
    with recorded(crawl) as (view, _), pytest.raises(UsageError, match="topic score DIR --save"):
        experiment(view, [tried_of("relevant")])


def test_a_crawl_without_pages_is_no_record(tmp_path):
    empty = record(tmp_path, model(hosts=1, dead=frozenset(["192.0.2.0"])))
    with pytest.raises(UsageError, match="has no page"), recorded(empty):
        pass


def test_pagerank_is_the_published_one():
    """A page that all link to has the most; a page without in-links the least."""
    a, b, c = (
        RecordedUrl(number, number, f"http://{name}.test/", f"{name}.test", 0) for number, name in enumerate("abc")
    )
    candidates = Candidates()
    for page, targets in ((a, [b]), (b, [c]), (c, [b])):
        candidates.add_links(page, Answer(status=200, reason=""), 0, targets)
    ranks = dict(zip([each.url for each in candidates.all()], pagerank(candidates), strict=True))
    assert sum(ranks.values()) == pytest.approx(3)
    assert ranks[b.url] > ranks[c.url] > ranks[a.url] == pytest.approx(0.15)


def test_cash_is_divided_among_links():
    """OPIC: each page begins with the same cash, and hands on what it has when it is read."""
    a, b, c = (
        RecordedUrl(number, number, f"http://{name}.test/", f"{name}.test", 0) for number, name in enumerate("abc")
    )
    candidates = Candidates([(a.url, a.host)])
    for page, targets, expected in ((a, [b, c], [1, 1.5, 1.5]), (b, [c], [1, 1.5, 3]), (c, [a], [4, 1.5, 3])):
        candidates.add_links(page, Answer(status=200, reason=""), 0, targets)
        assert [each.cash for each in candidates.all()] == expected


def test_rank_mass_is_a_lower_bound_that_grows():
    """Cho and Schonfeld 2007: without a page, what is known of its paths is missing; with all, nothing is."""
    a, b, c = (
        RecordedUrl(number, number, f"http://{name}.test/", f"{name}.test", 0) for number, name in enumerate("abc")
    )
    candidates = Candidates([(a.url, a.host)])
    sums, reads = [], [(a, [b, c]), (b, [a]), (c, [a])]
    for page, targets in reads:
        candidates.add_links(page, Answer(status=200, reason=""), 0, targets)
        handed = [each.rank_mass for each in candidates.all()]
        bounds = rank_mass(candidates)
        assert all(one <= other + 1e-12 for one, other in zip(handed, bounds, strict=True))
        sums.append(sum(bounds))
    assert sums == sorted(sums) and sums[-1] == pytest.approx(1, abs=0.01)
    half = 0.85 / 2
    assert bounds == pytest.approx([1 / 1.85, half / 1.85, half / 1.85], abs=0.01)
