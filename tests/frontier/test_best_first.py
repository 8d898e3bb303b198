"""Best first in the crawl process: which URL and which host is next, and scores that depend on no order."""

import random
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from tests.frontier.book import Book, link
from tests.frontier.queue import Queue
from ttcrawl.parse.read import NOWHERE
from ttcrawl.ring.messages import Moved
from ttcrawl.store.rows import Relevance
from ttcrawl.topic.best_first import FULL, handed_down, off_topic, offered
from ttcrawl.topic.links import STEP


@dataclass
class Web:
    """Page -> how relevant it is, and its links with their scores."""

    topics: dict[str, Relevance]
    links: dict[str, list[tuple[str, int]]]


def some_web(rng, size=14):
    names = [f"/{n}" for n in range(size)]
    kinds = (Relevance(True), Relevance(False), Relevance(False), Relevance(True, 0.7), Relevance(False, 0.3))
    topics = {name: rng.choice((*kinds, Relevance())) for name in names}
    links = {
        name: [(target, STEP * rng.randrange(FULL // STEP + 1)) for target in rng.sample(names, rng.randrange(4))]
        for name in names
    }
    links["/0"] += [(name, 0) for name in names[1:3]]
    return Web(topics, links)


def truth(web, tunnel):
    """Fetched URL -> irrelevant pages in a row before it, score; by the definition: until nothing changes."""
    paths = {}
    now = {"/0": (0, FULL)}
    while now != paths:
        paths, now = now, {"/0": (0, FULL)}
        for page, (before, _) in paths.items():
            topic = web.topics[page]
            steps = off_topic(before, topic.relevant)
            if 0 <= tunnel < steps:
                continue
            for target, score in web.links[page]:
                known = now.get(target, (steps, 0))
                now[target] = (min(known[0], steps), max(known[1], offered(score, handed_down(*topic, steps))))
    return paths


def answer(book, web, queued):
    page = queued.url.removeprefix("http://a.test")
    relevant, probability = web.topics[page]
    links = [link(target, queued.depth + 1, score=score) for target, score in web.links[page]]
    book.fetched(queued, *links, relevant=relevant, probability=probability)


@pytest.mark.slow
@pytest.mark.parametrize("tunnel", [-1, 0, 1, 2])
def test_scores_depend_on_no_order(tmp_path, tunnel):
    """Some answers come late, when there is a better path to their pages."""
    rng = random.Random(tunnel)
    for number in range(40):
        web, bound = some_web(rng), rng.choice([2, 1000])
        book = Book(tmp_path / f"{number}.db", tunnel=tunnel, hosts=1, urls_per_host=bound, priority="topic")
        book.ledger.discover([link("/0", 0)], None, 0.0)
        book.open()
        flying = []
        while True:
            while len(flying) < 4 and (queued := book.take()) is not None:
                flying.append(queued)
            if not flying:
                break
            answer(book, web, flying.pop(rng.randrange(len(flying))))
        book.store.commit()
        rows = book.store.urls.rows_of([1], "fetched", 0, 100)
        assert {row.url[13:]: (row.off_topic, row.score) for row in rows} == truth(web, tunnel), web
        assert all(row.priority == -row.score for row in rows)
        book.store.abandon()


@pytest.mark.slow
@pytest.mark.parametrize("bound", [2, 5, 1000])
def test_the_best_url_of_all_that_wait_is_next(tmp_path, bound):
    rng = random.Random(bound)
    for number in range(15):
        web = some_web(rng, size=30)
        book = Book(tmp_path / f"{number}.db", tunnel=-1, hosts=1, urls_per_host=bound, priority="topic")
        book.ledger.discover([link("/0", 0)], None, 0.0)
        book.open()
        while (queued := book.take()) is not None:
            waiting = book.store.urls.rows_of([1], "queued", 0, 100)
            best = max(waiting, key=lambda row: (row.score, -row.id))
            assert (queued.id, queued.score) == (best.id, best.score)
            answer(book, web, queued)
        book.store.abandon()


def test_a_redirect_and_a_sitemap_hand_down_the_score_of_the_links_to_them(tmp_path):
    book = Book(tmp_path / "c.db", tunnel=-1, priority="topic")
    book.ledger.discover([link("/", 0)], None, 0.0)
    host = book.open()
    seed = book.take()
    book.fetched(seed, link("/old", 1, score=100), link("/page", 1, score=400), relevant=False)
    page, old = book.take(), book.take()
    book.ledger.settle(host, old, "moved", "http 301", 1.0)
    moved = Moved(token=1, archived=NOWHERE, location="/new", target=link("/new", 1))
    book.store.answers.add(old.id, 1.0, 301, moved)
    book.ledger.discover([moved.target], old, 1.0, redirects=1)
    assert book.take().score == old.score == offered(100, 500)
    book.fetched(page, link("/old", 2, score=900), relevant=True)
    assert [row.score for row in book.store.urls.queued(1, 10)] == [offered(900, FULL)]
    book.store.abandon()


def ranked(queue, hosts):
    """Which host has each turn, one at a time."""
    order = []
    while (turn := queue.take(0.0)) is not None:
        order.append((turn.host.name, -turn.queued.priority))
        queue.settle(turn.host, turn.queued)
        queue.frontier.release(turn, 0.0)
    return order


@pytest.fixture
def queue():
    return Queue(priority="topic", delay=0.0, bound=3)


def test_of_the_hosts_that_are_due_the_one_with_the_best_url_is_next(queue):
    rng = random.Random(1)
    hosts = [queue.open(f"{name}.test") for name in "abcdefgh"]
    for number in range(1, 200):
        queue.push(rng.choice(hosts), number, priority=-rng.randrange(FULL))
    scores = [score for _, score in ranked(queue, hosts)]
    assert len(scores) == 199 and scores == sorted(scores, reverse=True)


def test_a_host_rises_with_its_best_url(queue):
    first, second = queue.open("a.test"), queue.open("b.test")
    queue.push(first, 1, priority=-500)
    queue.push(second, 2, priority=-100)
    queue.push(first, 3, priority=-400)
    turn = queue.take(0.0)
    assert turn.queued.id == 1  # now both hosts have been looked at
    queue.push(second, 4, priority=-450)
    queue.settle(first, turn.queued)
    queue.frontier.release(turn, 0.0)
    assert [name for name, _ in ranked(queue, (first, second))] == ["b.test", "a.test", "b.test"]


def test_hosts_at_one_address_and_of_one_domain_go_by_their_best_urls():
    addresses = dict.fromkeys(("a.one.test", "b.one.test", "c.one.test", "d.one.test"), ("10.0.0.1",))
    queue = Queue(priority="topic", delay=0.0, address_delay=0.1, addresses=addresses.get, most_turns=4)
    hosts = [queue.open(name) for name in addresses]
    for number, (host, score) in enumerate(zip(hosts, (100, 900, 300, 500), strict=True), 1):
        queue.push(host, number, priority=-score)
    assert [each for each, _ in queue.drain()] == [2, 4, 3, 1]


def test_a_better_url_breaks_no_clock(queue):
    """A host that is not due waits, whatever its URLs promise."""
    slow, fast = queue.open("slow.test"), queue.open("fast.test")
    slow.not_before = 10.0
    queue.push(slow, 1, priority=-FULL)
    queue.push(fast, 2, priority=-1)
    taken = queue.drain()
    assert [each for each, _ in taken] == [2, 1] and taken[1][1] >= 10.0


@pytest.mark.parametrize("seed", range(10))
def test_every_url_has_its_turn(seed):
    rng = random.Random(seed)
    names = [f"{number}.{rng.choice('xyz')}.test" for number in range(12)]
    addresses = {name: (f"10.0.0.{rng.randrange(4)}",) for name in names}
    queue = Queue(
        priority="topic",
        delay=rng.choice([0.0, 0.3]),
        address_delay=0.1,
        addresses=addresses.get,
        bound=4,
        most_turns=3,
    )
    hosts = [queue.open(name) for name in names]
    for number in range(1, 150):
        queue.push(rng.choice(hosts), number, priority=-rng.randrange(FULL))
    done, flying, now = [], [], 0.0
    while queue.frontier.queued:
        while (turn := queue.take(now)) is not None:
            flying.append(turn)
            assert len({each.host for each in flying}) == len(flying)
        if flying:
            turn = flying.pop(rng.randrange(len(flying)))
            done.append(turn.queued.id)
            queue.settle(turn.host, turn.queued)
            queue.frontier.release(turn, now)
            if rng.random() < 0.3 and len(queue.rows) > 1:  # another one turns out to be better
                site, queued = queue.rows[rng.choice(sorted(queue.rows))]
                if all(each.queued.id != queued.id for each in flying):
                    better = replace(queued, priority=min(queued.priority, -rng.randrange(FULL)))
                    queue.rows[queued.id] = (site, better)
                    queue.frontier.promote(next(each.name for each in hosts if each.site == site), better)
        else:
            now = queue.frontier.next_moment()
            assert now < float("inf")
    assert sorted(done) == list(range(1, 150))
