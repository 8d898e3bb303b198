"""What a crawl changes in the garbage collector of the process that calls it, it changes back."""

import gc

import pytest

from ttcrawl.ring.garbage import RARE, rarely_collected


def test_it_is_as_it_was_before():
    before = gc.get_threshold()
    with pytest.raises(KeyError), rarely_collected():
        assert gc.get_threshold() == RARE and gc.get_freeze_count()
        raise KeyError
    assert gc.get_threshold() == before and not gc.get_freeze_count()
