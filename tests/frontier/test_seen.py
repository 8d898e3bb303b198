"""The filter never says "surely new" twice, and its errors stay near what was asked for."""

from itertools import pairwise

import pytest
import xxhash
from pybloom_live import ScalableBloomFilter

from ttcrawl.config import Seen as SeenSettings
from ttcrawl.frontier.seen import HEAD, Seen

both = pytest.mark.usefixtures("reader")


def keys_of(numbers):
    """Keys like those of URLs: hashes of 64 bits, signed."""
    return [xxhash.xxh3_64_intdigest(str(n).encode()) - (1 << 63) for n in numbers]


@both
def test_no_key_is_surely_new_twice():
    seen = Seen(SeenSettings(capacity=100, error_rate=0.001))  # it has to grow several times
    keys = keys_of(range(5000))
    first = [seen.surely_new(key) for key in keys]
    assert not any(seen.surely_new(key) for key in keys)
    wrong = first.count(False)
    assert wrong / len(keys) < 0.01
    assert seen.figures.tests == 10_000 and seen.figures.maybe == 5000 + wrong


@both
def test_a_useless_filter_says_maybe():
    seen = Seen(SeenSettings(capacity=1, error_rate=0.5))
    answers = [seen.surely_new(n) for n in range(1000)]
    assert answers.count(False) > 100


@both
def test_the_file_and_what_was_met_since(tmp_path):
    path = tmp_path / "seen.bloom"
    seen = Seen(SeenSettings(capacity=10))
    for key in range(1000):
        seen.surely_new(key)
    seen.save(path, last_id=1000)
    again = Seen(SeenSettings(capacity=10))
    asked = []
    again.load(path, lambda after: asked.append(after) or range(5000, 5100))
    assert asked == [1000]
    assert not any(again.surely_new(key) for key in [*range(1000), *range(5000, 5100)])
    assert again.surely_new(7777)


@both
@pytest.mark.parametrize("spoiled", [b"", b"1234", b"\x00" * 40, None])
def test_a_file_that_is_no_use_is_made_anew(tmp_path, spoiled):
    path = tmp_path / "seen.bloom"
    if spoiled is not None:
        path.write_bytes(spoiled)
    seen = Seen(SeenSettings())
    seen.load(path, lambda after: range(after, 100))
    assert not seen.surely_new(50) and seen.surely_new(100)


@both
def test_a_file_of_an_earlier_version_is_made_anew(tmp_path):
    path, seen = tmp_path / "seen.bloom", Seen(SeenSettings(capacity=10))
    seen.save(path, last_id=1000)  # without these URLs, as if other bits were theirs
    rest = path.read_bytes()[HEAD.size :]
    path.write_bytes(HEAD.pack(1000, xxhash.xxh3_64_intdigest(rest)) + rest)
    again = Seen(SeenSettings(capacity=10))
    again.load(path, lambda after: keys_of(range(after, 1000)))
    assert not any(map(again.surely_new, keys_of(range(1000))))


def test_it_is_saved_ever_more_rarely_and_never_far_behind(tmp_path):
    seen, saved = Seen(SeenSettings()), []
    for last_id in range(0, 10_000_000, 1000):
        if seen.due(last_id):
            seen.save(tmp_path / "seen.bloom", last_id)
            saved.append(last_id)
    assert 10 < len(saved) < 60
    assert all(later - earlier < 320_000 for earlier, later in pairwise([0, *saved]))  # 2 s to read again


@pytest.mark.slow
@pytest.mark.parametrize(("capacity", "rate"), [(100, 0.01), (1000, 0.05), (20_000, 0.001)])
def test_its_false_positives_are_as_rare_as_those_of_the_scalable_filter(capacity, rate):
    seen = Seen(SeenSettings(capacity=capacity, error_rate=rate))
    plain = ScalableBloomFilter(capacity, rate, ScalableBloomFilter.LARGE_SET_GROWTH)
    keys = keys_of(range(40_000))
    assert sum(not seen.surely_new(key) for key in keys) < 1.2 * sum(map(plain.add, keys))
