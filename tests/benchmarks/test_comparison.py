"""The comparison with other crawlers: what is served and how it is judged is what the page says."""

from pathlib import Path

import pytest

from benchmarks.comparison import hostile, kills, links, politeness
from benchmarks.comparison.__main__ import MANUAL, PARTS, marks
from benchmarks.comparison.peers import PEERS, Order
from tests.support.web.site import Hit

TEXT = MANUAL.read_text(encoding="utf-8")


@pytest.mark.parametrize("part", PARTS)
def test_the_manual_has_a_place_for_each_part(part):
    begin, end = marks(part)
    assert TEXT.count(begin) == TEXT.count(end) == 1
    assert TEXT.index(begin) < TEXT.index(end)


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_crawler_is_told_what_it_is_asked(peer, tmp_path):
    seed = "http://127.0.0.1:8000/"
    plain = peer.command(Order(seeds=(seed,), folder=tmp_path))
    assert all(isinstance(word, str) for word in plain) and "127.0.0.1:8000" in " ".join(plain)
    assert peer.command(Order(seeds=(seed,), folder=tmp_path, timeout=2)) != plain or peer.name == "LinkChecker"
    resumed = peer.command(Order(seeds=(seed,), folder=tmp_path, state=True, resume=True))
    assert bool(peer.resumes) == (resumed != plain)


def test_the_target_of_a_form_is_linked_by_that_form_alone():
    targets = [(form.host, form.target) for form in links.FORMS.values()]
    assert len(set(targets)) == len(targets)
    assert set(targets) <= links.site().keys()


@pytest.mark.slow  # 4 s
def test_which_forms_are_followed():
    not_followed = {"in a feed", "on a page of status 404", "written by a script"}
    wanted = {form for form, what in links.FORMS.items() if not what.forbidden}
    assert links.requested("links", "ttcrawl") == wanted - not_followed


@pytest.mark.parametrize("kind", [kind for kind in hostile.KINDS if "bomb" not in kind])
def test_a_hostile_site_has_its_honest_pages(kind):
    site = hostile.site(kind)
    assert {path for _, path in site} >= hostile.PAGES
    assert all(site[hostile.HOST, path].fate == "answer" for path in hostile.PAGES)


@pytest.mark.parametrize(
    "outcome, text",
    [
        ((True, 21, 30, 10**8), "yes"),
        ((True, 11, 30, 10**8), "11 of 21 pages"),
        ((False, 21, 30, 10**8), "no end"),
        ((False, 1, 30, 2 * 10**9), "no end, 1 of 21 pages, 2.0 GB"),
        ((True, 21, 30, 2 * 10**9), "yes, 2.0 GB"),
    ],
)
def test_words_of_an_outcome(outcome, text):
    ended, honest, requests, memory = outcome
    assert str(hostile.Outcome(ended=ended, honest=honest, requests=requests, memory=memory)) == text


def hit(host: str, arrived: float, answered: float) -> Hit:
    return Hit(arrived=arrived, answered=answered, host=host, path="/", status=200, agent="")


def test_gaps_are_those_of_a_host():
    delayed, other = politeness.HOSTS[:2]
    log = [hit(delayed, 0, 0.5), hit(other, 0.1, 0.2), hit(delayed, 2.5, 2.6), hit(other, 1.2, 1.3)]
    assert politeness.judged(log) == pytest.approx((1.0, 2.0, 1))


def test_requests_at_once_are_no_gap():
    (_, other) = politeness.HOSTS[:2]
    gap, _, most = politeness.judged([hit(other, 0, 2), hit(other, 1, 2), hit(other, 1.5, 2)])
    assert (gap, most) == (0, 3)


def test_all_pages_of_the_site_that_is_killed_are_linked():
    site, seen, queue = kills.site(), {"/"}, ["/"]
    while queue:
        body = site[kills.HOST, queue.pop()].body.decode()
        new = {path for path in kills.PATHS if f'href="{path}"' in body} - seen
        seen |= new
        queue += new
    assert seen == set(kills.PATHS)


def test_pages_are_found_in_files_and_in_archives_that_were_cut(tmp_path):
    import gzip

    (tmp_path / "a.html").write_bytes(b"<title>Page /p/1.html</title>")
    members = [gzip.compress(b"<title>Page %s</title>" % path) for path in (b"/", b"/p/2.html")]
    (tmp_path / "b.warc.gz").write_bytes(b"".join(members) + gzip.compress(b"x" * 99)[:-9])
    assert kills.kept_pages(Path(tmp_path)) == {"/", "/p/1.html", "/p/2.html"}
