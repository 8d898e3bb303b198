"""Scores of a page's links, and what is sent again because a better path was found."""

import pytest

from tests.support.crawls.any_messages import sample
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_canon, compile_scope
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.links.promises import Promises
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.ring.columns import Topic
from ttcrawl.ring.messages import NOT_FOLLOWED, Request
from ttcrawl.topic.grammar import read
from ttcrawl.topic.links import LinkScorer, by_terms
from ttcrawl.topic.scorer import Scorer

SEED = "http://a.test/"
GOOD, BAD = Topic(relevant=True, score=1.0, by="terms"), Topic(relevant=False, score=0.0, by="terms")
NEAR = Wanted(anchors=True, nearby=True)


def drosera():
    return LinkScorer(by_terms(Scorer(read("10: drosera=CP\n", "terms"))))


class Process:
    """The part of a parse process that sends links."""

    def __init__(self, scorer=None, **settings):
        config = Config()
        scope = compile_scope(config.scope, [SEED])
        self.follower = Follower(config, scope, compile_canon(config.url))
        self.promises = Promises(scorer, follow_all=False)

    def page(self, path, html, topic=BAD, depth=1, before=0):
        """Path -> (distance, score) of the links that are sent, and the stored scores."""
        request = sample(Request, url=f"http://a.test{path}", depth=depth, off_topic=before, requisite=0)
        links = self.follower.follow(request, extract(html.encode(), request.url, "lexbor", NEAR), False)
        links = self.promises.add(request, links, topic)
        assert len(links.scores) in (0, len(links.outlinks.regions))
        return {each.url[13:]: (each.distance, each.score) for each in links.new}, [each * 5 for each in links.scores]


def test_links_have_scores():
    html = (
        "<a href=/1>more</a><p><a href=/2>Drosera</a></p><p>on drosera: <a href=/3>here</a></p><a href=/drosera>x</a>"
        "<a rel=nofollow href=/4>no</a><a href=http://b.test/sundew/drosera>out of scope</a><img src=/drosera.png>"
    )
    sent, scores = Process(drosera()).page("/p", html)
    assert scores == [0, 500, 250, 350, 0, 0, 0]
    assert sent["/1"] == (2, 0) and sent["/2"] == (2, 500) and sent["/3"] == (2, 250) and sent["/drosera"] == (2, 350)
    assert sent["/drosera.png"][0] == NOT_FOLLOWED


def test_of_several_links_to_a_url_the_best_one_counts():
    process = Process(drosera())
    sent, scores = process.page("/p", "<a href=/1>more</a><p><a href=/1>Drosera</a></p><p><a href=/1#x>less</a></p>")
    assert sent == {"/1": (2, 500)} and scores == [0, 500, 0]


def test_a_link_is_sent_again_only_if_it_promises_more():
    process = Process(drosera())
    link, better = "<a href=/1>more</a>", "<a href=/1>Drosera</a>"
    assert process.page("/p", link)[0] == {"/1": (2, 0)}
    assert process.page("/q", link)[0] == {}
    assert process.page("/r", better)[0] == {"/1": (2, 500)}
    assert process.page("/s", better)[0] == process.page("/t", link)[0] == {}
    assert process.page("/u", link, GOOD)[0] == {"/1": (2, 0)}  # fewer irrelevant pages, and more from the page
    assert process.page("/v", link, GOOD)[0] == process.page("/w", better, before=5)[0] == {}
    assert process.page("/x", better, GOOD)[0] == {"/1": (2, 500)}
    assert process.page("/y", better, GOOD, depth=3)[0] == {}
    assert process.page("/z", link, BAD, depth=0)[0] == {"/1": (1, 0)}  # nearer


@pytest.mark.parametrize("topic", [BAD, None])
def test_without_scores_of_links_fewer_irrelevant_pages_are_sent_again(topic):
    process, link = Process(), "<a href=/1>Drosera</a>"
    assert process.page("/p", link, topic, before=3) == ({"/1": (2, 0)}, [])
    assert process.page("/q", link, topic, before=3)[0] == {}
    assert process.page("/r", link, topic, before=2)[0] == {"/1": (2, 0)}
    assert process.page("/s", link, GOOD, before=9)[0] == {"/1": (2, 0)}
    assert process.page("/t", link, GOOD)[0] == {}


def test_links_of_a_page_requisite_are_no_paths():
    process = Process(drosera())
    assert process.page("/frame", "<a href=/1>Drosera</a>", depth=NOT_FOLLOWED)[0]["/1"][0] == NOT_FOLLOWED
    assert process.page("/p", "<a href=/1>more</a>")[0] == {"/1": (2, 0)}


def test_an_error_of_a_rating_costs_the_scores_alone():
    def broken(text):
        raise RuntimeError(text)

    sent, scores = Process(LinkScorer(broken)).page("/p", "<a href=/1>more</a>")
    assert sent == {"/1": (2, 0)} and scores == [0]


def test_a_path_that_counts_is_sent_after_one_that_is_ignored():
    """With tunnel = 2 the second is ignored; then the third one is the best."""
    process = Process(drosera())
    assert process.page("/p", "<a href=/1>more</a>")[0] == {"/1": (2, 0)}
    assert process.page("/q", "<a href=/1>Drosera</a>", before=2)[0] == {"/1": (2, 500)}
    assert process.page("/r", "<p>on drosera: <a href=/1>here</a></p>", before=1)[0] == {"/1": (2, 250)}


@pytest.mark.parametrize("topic", [BAD, GOOD])
def test_fewer_irrelevant_pages_are_sent_after_a_deeper_path_with_fewer(topic):
    """With a limit on depth the first is ignored."""
    process, link = Process(), "<a href=/1>Drosera</a>"
    assert process.page("/p", link, GOOD, depth=9)[0] == {"/1": (10, 0)}
    assert process.page("/q", link, BAD, depth=3, before=2)[0] == {"/1": (4, 0)}
    assert process.page("/r", link, topic, depth=3, before=1)[0] == {"/1": (4, 0)}
