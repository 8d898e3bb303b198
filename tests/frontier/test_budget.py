"""However many URLs are refused, and however costly that is, others have their turn."""

from itertools import pairwise

import pytest

from tests.frontier.queue import Queue
from ttcrawl.frontier.rulebook import NONE, Rulebook
from ttcrawl.frontier.work import SLICE, STEP, TAKE, Work
from ttcrawl.web.robots import MAX_BYTES, reader

WILD = "User-agent: *\n" + "".join(f"Disallow: /*a*{number}b\n" for number in range(10_000)) + "Disallow: /\n"
LONG = "User-agent: *\nCrawl-delay: 7\n" + "Disallow: /x\n" * (MAX_BYTES // 14)


def refusing(queue, name, urls=3000, robots="User-agent: *\nDisallow: /\n"):
    host = queue.open(name, robots)
    for _ in range(urls):
        number = len(queue.rows) + len(queue.refused) + 1
        queue.push(host, number)
    return host


def test_taking_ends_before_everything_is_refused():
    """So messages, the clock, Ctrl-C and the commit have their turn; and it is to be gone on with at once."""
    queue = Queue(delay=0.0, bound=5000)
    for number in range(20):
        refusing(queue, f"{number}.test", 1000)
    takes = 0
    while queue.frontier.queued:
        before = len(queue.refused)
        assert queue.frontier.next_moment() <= 0.0 and queue.take(0.0) is None
        assert 0 < len(queue.refused) - before <= TAKE
        takes += 1
    assert takes > 10 and queue.frontier.next_moment() == float("inf") and queue.frontier.waiting == 0


def test_costly_rules_are_fewer_decisions():
    queue = Queue(delay=0.0, bound=5000)
    refusing(queue, "a.test", 3000, WILD)
    while len(queue.refused) < 3:  # the rules have to be compiled
        queue.take(0.0)
    before = len(queue.refused)
    queue.take(0.0)
    assert 0 < len(queue.refused) - before < TAKE // 50


@pytest.mark.slow
def test_what_is_due_goes_before_hosts_that_refuse():
    queue = Queue(delay=1.0, bound=5000)
    for number in range(30):
        refusing(queue, f"bad{number}.test", 1500)
    while len(queue.refused) < 30 * SLICE:  # all of them have had a turn
        assert queue.take(0.0) is None
    good = queue.open("good.test")
    for second in range(40):
        queue.push(good, 10**6 + second)
        before = len(queue.refused)
        turn = queue.take(2.0 * second)
        assert turn is not None and len(queue.refused) - before <= SLICE
        queue.settle(good, turn.queued)
        queue.frontier.release(turn, 2.0 * second)


def test_hosts_that_refuse_have_their_turn_however_many_are_due():
    queue = Queue(delay=0.0, bound=5000)
    refusing(queue, "bad.test", 3000)
    good = [queue.open(f"{number}.test") for number in range(4)]
    number, takes = 10**6, 0
    while queue.frontier.hosts["bad.test"].wants():
        for host in good:
            number += 1
            queue.push(host, number)
        while (turn := queue.take(0.0)) is not None:
            takes += 1
            queue.settle(turn.host, turn.queued)
            queue.frontier.release(turn, 0.0)
    assert len(queue.refused) == 3000 and takes < 16 * 3000


def test_a_long_robots_txt_is_compiled_bit_by_bit_and_its_delay_holds():
    queue = Queue(delay=1.0)
    host = queue.open("a.test", LONG)
    queue.push(host, 1)
    host.ended = 100.0
    moments, now = [], 101.0
    while (turn := queue.take(now)) is None:
        moments.append(now)
        now = max(now, queue.frontier.next_moment())
    assert len(moments) > 5 and turn.queued.id == 1
    assert now == 107.0 and (host.delay, host.delay_from) == (7.0, "robots.txt")


def test_memory_for_rules_is_bounded_and_they_are_compiled_again():
    queue = Queue(delay=0.0, memory=200_000)
    texts = ["User-agent: *\n" + "".join(f"Disallow: /{n}/{k}\n" for k in range(600)) for n in range(20)]
    hosts = [queue.open(f"{n}.test", text) for n, text in enumerate(texts)]
    book = queue.frontier.decisions.rulebook
    for n, host in enumerate(hosts):
        queue.push(host, 2 * n, url=f"http://{host.name}/{n}/599")
        queue.push(host, 2 * n + 1, url=f"http://{host.name}/ok")
    taken = queue.drain()
    assert sorted(number for number, _ in taken) == list(range(1, 40, 2)) and len(queue.refused) == 20
    assert 0 < book.size <= 200_000
    sizes = [book.size]
    for host in hosts:
        book.forget(host.site)
        sizes.append(book.size)
    assert sizes[-1] == 0 and 0 < sum(later < earlier for earlier, later in pairwise(sizes)) < 20


def test_hosts_with_the_same_robots_txt_share_its_rules():
    """Each text is compiled once, however many hosts have it, and leaves memory with the last of them."""
    texts = ["User-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /b\n"]
    made = []

    def compiling(text):
        made.append(text)
        return reader("ttcrawl")(text)

    book = Rulebook(compiling, lambda site: texts[site % 2], memory=40_000)
    rules = [book.read(site, texts[site % 2], Work()) for site in range(100)]
    assert made == texts and {id(each) for each in rules[::2]} == {id(rules[0])} != {id(rules[1])}
    assert all(book.of(site, Work()).allows("http://h.test/a") == bool(site % 2) for site in range(100))
    for site in range(200):  # memory is bounded, and those that left it come back without work
        assert book.of(site, Work()) is rules[site % 2] and 0 < book.size <= 40_000
    for site in range(0, 200, 2):
        book.forget(site)
    book.read(300, texts[0], Work())
    assert made == [*texts, texts[0]]
    for site in (*range(1, 200, 2), 300):
        book.forget(site)
    assert book.size == 0


def test_a_text_that_is_half_compiled_for_one_host_is_compiled_for_another():
    text = "User-agent: *\n" + "".join(f"Disallow: /{number}\n" for number in range(1_000))
    book = Rulebook(reader("ttcrawl"), lambda site: text)
    assert book.read(1, text, Work(STEP)) is None and book.begun == 1
    rules = book.read(2, text, Work(100 * STEP))
    assert rules is not None and book.of(1, Work(100 * STEP)) is rules and book.begun == NONE
    book.forget(1)
    book.forget(2)
    assert book.size == 0


@pytest.mark.slow
def test_only_one_long_robots_txt_is_half_compiled():
    queue = Queue(delay=0.0)
    hosts = [queue.open(f"{number}.test", LONG + f"# {number}\n") for number in range(5)]
    for number, host in enumerate(hosts):
        queue.push(host, number)
    for _ in range(10_000):
        if not queue.frontier.queued:
            break
        turn = queue.take(100.0)
        if turn is not None:
            queue.settle(turn.host, turn.queued)
            queue.frontier.release(turn, 0.0)
    assert not queue.frontier.queued and queue.frontier.decisions.rulebook.begun == NONE
    assert {host.delay for host in hosts} == {7.0}


def test_another_robots_txt_takes_the_place_of_one_that_is_half_compiled():
    queue = Queue(delay=0.0)
    host = queue.open("a.test", LONG)
    assert queue.frontier.decisions.rulebook.begun == host.site
    queue.push(host, 1, url="http://a.test/x")
    queue.texts[host.site] = "User-agent: *\nDisallow: /\n"
    queue.frontier.robots_read(host, queue.texts[host.site])
    assert queue.take(0.0) is None and queue.refused == [(1, "refused", "robots.txt")]
    queue.push(host, 2, url="http://a.test/x")
    queue.frontier.robots_read(host, "")
    assert queue.take(0.0).queued.id == 2
