"""The filter never says "surely new" twice, and its errors stay near what was asked for."""

from ttcrawl.config import Seen as SeenSettings
from ttcrawl.frontier.seen import Seen


def test_no_key_is_surely_new_twice():
    seen = Seen(SeenSettings(capacity=100, error_rate=0.001))  # it has to grow several times
    keys = [n * 7919 - 10**9 for n in range(5000)]
    first = [seen.surely_new(key) for key in keys]
    assert not any(seen.surely_new(key) for key in keys)
    wrong = first.count(False)
    assert wrong / len(keys) < 0.01
    assert seen.figures.tests == 10_000 and seen.figures.maybe == 5000 + wrong


def test_a_useless_filter_says_maybe():
    seen = Seen(SeenSettings(capacity=1, error_rate=0.5))
    answers = [seen.surely_new(n) for n in range(1000)]
    assert answers.count(False) > 100
